import Foundation

/// Where and when a run took place.
struct RunEnvironment: Codable, CustomStringConvertible {
    let toolchain: String
    let cpu: String
    let cores: Int
    let system: String
    let build: String
    let commit: String
    let date: String
    let isQuick: Bool

    init(isQuick: Bool) {
        self.isQuick = isQuick
        toolchain = Self.compiler
        cpu = Self.cpuName()
        cores = ProcessInfo.processInfo.activeProcessorCount
        system = ProcessInfo.processInfo.operatingSystemVersionString
        build = Self.isDebugBuild ? "debug" : "release"
        commit = Self.currentCommit()
        date = Date.now.ISO8601Format()
    }

    var description: String {
        """
        \(Catalogue.program.name)\(isQuick ? " (quick: smaller counts, fewer samples)" : "")
          toolchain  \(toolchain)
          cpu        \(cpu), \(cores) cores, \(system)
          build      \(build), commit \(commit)
          date       \(date)
        """
    }

    static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    private static var compiler: String {
        // A version that was released later has to be added here: what it measures must not pass for another one's.
        #if compiler(>=6.3.4)
            "a Swift after 6.3.3"
        #elseif compiler(>=6.3.3)
            "Swift 6.3.3"
        #elseif compiler(>=6.3.2)
            "Swift 6.3.2"
        #elseif compiler(>=6.3.1)
            "Swift 6.3.1"
        #else
            "Swift 6.3"
        #endif
    }

    private static func cpuName() -> String {
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: 256)
            var size = buffer.count
            guard sysctlbyname("machdep.cpu.brand_string", &buffer, &size, nil, 0) == 0 else { return "unknown" }
            return String(decoding: buffer.prefix(while: { $0 != 0 }).map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            let lines = text(of: "/proc/cpuinfo")?.split(separator: "\n") ?? []
            let line = lines.first { $0.hasPrefix("model name") }
            return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown"
        #endif
    }

    /// What `.git/HEAD` says, here or in a folder above.
    private static func currentCommit() -> String {
        var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        while folder.path != "/" {
            let git = folder.appendingPathComponent(".git").path
            if let head = text(of: git + "/HEAD") { return String(commit(head, in: git).prefix(12)) }
            folder.deleteLastPathComponent()
        }
        return "unknown"
    }

    private static func commit(_ head: String, in git: String) -> String {
        guard head.hasPrefix("ref: ") else { return head }
        let reference = head.dropFirst("ref: ".count)
        if let commit = text(of: "\(git)/\(reference)") { return commit }
        let packed = text(of: git + "/packed-refs")?.split(separator: "\n") ?? []
        return packed.first { $0.hasSuffix(" \(reference)") }.map(String.init) ?? "unknown"
    }

    /// The file at `path`, read to its end: files in `/proc` say that they have no size.
    static func text(of path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
