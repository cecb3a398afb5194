// The former names of these types, from the projects that this library goes back to. Foundation, SwiftNIO,
// swift-metrics, Combine and the C library use these names too, so you have to ask for them: `import SeedNames`.

public import Mall
public import Recipes
public import Streams

// MARK: CocoaJoin, and other join calculi

/// ``JoinCounter``, as CocoaJoin calls it.
public typealias Counter = JoinCounter

/// ``JoinChannel``, by its usual name.
public typealias Channel = JoinChannel

/// ``JoinPromise``, by its usual name.
public typealias Promise = JoinPromise

/// ``JoinFuture``, by its usual name.
public typealias Future = JoinFuture

/// ``AsyncSemaphore``, by its usual name.
public typealias Semaphore = AsyncSemaphore

// MARK: SimpleSwiftFRP

/// ``EventSource``, as SimpleSwiftFRP calls it.
public typealias Source = EventSource

/// ``EventStream``, as SimpleSwiftFRP calls it.
public typealias Stream = EventStream

// MARK: The Mall

/// ``MallInput``, as the Mall's first version calls it.
public typealias Input = MallInput

/// ``MallOutput``, as the Mall's first version calls it.
public typealias Output = MallOutput

/// ``MallStore``, as the Mall's first version calls it.
public typealias Store = MallStore

/// ``MallZip``, as the Mall's first version calls it.
public typealias Zip = MallZip

/// A closure as the function of an operator block: the former name of `compute`.
///
/// - Parameter function: Takes the values of the inputs, in their order. Runs within the wave, so it should be short,
///   and free of side effects.
/// - Returns: the closure.
@inlinable
public func run<each Input: Sendable, Result: Sendable>(
    _ function: @escaping @Sendable (repeat each Input) throws -> Result
) -> @Sendable (repeat each Input) throws -> Result {
    function
}

/// A closure that may suspend as the function of an operator block: the former name of `compute`.
///
/// - Parameter function: Takes the values of the inputs, in their order. Runs outside the wave, at the same time as
///   others of the same rank.
/// - Returns: the closure.
@inlinable
public func run<each Input: Sendable, Result: Sendable>(
    _ function: @escaping @concurrent @Sendable (repeat each Input) async throws -> Result
) -> @concurrent @Sendable (repeat each Input) async throws -> Result {
    function
}
