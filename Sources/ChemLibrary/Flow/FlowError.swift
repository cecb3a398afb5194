/// Why a graph couldn't do what it was asked to do.
public struct FlowError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String { case feedbackLimit, forgotten, waitsForItself }

        let value: Value

        /// A value came back around a cycle more often in a row than the graph allows.
        public static let feedbackLimit = Code(value: .feedbackLimit)
        /// The graph doesn't remember the requested value, or no longer does.
        public static let forgotten = Code(value: .forgotten)
        /// An asynchronous operator, or a task it started, waits for a wave of its own graph while it runs.
        ///
        /// That wave comes after the operator's own one, so it would wait for ever. It may `send`, which doesn't wait.
        /// A graph doesn't know of others: two whose operators wait for each other's waves do so for ever.
        public static let waitsForItself = Code(value: .waitsForItself)

        /// The name of the code.
        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code
    private let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// What happened, in words.
    public var description: String { "The graph couldn't do it: \(detail)." }
}
