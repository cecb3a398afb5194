package import ChemActors

/// Something to look at that was named on the command line.
package struct Source: Sendable {
    package enum Content: Sendable {
        case socket
        case recording(Recording)
    }

    /// Why there is nothing to look at.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let path: String
    package let content: Content

    /// The file without its folders.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Looks what a file is: a socket, or else a recording.
    package init(path: String) throws(Failure) {
        self.path = path
        if SocketFolder.isOwnSocket(path) {
            content = .socket
            return
        }
        do {
            content = .recording(try Recording(contentsOf: path))
        } catch .fileFailed(_, let code) {
            throw Failure(description: "\(path): \(SocketFolder.reason(code))")
        } catch {
            throw Failure(description: "\(path): \(error)")
        }
    }
}
