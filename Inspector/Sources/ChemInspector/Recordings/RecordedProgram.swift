import ChemActors
import Hummingbird
import NIOCore

/// A recording, which answers as far as it can what a published machine would answer.
struct RecordedProgram: Sendable {
    let name: String
    private let recording: Recording
    private let summary: RecordingSummary

    init(_ recording: Recording, name: String) {
        self.name = name
        self.recording = recording
        summary = RecordingSummary(recording)
    }

    /// Answers a request, in whose path `path` follows the program. Events are asked for by `from` and `count` in
    /// `query`.
    func response(to path: [String], _ query: Parameters) throws -> Response {
        switch (path.first, path.count) {
        case ("overview", 1): return try .json(summary.overview(name))
        case ("events", 1):
            let count = min(max(query.get("count", as: Int.self) ?? 200, 1), 10_000)
            let from = min(max(query.get("from", as: Int.self) ?? .max, 0), max(0, recording.events.count - count))
            return try .json(summary.events(recording, from..<min(from + count, recording.events.count)))
        case ("groups", 2):
            guard let group = summary.group(recording, path[1]) else {
                return .error("there is no group \(path[1])", .notFound)
            }
            return try .json(group)
        case ("definitions", 2):
            guard let definition = summary.definition(recording, path[1]) else {
                return .error("there is no definition \(path[1])", .notFound)
            }
            return try .json(definition)
        case ("stuck", 1): return .error("a recording doesn't tell why calls wait", .notFound)
        default: return .error("there is nothing at /\(path.joined(separator: "/"))", .notFound)
        }
    }
}
