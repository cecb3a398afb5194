/// A machine that other programs of this user can look into.
public final class Publication: Sendable {
    /// Where its socket is.
    public let path: String
    private let server: SocketServer

    init(path: String, _ server: SocketServer) {
        self.path = path
        self.server = server
    }

    /// Ends it: nobody can look into the machine any more, and the socket is gone. Does nothing the second time.
    ///
    /// Releasing the publication doesn't end it; that the machine is released does.
    public func end() { server.end() }
}

extension Publication: CustomStringConvertible {
    /// Where others find it.
    public var description: String { "published at \(path)" }
}
