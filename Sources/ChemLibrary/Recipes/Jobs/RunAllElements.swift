public import ChemActors

/// Calls a synchronous function with each element, concurrently, and returns the results in the order of the elements.
///
/// ```swift
/// let sizes = try await runAll(files) { file in try size(of: file) }
/// ```
///
/// As `runAll` of jobs, each of which calls `job` with one element.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - elements: The elements. Calls begin in their order.
///   - limit: How many calls may run at once, at least 1; nil for as many as there are workers.
///   - configuration: The configuration of the machine that runs the calls.
///   - progress: Gets the number of calls that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
///   - job: Makes a result from an element.
/// - Returns: the result for each element.
/// - Throws: the first error of a call, after which no other begins, or `CancellationError`.
/// - Complexity: O(number of elements).
@inlinable
nonisolated(nonsending)
    public func runAll<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ job: @escaping @Sendable (Element) throws -> Value
    ) async throws -> [Value]
{
    try await runAll(
        elements.map { element in { @Sendable () throws -> Value in try job(element) } },
        atMost: limit,
        configuration: configuration,
        progress: progress,
        fileID: fileID,
        line: line
    )
}

/// Calls an asynchronous function with each element, concurrently, and returns the results in the order of the
/// elements.
///
/// ```swift
/// let pages = try await runAll(addresses, atMost: 4) { address in try await load(address) }
/// ```
///
/// As `runAll` of jobs, each of which calls `job` with one element.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - elements: The elements. Calls begin in their order.
///   - limit: How many calls may run at once, suspended ones included, at least 1; nil for all.
///   - configuration: The configuration of the machine that runs the calls.
///   - progress: Gets the number of calls that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
///   - job: Makes a result from an element.
/// - Returns: the result for each element.
/// - Throws: the first error of a call, after which no other begins and those that run are cancelled, or
///   `CancellationError`.
/// - Complexity: O(number of elements).
@inlinable
nonisolated(nonsending)
    public func runAll<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ job: @escaping @concurrent @Sendable (Element) async throws -> Value
    ) async throws -> [Value]
{
    try await runAll(
        elements.map { element in { @concurrent @Sendable () async throws -> Value in try await job(element) } },
        atMost: limit,
        configuration: configuration,
        progress: progress,
        fileID: fileID,
        line: line
    )
}

/// Calls a synchronous function with each element, concurrently, and returns the outcomes in the order of the elements.
///
/// ```swift
/// for case .failure(let error) in try await settleAll(files, { try size(of: $0) }) { print(error) }
/// ```
///
/// Like `runAll`, but an error of one call doesn't affect the others.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - elements: The elements. Calls begin in their order.
///   - limit: How many calls may run at once, at least 1; nil for as many as there are workers.
///   - configuration: The configuration of the machine that runs the calls.
///   - progress: Gets the number of calls that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
///   - job: Makes a result from an element.
/// - Returns: the outcome for each element, a result or an error.
/// - Throws: `CancellationError` if the task is cancelled. It doesn't throw the errors of calls.
/// - Complexity: O(number of elements).
@inlinable
nonisolated(nonsending)
    public func settleAll<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ job: @escaping @Sendable (Element) throws -> Value
    ) async throws -> [Result<Value, any Error>]
{
    try await settleAll(
        elements.map { element in { @Sendable () throws -> Value in try job(element) } },
        atMost: limit,
        configuration: configuration,
        progress: progress,
        fileID: fileID,
        line: line
    )
}

/// Calls an asynchronous function with each element, concurrently, and returns the outcomes in the order of the
/// elements.
///
/// ```swift
/// let outcomes = try await settleAll(addresses, atMost: 4) { address in try await load(address) }
/// ```
///
/// Like `runAll`, but an error of one call doesn't affect the others.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - elements: The elements. Calls begin in their order.
///   - limit: How many calls may run at once, suspended ones included, at least 1; nil for all.
///   - configuration: The configuration of the machine that runs the calls.
///   - progress: Gets the number of calls that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
///   - job: Makes a result from an element.
/// - Returns: the outcome for each element, a result or an error.
/// - Throws: `CancellationError` if the task is cancelled. It doesn't throw the errors of calls.
/// - Complexity: O(number of elements).
@inlinable
nonisolated(nonsending)
    public func settleAll<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ job: @escaping @concurrent @Sendable (Element) async throws -> Value
    ) async throws -> [Result<Value, any Error>]
{
    try await settleAll(
        elements.map { element in { @concurrent @Sendable () async throws -> Value in try await job(element) } },
        atMost: limit,
        configuration: configuration,
        progress: progress,
        fileID: fileID,
        line: line
    )
}
