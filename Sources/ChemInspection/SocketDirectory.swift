import ChemBase
import Foundation

/// The folder in which published machines have their sockets. Only this user may enter it.
struct SocketDirectory {
    let path: String

    /// Where publishers and inspectors look if they are told nothing else.
    static var usual: String {
        func value(_ name: String) -> String? { Platform.environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let directory = value("CHEM_INSPECTOR_DIR") { return directory }
        if let runtime = value("XDG_RUNTIME_DIR") { return "\(runtime)/chem-inspector" }
        return "\(value("TMPDIR") ?? "/tmp")/chem-inspector-\(Platform.user)"
    }

    init(_ path: String) throws(PublicationError) {
        self.path = path
        guard let error = Platform.makePrivateDirectory(path) else { return }
        throw PublicationError(
            path: path,
            reason: error.isNotOurs
                ? "the folder isn't this user's alone: it must belong to the user, with the permissions 700"
                : "\(Platform.message(of: error)); CHEM_INSPECTOR_DIR can name another folder"
        )
    }

    /// Removes the sockets behind which nobody listens any more, and makes one whose name tells which machine of which
    /// process it is.
    ///
    /// One at a time does that: a socket of somebody else behind which nobody listens yet looks like an abandoned one.
    func listen(as name: String) throws(PublicationError) -> (path: String, listener: Int32) {
        let lock = Platform.lockDirectory(path)
        defer { if let lock { Platform.closeDescriptor(lock) } }
        removeAbandoned()
        return try makeSocket(name)
    }

    private func removeAbandoned() {
        for file in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where file.hasSuffix(".sock") {
            let path = "\(path)/\(file)"
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeSocket, Platform.isAbandoned(path) { Platform.removeFile(path) }
        }
    }

    private func makeSocket(_ name: String) throws(PublicationError) -> (path: String, listener: Int32) {
        let allowed = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
        let base = "\(path)/\(String(allowed.prefix(32)))-\(Platform.process)"
        // A process may publish several machines of one name.
        var attempt = 1
        while true {
            let path = attempt == 1 ? "\(base).sock" : "\(base)-\(attempt).sock"
            switch Platform.listen(at: path) {
            case .success(let listener): return (path, listener)
            case .failure(let error) where error.isTaken && attempt < 1000: attempt += 1
            case .failure(let error): throw PublicationError(path: path, reason: Platform.message(of: error))
            }
        }
    }
}
