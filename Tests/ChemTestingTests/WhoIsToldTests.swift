import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization
import TestSupport
import Testing

/// Whoever waits is told of what he waits for, and of nothing else, in every schedule.
@Suite("Who is told", .endsInTime)
struct WhoIsToldTests {
    /// The body that is cancelled would serve the other one.
    @Test func aCallThatIsWithdrawnNoLongerBlocksItsBody() async throws {
        try await explore(.random(300)) { _ in
            let caller = Mutex<Task<Void, any Error>?>(nil)
            async let scope: Void = withChemicalMachine { _ in
                let (gate, held) = Join.define("gate") { join in
                    let gate = join.fast("gate")
                    join.answer(gate) { _ in }
                    return (gate, join.definition)
                }
                held.pause()
                let (ask, go) = Join.define("desk") { join in
                    let (ask, go) = (join.fast("ask"), join.slow("go"))
                    join.answer(ask, with: go) { _, _ in }
                    return (ask, go)
                }
                let begun = AsyncSemaphore(permits: 0)
                let (a, b) = Join.define("bodies") { join in
                    let (a, b) = (join.fast("a"), join.slow("b"))
                    join.answer(a) { _ async in
                        begun.release()
                        do { try await gate() } catch { go() }
                    }
                    join.when(b) { _ in try await ask() }
                    return (a, b)
                }
                caller.withLock { $0 = Task { try await a() } }
                b()
                try await begun.acquire()
            }
            try await MachineClock().sleep(for: .milliseconds(10))
            caller.withLock { $0 }?.cancel()
            try await scope
            _ = await caller.withLock { $0 }?.result
        }
    }

    @Test func aHandlerThatComesAfterTheTimeIsUpRuns() async throws {
        try await explore(.random(100)) { machine in
            let (arrive, told) = machine.define("desk") { join in
                let (arrive, told) = (join.fast("arrive"), join.fast("told"))
                let left = join.slow("left")
                join.when(arrive) { reply in
                    try? await MachineClock().sleep(for: .milliseconds(20))
                    reply.onCancel { left() }
                }
                join.answer(told, with: left) { _, _ in }
                return (arrive, told)
            }
            await #expect(throws: CallError.self) { try await arrive(within: .milliseconds(5), coveringBody: true) }
            try await told()
        }
    }

    @Test func whatCannotGoOnIsNotActivatedBeforeItBegins() async throws {
        let machine = ChemicalMachine()
        let acquire = machine.define("permits") { join in
            join.endsWhenCleared()
            let (permit, acquire) = (join.slow("permit"), join.fast("acquire"))
            join.answer(acquire, with: permit) { _, _ in }
            permit()
            join.definition.clear()
            join.definition.activate()
            return acquire
        }
        let error = await #expect(throws: CallError.self) { try await acquire() }
        #expect(error?.code == .deactivated)
    }

    /// A chemistry that never comes to rest.
    private static func defineHeart() {
        Join.define("heart") { join in
            let beat = join.slow("beat")
            join.when(beat) { _ async in
                await Task.yield()
                beat()
            }
            beat()
        }
    }

    private final class Heir: Sendable {
        deinit { WhoIsToldTests.defineHeart() }
    }

    @Test func whatTheEndOfAScopeReleasesBeginsNothing() async throws {
        let kept = Mutex<SlowMolecule<Heir>?>(nil)
        try await withChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in })) { _ in
            let put = Join.define("shelf") { join in
                let (put, never) = (join.slow("put", of: Heir.self), join.slow("never"))
                join.when(put, never) { _, _ in }
                return put
            }
            put(Heir())
            kept.withLock { $0 = put }
        }
    }

    @Test func nothingBeginsOnTheMachineOfAScopeThatRunEnds() async throws {
        try await withChemicalMachine { machine in
            let begun = AsyncSemaphore(permits: 0)
            let go = Join.define("outer") { join in
                let go = join.slow("go")
                join.when(go) { _ async in
                    begun.release()
                    try? await Task.sleep(for: .seconds(10_000))  // cancelled by run()
                    Self.defineHeart()
                }
                return go
            }
            let service = Task { try await machine.run() }
            go()
            try await begun.acquire()
            service.cancel()
            try await service.value
        }
    }

    @Test func numbersBeyondTheLargestAreNoEnd() async throws {
        let machine = ChemicalMachine()
        let (tick, definition) = machine.define("clock") { join in
            let tick = join.slow("tick")
            join.when(tick) { _ in }
            return (tick, join.definition)
        }
        definition.deactivate()
        for _ in 0..<2 { tick.inject(contentsOf: repeatElement((), count: .max)) }
        _ = definition.statistics
        let long = Duration.seconds(Int64.max) * 4
        #expect(Amount(long) > Amount(.seconds(1)) && Amount(.zero - long) < Amount(.seconds(1)))
        let semaphore = machine.define("semaphore") { _ in AsyncSemaphore(permits: .max) }
        semaphore.release()
        #expect(semaphore.tryAcquire())
    }
}

/// Who hears of the ends and of the failures of actors.
@Suite("Who is told of actors", .endsInTime)
struct WhoIsToldOfActorsTests {
    private struct Broken: Error {}

    @Test func anActorThatHasRestartedItselfIsSupervisedLikeAnother() async throws {
        try await explore(.random(200), allowing: .everything) { _ in
            let actor = MailboxActor(state: 0) { (count, message: ReplyTo<Int>?, _) in
                guard let message else { throw Broken() }
                count += 1
                message(count)
            }.start()
            actor.tell(nil)
            let supervisor = Supervisor()
            supervisor.supervise(actor)
            actor.tell(nil)
            let answer = try await actor.ask { $0 }
            #expect(answer == 1)
            supervisor.cancel()
        }
    }

    private enum Message: Sendable { case begin, childEnded }

    @Test func aParentThatNobodyHoldsHearsOfItsChildren() async throws {
        // Permits are left, and nothing else.
        try await explore(.random(200), allowing: .unconsumedMolecules) { _ in
            let told = AsyncSemaphore(permits: 0)
            @Sendable func begin() {
                MailboxActor(state: 0) { (_, message: Message, context) in
                    switch message {
                    case .begin:
                        let child = context.spawn(MailboxActor(state: 0) { (_, _: Int, context) in context.stop() })
                        context.watch(child) { _ in .childEnded }
                        child.tell(1)
                    case .childEnded:
                        told.release()
                        context.stop()
                    }
                }.start().tell(.begin)
            }
            begin()
            try await told.acquire()
        }
    }

    @Test func aFlightThatAClearingDropsIsNotWaitedFor() async throws {
        try await explore(.random(1_000), allowing: .everything) { machine in
            let flights = SingleFlight<Int, Int> { $0 }
            let callers = [1, 2].map { key in Task { try await flights.value(for: key) } }
            machine.clear()
            for caller in callers { _ = await caller.result }
            for key in [1, 2] {
                await #expect(throws: (any Error).self) { try await flights.value(for: key) }
            }
        }
    }
}
