#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

import Foundation

/// The folder in which programs publish their machines.
package struct SocketFolder: Sendable {
    /// Where it is.
    package let path: String

    /// A folder, which needn't exist yet.
    package init(path: String) { self.path = path }

    /// Where programs publish if nobody says otherwise.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let folder = value("CHEM_INSPECTOR_DIR") {
            path = folder
        } else if let folder = value("XDG_RUNTIME_DIR") {
            path = "\(folder)/chem-inspector"
        } else {
            var folder = value("TMPDIR") ?? "/tmp"
            if folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
            path = "\(folder)/chem-inspector-\(getuid())"
        }
    }

    /// Whether there is a folder.
    package var isFolder: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The sockets in it, sorted, each with its name without `.sock`.
    func sockets() -> [(name: String, path: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".sock") }.sorted()
            .map { (name: String($0.dropLast(5)), path: "\(path)/\($0)") }
            .filter { Self.isOwnSocket($0.path) }
    }

    /// Whether there is a socket that belongs to us. What another user has put there, we don't ask.
    static func isOwnSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
    }
}

extension SocketFolder {
    /// What an error number of the system means.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
