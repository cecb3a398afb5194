import Foundation

/// The snippets that draw a definition if they are called with `--picture`.
enum Samples {
    /// Draws what the snippets print, each picture under the name of its snippet.
    static func draw() throws -> [String: String] {
        let folder = Catalogue.root.appending(path: "Snippets")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        var pictures: [String: String] = [:]
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            guard text.contains("\"--picture\"") else { continue }
            let name = String(file.dropLast(".swift".count))
            pictures[name] = try picture(of: name)
        }
        return pictures
    }

    private static func picture(of snippet: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: snippet)
        process.arguments = ["--picture"]
        // What bodies inject is learned from what happens.
        process.environment = ProcessInfo.processInfo.environment.merging(["CHEMACTORS_RECORDER": "full"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let begin = text.range(of: "<svg "),
            let end = text.range(of: "</svg>", options: .backwards)
        else { DrawPictures.stop("the snippet '\(snippet)' has drawn nothing:\n\(text)") }
        return String(text[begin.lowerBound..<end.upperBound])
    }
}
