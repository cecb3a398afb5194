public import ChemActors

/// One running refresh of a single thing, such as a token: all callers that ask meanwhile get its result.
///
/// ```swift
/// let token = SharedRefresh { try await server.newToken() }
/// let current = try await token.value()    // many callers, one request
/// ```
///
/// This is a ``SingleFlight`` with one key; see there for details. A cancelled caller leaves without affecting the
/// others, the last one to leave cancels the refresh, nothing is remembered, and there are never two refreshes at the
/// same time.
public struct SharedRefresh<Value: Sendable>: Exportable {
    private enum Key: Hashable { case only }

    private let flights: SingleFlight<Key, Value>

    /// Shares the runs of `refresh`.
    ///
    /// - Parameters:
    ///   - name: What the refresh is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - refresh: Gets the value. Its task is cancelled when no caller waits for it any more.
    public init(
        name: String = "sharedRefresh",
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ refresh: @escaping @concurrent @Sendable () async throws -> Value
    ) {
        flights = SingleFlight(name: name, fileID: fileID, line: line) { _ in try await refresh() }
    }

    private init(flights: SingleFlight<Key, Value>) {
        self.flights = flights
    }

    /// The value: the result of the refresh that is under way, or of a new one.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: what the refresh returns.
    /// - Throws: what the refresh throws; `CancellationError` if this task is cancelled; then it has left the others.
    nonisolated(nonsending) public func value(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await flights.value(for: .only, fileID: fileID, line: line)
    }

    /// The value, if the refresh ends before `duration` has passed.
    ///
    /// - Parameters:
    ///   - duration: How long to wait for it. Zero or less: leave again at once.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: what the refresh returns.
    /// - Throws: as ``value(fileID:line:)``, and `CallError` if the time was up; then it has left the others.
    nonisolated(nonsending) public func value(
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await flights.value(for: .only, within: duration, fileID: fileID, line: line)
    }

    /// The same refresh, kept alive by this value.
    public var exported: SharedRefresh { SharedRefresh(flights: flights.exported) }
}
