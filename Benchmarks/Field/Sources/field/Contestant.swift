import FieldReport
import Foundation

/// A language that is installed, its program built.
struct Contestant {
    /// A work as its program lists it.
    struct Entry: Decodable {
        let work: String
        let variant: String
        let size: Int
    }

    /// A line that its program prints for each repetition.
    struct Repetition: Decodable {
        let operations: Int
        let nanoseconds: Double
        let checked: String
    }

    let language: Language
    let version: String
    let entries: [Entry]
    private let command: [String]

    /// Nil if the language isn't installed.
    init?(_ language: Language) throws {
        guard let command = try Self.build(language) else { return nil }
        self.language = language
        self.command = command
        version = try Command(command + ["version"]).run().trimmingCharacters(in: .whitespacesAndNewlines)
        entries = try Self.lines(of: Command(command + ["list"]).run())
        for entry in entries where !Catalogue.works.contains(where: { $0.name == entry.work }) {
            throw Failure("\(language.title) has a work '\(entry.work)', which the catalogue doesn't know")
        }
    }

    /// Nanoseconds for each operation, one for each repetition, and how many operations these had.
    func measure(_ entry: Entry, size: Int, repetitions: Int, on cores: Cores) throws -> [Repetition] {
        let pinning = cores == .one ? ["taskset", "-c", "0"] : []
        let arguments = [entry.work, entry.variant, "\(size)", "\(repetitions)"]
        let found: [Repetition] = try Self.lines(of: Command(pinning + command + arguments).run())
        guard found.count == repetitions, found.allSatisfy({ $0.nanoseconds > 0 && !$0.checked.isEmpty }) else {
            throw Failure("\(language.title): \(entry.work) by \(entry.variant) printed something else than figures")
        }
        return found
    }

    private static func lines<Line: Decodable>(of text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// Builds its program. Returns what starts it.
    private static func build(_ language: Language) throws -> [String]? {
        let products = Repository.buildFolder
        switch language {
        case .chem, .swift:
            let name = "field-\(language.rawValue)"
            let folder = products.deletingLastPathComponent().deletingLastPathComponent()
            let configuration = Repository.isDebugBuild ? "debug" : "release"
            _ = try Command(
                ["swift", "build", "-c", configuration, "--scratch-path", folder.path, "--product", name],
                in: Repository.field
            ).build()
            return [products.appending(path: name).path]
        case .go:
            guard Command.path(of: "go") != nil else { return nil }
            let program = products.appending(path: "field-go").path
            _ = try Command(["go", "build", "-o", program, "."], in: Repository.field.appending(path: "Go")).build()
            return [program]
        case .erlang:
            guard Command.path(of: "erl") != nil, Command.path(of: "erlc") != nil else { return nil }
            let folder = products.appending(path: "field-erlang")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let sources = Repository.field.appending(path: "Erlang")
            let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            let modules = files.filter { $0.hasSuffix(".erl") }.sorted()
            _ = try Command(["erlc", "-Werror", "-o", folder.path] + modules, in: sources).build()
            return ["erl", "-noinput", "-pa", folder.path, "-s", "field", "main", "-extra"]
        }
    }
}
