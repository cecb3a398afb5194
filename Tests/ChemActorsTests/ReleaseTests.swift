import ChemActors
import Synchronization
import TestSupport
import Testing

/// What goes with the last reference to a call or a failed reaction: its `deinit` may enter the definition.
@Suite("Released outside of the soup", .endsInTime)
struct ReleaseTests {
    private struct Bad: Error {}

    /// Injects when it goes.
    private final class Ticket: Sendable {
        let gone: SlowMolecule<Void>
        init(_ gone: SlowMolecule<Void>) { self.gone = gone }
        deinit { gone() }
    }

    @Test("A body that is tried again, and then forgets its answer, leaves the call unanswered", arguments: 0..<4)
    func forgottenAfterARetry(kind: Int) async throws {
        for _ in 0..<50 {
            let first = Atomic<Bool>(true)
            let isAsynchronous = kind & 1 == 1
            func declare(_ join: inout Join.Builder) -> FastMolecule<Void, Int> {
                join.failurePolicy = .retry(1)
                let ask = join.fast("ask", returning: Int.self)
                if isAsynchronous {
                    join.when(ask) { _ async throws in
                        await Task.yield()
                        if first.exchange(false, ordering: .relaxed) { throw Bad() }
                    }
                } else {
                    join.when(ask) { _ in if first.exchange(false, ordering: .relaxed) { throw Bad() } }
                }
                return ask
            }
            let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }))
            let ask =
                kind & 2 == 2 && !isAsynchronous
                ? machine.define("d", on: MainActor.self) { join in declare(&join) }
                : machine.define("d") { join in declare(&join) }
            do {
                _ = try await ask()
                Issue.record("answered")
            } catch let error as CallError {
                #expect(error.code == .unanswered)
            }
        }
    }

    @Test("Inputs of a reaction that was tried again, or put back, may inject when they go", arguments: [false, true])
    func injectingAfterARetry(putsBack: Bool) async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }))
        let (work, gone, count, definition) = machine.define("d") { join in
            join.failurePolicy = putsBack ? .putBack(after: .microseconds(1)) : .retry(3)
            let work = join.slow("work", of: Ticket.self)
            let gone = join.slow("gone")
            let tries = join.state("tries", 0)
            let count = join.state("count", 0)
            join.when(work, updating: tries) { tries, _ in
                tries += 1
                if tries % 2 == 1 { throw Bad() }
            }
            join.when(gone, updating: count) { count, _ in count += 1 }
            return (work, gone, count.reader, join.definition)
        }
        for number in 1...200 {
            work(Ticket(gone))
            try await definition.quiescence()
            #expect(count.value == number)
        }
    }

    @Test("Arguments of calls whose time is up may inject when they go, and go with the call")
    func argumentsOfOverdueCalls() async throws {
        let (call, gone, count, definition) = Join.define("d") { join in
            let call = join.fast("call", of: Ticket.self)
            let gone = join.slow("gone")
            let count = join.state("count", 0)
            join.when(call) { reply in reply() }
            join.when(gone, updating: count) { count, _ in count += 1 }
            return (call, gone, count.reader, join.definition)
        }
        for number in 1...200 {
            try? await call(Ticket(gone), within: .zero)
            try await definition.quiescence()
            #expect(count.value == number)
        }
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { try? await call(Ticket(gone), within: .microseconds(1 + 30 * caller)) }
                }
            }
        }
        try await definition.quiescence()
        #expect(count.value == 1_000)
    }
}
