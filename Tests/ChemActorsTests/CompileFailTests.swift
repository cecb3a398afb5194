import Foundation
import TestSupport
import Testing

/// What the compiler must refuse: each file in `Tests/Fixtures`, with the text that its first line expects.
@Suite("The compiler refuses", .endsInTime, .serialized)
struct CompileFailTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// One file, printed by its name.
    struct Fixture: Sendable, CustomTestStringConvertible {
        let name: String
        var testDescription: String { name }
    }

    /// Every file by name, so that a lost one is missed.
    static let refused = [
        "AmountOfOtherType", "AnsweringOnMainActor", "AnsweringSlowMolecule", "AnsweringSlowMoleculeWithState",
        "AnsweringWithFiveStates", "AnsweringWithoutWith", "AnsweringWithoutWithBesideState",
        "CallingBoundedMolecule", "CapturingInGuard", "ChangingStateName", "ConditionBesideState",
        "ConditionOfCallOnFive", "ConditionOfSlowMolecule", "ConditionOnFive", "ConditionOnOneCall",
        "ConsumingNothing", "ConsumingOnlyStates", "CopyingBuilder", "DelegatingMolecule", "DelegatingUpdatable",
        "FastWithoutAwait", "FastWithoutTry", "InjectingByName", "InjectingState", "KeepingBuilderInBody",
        "KeepingBuilderInClosure", "MakingBuilder", "MakingMolecule", "MakingMoleculeProof", "MakingOfClosure",
        "MatchingHashable", "MatchingOtherTypes", "MatchingState", "MissingArgument", "MissingValue",
        "MistakesInBodies", "MistakesInClosures", "MistakesInDefinitionType", "MistakesInReactions",
        "NonSendableAnswer", "NonSendableCapture", "NonSendableValue", "NotAnswering", "NotAnsweringOnOneWay",
        "PuttingBackMolecule", "ReplyingToSlowMolecule", "ResultOfSlowMolecule", "ReturningFromWhen",
        "ReturningFromWhenUpdating", "StateAmongInputs", "StateOnMainActor", "TakingMolecule", "ThrowingGuard",
        "UpdatingFiveStates", "UpdatingSlowMolecule", "WrongAnswerType", "WrongArgumentType",
        "WrongNumberOfParameters", "WrongValueType",
    ].map(Fixture.init)

    @Test("what the fixture does wrong, in the expected words", arguments: refused)
    func refuses(_ fixture: Fixture) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(fixture.name).fixture"), encoding: .utf8)
        let first = try #require(text.split(separator: "\n").first)
        let expected = try #require(first.wholeMatch(of: /\/\/ expect: (.+)/)?.1)
        let result = try await Self.compile(text, named: fixture.name)
        #expect(result.status != 0, "it compiles")
        #expect(result.output.contains(expected), "\(result.output)")
        #expect(!result.output.contains("no such module"), "\(result.output)")
    }

    /// A file with several mistakes, and what is to be said of them.
    struct Mistakes: Sendable, CustomTestStringConvertible {
        let name: String
        let errors: [String]
        var testDescription: String { name }
    }

    private static let manyMolecules =
        "beside states, a reaction takes three molecules at most: put more together, 'join.when(join.all(a, b, c, d), …)'"
    private static let noNames = "the closure returns no names: its last line has to be 'return (…)'"

    static let mistakes = [
        Mistakes(
            name: "MistakesInDefinitionType",
            errors: [
                "11: cannot convert value of type 'String' to expected argument type 'Int'",
                "12: value of type 'Int' has no member 'isOn'",
            ]
        ),
        Mistakes(
            name: "MistakesInClosures",
            errors: [
                "7: value of type 'String' has no member 'lenght'",
                "16: value of type 'Join.Builder' has no member 'stat'",
                "26: value of type 'String' has no member 'lenght'",
                "36: value of type 'String' has no member 'lenght'",
                "45: cannot find 'puut' in scope",
                // The price of the message for a closure that returns nothing, without which the compiler has none.
                "45: cannot convert value of type '(_, SlowMolecule<Int>)' to closure result type 'Void'",
                "53: value of type 'Reply<Int, Int>' has no member 'answer'",
                // Not where it is, which is said only if the names aren't taken apart.
                "68: cannot convert value of type '(SlowMolecule<Void>, FastMolecule<Void, Int>)' to closure result type "
                    + "'Void'",
            ]
        ),
        // Of all overloads the compiler has to choose the one that is meant, also by their order: see the generator.
        Mistakes(
            name: "MistakesInBodies",
            errors: [17, 20, 22, 26, 29, 30, 31, 32].map { "\($0): value of type 'Entry' has no member 'vaule'" } + [
                "37: binary operator '+' cannot be applied to operands of type 'Int' and 'String'",
                "41: binary operator '+' cannot be applied to operands of type 'Int' and 'String'",
                "45: binary operator '==' cannot be applied to operands of type 'Int' and 'String'",
                "49: conflicting arguments to generic parameter 'T' ('Int' vs. 'String')",
                "53: binary operator '==' cannot be applied to operands of type 'Int' and 'String'",
                "56: unary operator '-' cannot be applied to an operand of type 'String'",
                "60: binary operator '+' cannot be applied to operands of type 'Int' and 'String'",
                "64: binary operator '+' cannot be applied to operands of type 'Int' and 'String'",
            ]
        ),
        Mistakes(
            name: "MistakesInReactions",
            errors: [
                ("9", "when(_:_:_:_:updating:_:)", manyMolecules),
                ("10", "when(_:_:_:_:reading:_:)", manyMolecules),
                (
                    "11", "answer(_:with:_:_:updating:_:)",
                    "beside states, a call takes two molecules at most: put more together, 'with: join.all(a, b, c)'"
                ),
                (
                    "12", "when(_:reading:_:_:_:)",
                    "'reading:' takes two states at most: read more as molecules, by 'state.value'"
                ),
                (
                    "13", "when(_:updating:reading:_:)",
                    "beside 'updating:', a state is read as a molecule: write 'state.value' before 'updating:'"
                ),
                (
                    "14", "when(_:_:_:updating:on:_:)",
                    "a body on the main actor can't hold states: make the whole definition there, by "
                        + "'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; "
                        + "a state that is only read may be an input, 'state.value'"
                ),
                ("21", "define(_:on:_:)", noNames),
                ("28", "define(_:on:_:)", noNames),
            ].map { "\($0): '\($1)' is unavailable: \($2)" }
        ),
    ]

    @Test("each mistake in a definition, and says nothing else", arguments: mistakes)
    func mistakesAlone(_ mistakes: Mistakes) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(mistakes.name).fixture"), encoding: .utf8)
        let output = try await Self.compile(text, named: mistakes.name).output
        let errors = output.matches(of: /:(\d+):\d+: error: (.+)/).map { "\($0.1): \($0.2)" }
        #expect(errors == mistakes.errors, "\(output)")
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
            .filter { $0.hasSuffix(".fixture") }
        #expect(Set(files) == Set(Self.refused.map { "\($0.name).fixture" } + ["Compiles.fixture"]))
    }

    /// Compiles `text` as far as diagnostics go; those of ownership need more than a type check.
    private static func compile(_ text: String, named name: String) async throws -> (status: Int32, output: String) {
        let modules = try #require(modules, "no folder with ChemActors.swiftmodule beside the tests")
        let compiler = try #require(compiler, "no swiftc on PATH")
        let folder = FileManager.default.temporaryDirectory.appending(path: "ChemActors-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "\(name).swift")
        try text.write(to: source, atomically: true, encoding: .utf8)
        return try await CompilerTurn.shared.run(
            compiler,
            [
                "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", modules.path, source.path,
                // What is wrong is said within a second: above that the compiler says something else.
                "-Xfrontend", "-solver-expression-time-threshold=1",
            ],
            output: folder.appending(path: "output")
        )
    }

    /// The folder of the module that these tests are linked with.
    private static let modules: URL? = {
        let places = Bundle.allBundles.map(\.bundleURL) + CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
        for place in places {
            var folder = place
            while folder.pathComponents.count > 1 {
                for candidate in [folder.appending(path: "Modules"), folder] {
                    let module = candidate.appending(path: "ChemActors.swiftmodule")
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

/// Runs as many compilers at once as there are cores, and blocks no thread of the pool.
private actor CompilerTurn {
    static let shared = CompilerTurn()
    private var free = ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func run(_ program: URL, _ arguments: [String], output: URL) async throws -> (status: Int32, output: String) {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        // Into a file: a pipe that nobody empties meanwhile would fill up.
        try Data().write(to: output)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let handle = try FileHandle(forWritingTo: output)
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
}
