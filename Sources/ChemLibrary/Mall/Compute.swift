// A closure in an operator block. On its own it would be taken for a trailing closure of the input in the line above.

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
/// Functions that have a name need no `compute`. The types of the parameters have to be written: each line of a block
/// is understood on its own.
///
/// - Parameter function: Takes the values of the inputs, in their order. Runs within the wave; should be short, and
///   free of side effects.
/// - Returns: the closure.
@inlinable
public func compute<each Input: Sendable, Result: Sendable>(
    _ function: @escaping @Sendable (repeat each Input) throws -> Result
) -> @Sendable (repeat each Input) throws -> Result {
    function
}

/// A closure that may suspend as the function of an operator block: the wave waits for it.
///
/// - Parameter function: Takes the values of the inputs, in their order. Runs outside of the wave, at the same time as
///   others of the same rank.
/// - Returns: the closure.
@inlinable
public func compute<each Input: Sendable, Result: Sendable>(
    _ function: @escaping @concurrent @Sendable (repeat each Input) async throws -> Result
) -> @concurrent @Sendable (repeat each Input) async throws -> Result {
    function
}
