import ChemActors
import Testing
import Tracing

/// The context of a trace is a task-local value: the body that answers a call sees that of its caller.
struct ServiceContextTests {
    private enum Request: ServiceContextKey {
        typealias Value = String
    }

    private static var request: String { ServiceContext.current?[Request.self] ?? "none" }

    private static func withRequest<Result>(
        _ name: String,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        var context = ServiceContext.topLevel
        context[Request.self] = name
        return try await ServiceContext.withValue(context) { try await operation() }
    }

    /// What a synchronous and an asynchronous body see of the context of their caller.
    private struct Mirror: JoinDefinition {
        let atOnce = FastMolecule<Void, String>()
        let later = FastMolecule<Void, String>()
        let afterLeave = FastMolecule<Void, String>()
        let leave = SlowMolecule<Void>()

        func react(in join: inout Join.Builder) {
            join.answer(atOnce) { request }
            join.answer(later) {
                let before = request
                await Task.yield()
                return "\(before), \(request)"
            }
            join.answer(afterLeave, with: leave) { _, _ in
                await Task.yield()
                return request
            }
        }
    }

    @Test(arguments: [false, true])
    func bodiesThatAnswerSeeTheContextOfTheirCaller(isInScope: Bool) async throws {
        func check() async throws {
            let mirror = Join.make(Mirror())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let name = "request \(number)"
                        try await Self.withRequest(name) {
                            #expect(try await mirror.atOnce() == name)
                            #expect(try await mirror.later() == "\(name), \(name)")
                            async let waiting = mirror.afterLeave()
                            mirror.leave()
                            let answer = try await waiting
                            #expect(answer == name)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        if isInScope { try await withChemicalMachine { _ in try await check() } } else { try await check() }
    }
}
