import ChemActors
import Foundation
import TestSupport
import Testing

/// `signalQuiescence`, `quiescence` and the control handle.
@Suite("Quiet", .endsInTime)
struct ControlQuietTests {
    let events = ControlProbe.Events()
    let machine: ChemicalMachine

    init() { machine = ChemicalMachine(events.configuration()) }

    /// `a` reacts with nothing else; `wait` waits for `key`.
    private func simple() -> (SlowMolecule<Int>, SlowMolecule<Void>, FastMolecule<Void, Void>, Join) {
        machine.define("simple") { join in
            let a = join.slow("a", of: Int.self)
            let key = join.slow("key")
            let wait = join.fast("wait")
            join.when(a) { _ in }
            join.answer(wait, with: key) { _, _ in }
            return (a, key, wait, join.definition)
        }
    }

    @Test("Molecules that travel between two definitions never escape the machine's quiet", arguments: [false, true])
    func pingPong(isAsynchronous: Bool) async throws {
        for seed in UInt64(1)...150 {
            let machine = ChemicalMachine(events.configuration(seed: seed))
            let hops = ControlProbe.Count()
            let ping = machine.define("ping") { join in
                let ping = join.slow("ping", of: Int.self)
                let pong = machine.define("pong") { inner in
                    let pong = inner.slow("pong", of: Int.self)
                    if isAsynchronous {
                        inner.when(pong) { n in
                            await Task.yield()
                            hops.add()
                            if n > 0 { ping(n - 1) }
                        }
                    } else {
                        inner.when(pong) { n in
                            hops.add()
                            if n > 0 { ping(n - 1) }
                        }
                    }
                    return pong
                }
                join.when(ping) { n in
                    hops.add()
                    if n > 0 { pong(n - 1) }
                }
                return ping
            }
            ping(100)
            ping(101)
            try await machine.quiescence()
            try #require(hops.now == 203, "seed \(seed)")
        }
    }

    @Test("A signal of quiet that travels to another definition does not escape the machine's quiet")
    func signalOnItsWay() async throws {
        for round in 1...500 {
            let (a, _, _, definition) = simple()
            let count = ControlProbe.Count()
            let told = machine.define("told") { join in
                let told = join.slow("told")
                join.when(told) { _ in count.add() }
                return told
            }
            definition.pause()
            a(1)
            definition.signalQuiescence(to: told)
            definition.resume()
            try await machine.quiescence()
            try #require(count.now == 1, "round \(round)")
        }
    }

    @Test("Quiet is told at once if there is quiet, and once all bodies have ended otherwise")
    func signal() async throws {
        let (a, _, _, definition) = simple()
        let (told, count) = machine.define("told") { join in
            let told = join.slow("told")
            let count = join.state("count", 0)
            join.when(told, updating: count) { n, _ in n += 1 }
            return (told, count.reader)
        }
        definition.signalQuiescence(to: told)
        try await machine.quiescence()
        #expect(count.value == 1)
        definition.pause()
        a(1)
        definition.signalQuiescence(to: told)
        try await ControlProbe.letOthersRun()
        #expect(count.value == 1, "paused with a reaction possible is not quiet")
        definition.resume()
        try await ControlProbe.until("the second signal") { count.value == 2 }
    }

    @Test("Waiting calls do not prevent quiet; a reaction that a pause holds up does")
    func whatPreventsQuiet() async throws {
        let (a, key, wait, definition) = simple()
        async let answer: Void = wait()
        try await ControlProbe.until("the call waits") { definition.statistics.waitingCalls == 1 }
        try await definition.quiescence()
        definition.pause()
        a(1)
        let waiter = Task { try await definition.quiescence() }
        try await ControlProbe.letOthersRun()
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        definition.resume()
        key()
        try await definition.quiescence()
        try await answer
    }

    @Test("Quiet after a deactivation comes once its running bodies have ended, also when it is asked for twice")
    func quietAfterDeactivate() async throws {
        let gate = ControlProbe.Gate()
        let (job, definition) = machine.define("job") { join in
            let job = join.slow("job")
            join.when(job) { _ in await gate.pass() }
            return (job, join.definition)
        }
        job()
        try await ControlProbe.until("the body runs") { definition.statistics.running == 1 }
        let (told, count) = machine.define("told") { join in
            let told = join.slow("told")
            let count = join.state("count", 0)
            join.when(told, updating: count) { n, _ in n += 1 }
            return (told, count.reader)
        }
        definition.deactivate(signalling: told)
        let first = Task { try await definition.quiescence() }
        definition.deactivate(signalling: told)
        let second = Task { try await definition.quiescence() }
        try await ControlProbe.letOthersRun()
        #expect(count.value == 0)
        gate.open()
        try await first.value
        try await second.value
        definition.deactivate(signalling: told)
        try await definition.quiescence()
        try await ControlProbe.until("three signals") { count.value == 3 }
    }

    @Test("Waiting for quiet inside of a body of the definition throws")
    func quietFromInside() async throws {
        let ask = machine.define("inside") { [machine] join in
            let ask = join.fast("ask", of: Bool.self)
            let definition = join.definition
            join.answer(ask) { isMachine in
                if isMachine { try await machine.quiescence() } else { try await definition.quiescence() }
            }
            return ask
        }
        await #expect(throws: QuiescenceError.self) { try await ask(false) }
        await #expect(throws: QuiescenceError.self) { try await ask(true) }
    }

    @Test(
        "A definition paused with a possible reaction dissolves when its names go: reported, and who waits for quiet is told"
    )
    func dissolvesWhilePaused() async throws {
        let quiet = ControlProbe.Count()
        var definition: Join?
        var waiter: Task<Void, Never>?
        do {
            let (a, _, _, handle) = simple()
            handle.pause()
            a(1)
            definition = handle
            waiter = Task {
                try? await handle.quiescence()
                quiet.add()
            }
            try await ControlProbe.letOthersRun()
            #expect(quiet.now == 0)
        }
        let handle = try #require(definition)
        try await ControlProbe.until("it dissolves") { handle.snapshot().phase == .dissolved }
        let reported = events.count {
            if case .dissolvedWithMolecules("a", 1, wasPossible: true) = $0 { true } else { false }
        }
        #expect(reported == 1)
        // Nothing will ever become of it: it is quiet for good.
        try await ControlProbe.until("who waits for quiet is told") { quiet.now == 1 }
        waiter?.cancel()
    }

    @Test("A definition whose closure throws tells those who wait for its quiet")
    func abandoned() async throws {
        let count = ControlProbe.Count()
        let told = machine.define("told") { join in
            let told = join.slow("told")
            join.when(told) { _ in count.add() }
            return told
        }
        #expect(throws: ControlProbe.Failed.self) {
            try machine.define("abandoned") { join -> SlowMolecule<Void> in
                let a = join.slow("a")
                join.when(a) { _ in }
                join.definition.signalQuiescence(to: told)
                throw ControlProbe.Failed()
            }
        }
        try await machine.quiescence()
        #expect(count.now == 1)
    }

    @Test("Whoever waits for quiet hears when the call that a pause held up is withdrawn", arguments: [false, true])
    func withdrawnInPause(timesOut: Bool) async throws {
        for round in 0..<50 {
            let (ask, x, definition) = machine.define("paused") { join in
                let ask = join.fast("ask")
                let x = join.slow("x")
                join.when(ask, x) { reply, _ in reply() }
                return (ask, x, join.definition)
            }
            definition.pause()
            x()
            let call = Task { try await ask(within: timesOut ? .milliseconds(2) : .seconds(3600)) }
            try await ControlProbe.until("it has come") { definition.statistics.molecules["ask"]?.injected == 1 }
            let waiter = Task { try await definition.quiescence() }
            if !timesOut {
                if round.isMultiple(of: 2) { try await ControlProbe.letOthersRun() }
                call.cancel()
            }
            try await waiter.value
            #expect(definition.statistics.molecules["ask"]?.withdrawn == 1)
            _ = await call.result
            withExtendedLifetime(ask) {}
        }
    }

    @Test("What a value's deinit injects elsewhere while its definition dissolves comes before the machine is quiet")
    func deinitInjects() async throws {
        for round in 0..<20 {
            let machine = ChemicalMachine(.init(reporter: { _ in }))
            let count = ControlProbe.Count()
            let told = machine.define("told") { join in
                let told = join.slow("told")
                join.when(told) { _ in count.add() }
                return told
            }
            let kept = Guarded<SlowMolecule<Payload>?>(
                machine.define("dissolving") { join in
                    let item = join.slow("item", of: Payload.self)
                    join.when(item, join.slow("never")) { _, _ in }
                    return item
                }
            )
            let living = Living()
            let (isInside, door) = (Signal(), Door())
            kept.now?(
                Payload(living) {
                    isInside.send()
                    _ = door.wait()
                    told()
                }
            )
            Thread.detachNewThread { kept.withLock { $0 = nil } }
            await isInside.wait()
            // The deinit is held open while somebody waits, who must not be told before it has ended.
            let waiter = Task {
                try await machine.quiescence()
                return count.now
            }
            try await ControlProbe.letOthersRun()
            door.open()
            #expect(try await waiter.value == 1, "round \(round)")
            await living.areGone()
        }
    }
}
