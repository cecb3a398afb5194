import FieldReport
import Foundation

/// Where things are, and in which state.
enum Repository {
    /// The package of the field report.
    static let field = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let root = field.deletingLastPathComponent().deletingLastPathComponent()
    static let results = root.appending(path: "Docs/field.json")

    /// Where this program lies, and the others of the package.
    static var buildFolder: URL {
        (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()
            .deletingLastPathComponent()
    }

    static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    static func environment(rounds: Int, repetitions: Int) -> Environment {
        let commit = try? Command(["git", "rev-parse", "--short=12", "HEAD"], in: root).run()
        let status = ["git", "status", "--porcelain", "--", "Sources", "Benchmarks/Field"]
        let changes = try? Command(status, in: root).run()
        return Environment(
            date: String(Date.now.ISO8601Format().prefix(10)),
            commit: (commit ?? "unknown").trimmingCharacters(in: .whitespacesAndNewlines)
                + (changes?.isEmpty == false ? " with changes" : ""),
            cpu: cpu,
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            rounds: rounds,
            repetitions: repetitions
        )
    }

    private static var cpu: String {
        let text = try? Command(["cat", "/proc/cpuinfo"]).run()
        let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }
}
