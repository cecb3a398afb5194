import Foundation
import TestSupport
import Testing

/// What the compiler must refuse of streams: each file in `Tests/Fixtures/Streams`, with the text that its
/// first line expects.
@Suite("The compiler refuses, of streams,", .endsInTime, .serialized)
struct StreamsCompileFailTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Streams")

    static let refused = [
        "CombinedStreams", "DelegatingOperand",
        "F1FilterIntoSource", "F1FilterNilIntoSource", "F1LiftIntoSource", "F1MapIntoSource", "F1MergeIntoSource",
        "F1OutputIntoSource", "F1ValueOfSource", "F6SendToStream", "F6ValueOfStream", "F13MapIntoCell",
        "F13MergeOfCells", "F13WriteCell", "F14OutletAsOperand", "F14OutletOfStream", "F20LiftWithoutFunction",
        "F26NonSendableFunction", "F28MainActorInPlainOutlet", "FoundationStream",
        "MainActorFunctionInOutlet", "OutletOfSource", "SinkOfStream", "TrailingClosureBehindCell",
        "TrailingClosureBehindCellOfTwo",
        "TrailingClosureBehindOutlet", "TrailingClosureBehindStream",
    ]

    @Test("what the fixture does wrong, in the expected words", arguments: refused)
    func refuses(_ fixture: String) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(fixture).fixture"), encoding: .utf8)
        let first = try #require(text.split(separator: "\n").first)
        let expected = try #require(first.wholeMatch(of: /\/\/ expect: (.+)/)?.1)
        let result = try await Self.compile(text, named: fixture)
        #expect(result.status != 0, "it compiles")
        #expect(result.output.contains(expected), "\(result.output)")
        #expect(!result.output.contains("no such module"), "\(result.output)")
    }

    @Test("nothing of what is right, so that the other fixtures fail for their own reasons")
    func accepts() async throws {
        let text = try String(contentsOf: Self.folder.appending(path: "Compiles.fixture"), encoding: .utf8)
        let result = try await Self.compile(text, named: "Compiles")
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning:"), "\(result.output)")
    }

    @Test("every file of the folder is listed here")
    func listed() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.refused.map { "\($0).fixture" } + ["Compiles.fixture"]))
    }

    /// Compiles `text` and throws the result away. Only `-emit-sil` finds what is wrong with sending.
    static func compile(
        _ text: String,
        named name: String,
        mode: String = "-typecheck"
    ) async throws -> (status: Int32, output: String) {
        let modules = try #require(modules, "no folder with ChemLibrary.swiftmodule beside the tests")
        let compiler = try #require(compiler, "no swiftc on PATH")
        let folder = FileManager.default.temporaryDirectory.appending(path: "ChemLibrary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "\(name).swift")
        let output = folder.appending(path: "output")
        try text.write(to: source, atomically: true, encoding: .utf8)
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        let process = Process()
        process.executableURL = compiler
        process.arguments = [mode, "-swift-version", "6", "-I", modules.path, source.path]
        if mode == "-emit-sil" { process.arguments?.append(contentsOf: ["-o", folder.appending(path: "sil").path]) }
        process.standardOutput = handle
        process.standardError = handle
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try handle.close()
        return (status, try String(contentsOf: output, encoding: .utf8))
    }

    /// The folder of the module that these tests are linked with.
    private static let modules: URL? = {
        let places = Bundle.allBundles.map(\.bundleURL) + CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
        for place in places {
            var folder = place
            while folder.pathComponents.count > 1 {
                for candidate in [folder.appending(path: "Modules"), folder] {
                    let module = candidate.appending(path: "ChemLibrary.swiftmodule")
                    if FileManager.default.fileExists(atPath: module.path) { return candidate }
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    private static let compiler: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":")
        .map { URL(filePath: String($0)).appending(path: "swiftc") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
