// Marks a closure in an operator block. Without it, Swift would parse the closure as a trailing closure of the line
// above.

/// A closure as the function of an operator block.
///
/// ```swift
/// op {
///     a>!
///     b>?
///     compute { (a: Int, b: Int) in a + b }
///     ~>sum
/// }
/// ```
///
/// Functions that have a name need no `compute`. Declare the types of the parameters: the compiler checks each line of
/// a block on its own.
///
/// - Parameter function: Takes the values of the inputs, in their order. Runs within the wave, so it should be short,
///   and free of side effects.
/// - Returns: the closure.
@inlinable
public func compute<each Input: Sendable, Result: Sendable>(
    _ function: @escaping @Sendable (repeat each Input) throws -> Result
) -> @Sendable (repeat each Input) throws -> Result {
    function
}

/// A closure that may suspend as the function of an operator block: the wave waits for it.
///
/// - Parameter function: Takes the values of the inputs, in their order. Runs outside the wave, at the same time as
///   others of the same rank.
/// - Returns: the closure.
@inlinable
public func compute<each Input: Sendable, Result: Sendable>(
    _ function: @escaping @concurrent @Sendable (repeat each Input) async throws -> Result
) -> @concurrent @Sendable (repeat each Input) async throws -> Result {
    function
}
