import ChemActors
import Synchronization
import TestSupport
import Testing

@testable import ChemTesting
@testable import Exploring

/// Clients who use an object at the same time, and what has to hold of it.
struct Trial: CustomTestStringConvertible, Sendable {
    /// What a client sees that it mustn't.
    struct Broken: Error, CustomStringConvertible {
        let description: String

        init(_ description: String = "the law is broken") {
            self.description = description
        }
    }

    let testDescription: String
    let timeMayPass: Bool
    /// What clients share. Where nobody is cancelled, that is molecules, and what notes who touches it.
    let sharing: Sharing
    /// Whether it has more schedules than can be tried: some are picked by chance.
    let isLarge: Bool
    let body: @Sendable () async throws -> Void

    init(
        _ description: String,
        timeMayPass: Bool = false,
        sharing: Sharing = .molecules,
        isLarge: Bool = false,
        _ body: @escaping @Sendable () async throws -> Void
    ) {
        testDescription = description
        self.timeMayPass = timeMayPass
        self.sharing = sharing
        self.isLarge = isLarge
        self.body = body
    }

    /// An object whose operations have to look as if they had come one after the other. Each client does a program: of
    /// three operations, the first two, unless there is time. Others may come in between.
    init<Model: SequentialModel>(
        _ description: String,
        as model: Model,
        _ programs: [[Model.Operation]],
        isLarge: Bool = false,
        of make: @escaping @Sendable () -> @Sendable (Model.Operation) async throws -> Model.Result
    ) {
        self.init(description, isLarge: isLarge) {
            let perform = make()
            let history = History<Model>()
            try await Self.together(programs) { program in
                for (index, operation) in program.prefix(Soak.isOn ? 3 : 2).enumerated() {
                    if index > 0 { await Task.yield() }
                    try await history.record(operation) { try await perform(operation) }
                }
            }
            try Self.insist(history, isExplainedBy: model)
        }
    }

    /// Runs a task for each of `parts`.
    static func together<Part: Sendable>(
        _ parts: some Sequence<Part> & Sendable,
        _ body: @escaping @Sendable (Part) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts { group.addTask { try await body(part) } }
            try await group.waitForAll()
        }
    }

    static func insist(_ condition: Bool, _ text: String = "the law is broken") throws {
        if !condition { throw Broken(text) }
    }

    static func insist<Model>(_ history: History<Model>, isExplainedBy model: Model) throws {
        guard !history.isLinearizable(from: model) else { return }
        throw Broken("no order explains it:\n\(drawn(history.entries))")
    }

    func outcome(_ strategy: Strategy, hasWholeSteps: Bool = false) async throws -> Exploration.Outcome {
        var exploration = Exploration(strategy, timeMayPass: timeMayPass, allowing: [.unconsumedMolecules]) { _ in
            try await body()
        }
        exploration.hasWholeSteps = hasWholeSteps
        return try await exploration.outcome()
    }
}
