import Foundation

/// A program that is started, and whose output is read to its end.
struct Command {
    /// So long nothing takes that goes well.
    private static let patience = 180

    private let words: [String]
    private let folder: URL?

    init(_ words: [String], in folder: URL? = nil) {
        self.words = words
        self.folder = folder
    }

    /// What it printed. Throws with what it said on standard error if it fails or hangs.
    func run() throws -> String { try run(within: Self.patience) }

    private func run(within seconds: Int?) throws -> String {
        // `timeout` is part of every Linux.
        let timeout = seconds.flatMap { seconds in Self.path(of: "timeout").map { [$0, "\(seconds)"] } } ?? []
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = timeout + words
        process.currentDirectoryURL = folder
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // What is on standard error fits into the buffer of its pipe.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let reason = process.terminationStatus == 124 ? "nothing came of it in \(Self.patience) seconds" : complaint
            throw Failure("\(words.joined(separator: " ")) failed: \(reason)\(reason.isEmpty ? text : "")")
        }
        return text
    }

    /// The same for what may take as long as it needs.
    func build() throws -> String { try run(within: nil) }

    /// Where a program is, if it is installed.
    static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
