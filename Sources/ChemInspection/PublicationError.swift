/// Why a machine can't be published.
public struct PublicationError: Error, Sendable, CustomStringConvertible {
    /// The folder or the socket that it is about.
    public let path: String
    /// What is wrong.
    public let reason: String

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// One readable line.
    public var description: String { "a chemical machine can't be published at '\(path)': \(reason)" }
}
