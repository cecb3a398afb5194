import Foundation
import TestSupport
import Testing

/// What the compiler must refuse of malls: each file in `Tests/Fixtures/Mall`, with the text that its
/// first line expects.
@Suite("The compiler refuses, of malls,", .endsInTime, .serialized)
struct MallCompileFailTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Mall")

    static let refused = [
        "ClosureBehindInput",
        "DelegatingNode",
        "M10NoInput",
        "M10NoOutput",
        "M10OnlyInputs",
        "M10OnlyReads",
        "M14InnerStore",
        "M14ReadingInput",
        "M14SendingOutput",
        "M14SubscribingInput",
        "M5TooFewOutputs",
        "M5TooManyOutputs",
        "M5WrongInputs",
        "M5WrongOrder",
        "M5WrongOutput",
        "NonSendableFunction",
        "SendingToStoreOfOutput",
        "ZippingConstant",
    ]

    @Test("M10 and others: what the fixture does wrong, in the expected words", arguments: refused)
    func refuses(_ fixture: String) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(fixture).fixture"), encoding: .utf8)
        let first = try #require(text.split(separator: "\n").first)
        let expected = first.replacing("// expect: ", with: "")
        let result = try await StreamsCompileFailTests.compile(text, named: fixture)
        #expect(result.status != 0, "it compiles")
        #expect(result.output.contains(expected), "\(result.output)")
        #expect(!result.output.contains("no such module"), "\(result.output)")
    }

    @Test("nothing of what is right, so that the other fixtures fail for their own reasons")
    func accepts() async throws {
        let text = try String(contentsOf: Self.folder.appending(path: "Compiles.fixture"), encoding: .utf8)
        let result = try await StreamsCompileFailTests.compile(text, named: "Compiles")
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning:"), "\(result.output)")
    }

    @Test("every file of the folder is listed here")
    func listed() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.refused.map { "\($0).fixture" } + ["Compiles.fixture"]))
    }
}
