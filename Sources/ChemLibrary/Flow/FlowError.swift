/// Why something that was asked of a graph didn't happen.
public struct FlowError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String { case feedbackLimit, forgotten, waitsForItself }

        let value: Value

        /// A value came back around a cycle more often in a row than the graph allows.
        public static let feedbackLimit = Code(value: .feedbackLimit)
        /// A value that was asked for isn't remembered, or not any more.
        public static let forgotten = Code(value: .forgotten)
        /// An asynchronous operator, or a task that it has started, waits for a wave of its own graph while it runs.
        /// That wave comes after the operator's own one, so it would wait for ever. It may `send`, which doesn't wait.
        public static let waitsForItself = Code(value: .waitsForItself)

        /// The name of the code.
        public var description: String { value.rawValue }
    }

    /// What kind of error it is.
    public let code: Code
    private let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// What has happened, in words.
    public var description: String { "The graph couldn't do it: \(detail)." }
}
