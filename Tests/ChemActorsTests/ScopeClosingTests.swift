import ChemActors
import Foundation
import TestSupport
import Testing

/// The edges of a scope: what comes just before it closes, just afterwards, and while it is never idle.
@Suite("Scopes at their edges", .endsInTime)
struct ScopeClosingTests {
    @Test("Whichever comes first, the return of the closure or the last call: the end is noticed, in 200 interleavings")
    func returnAgainstCall() throws {
        let wasReturned = Record<Bool>()
        for seed in Soak.seeds(200, soak: 20_000) {
            let executor = SeededExecutor(seed: seed)
            let codes = Record<CallError.Code?>()
            do {
                try executor.run {
                    let hasReturned = Flag()
                    try await withChemicalMachine(.init(seed: seed, executor: executor)) { _ in
                        let (call, partner, _) = Small.meeting()
                        Small.inBody {
                            for _ in 0..<seed % 8 { await Task.yield() }
                            wasReturned.append(hasReturned.isRaised)
                            codes.append(await Small.codeOf(call))
                            withExtendedLifetime(partner) {}
                        }
                        for _ in 0..<4 { await Task.yield() }
                        hasReturned.raise()
                    }
                }
            } catch { Issue.record("seed \(seed): \(error)") }
            #expect(codes.all == [.neverAnswerable], "seed \(seed)")
        }
        if wasReturned.count >= 200 { #expect(Set(wasReturned.all) == [false, true]) }
    }

    @Test(
        "A call whose time covers the body that answers it ends by itself: it blocks nothing",
        arguments: [false, true]
    )
    func coveredBody(waitsInCall: Bool) async throws {
        let codes = Record<[CallError.Code?]>()
        try await Patience.end {
            try await withChemicalMachine(.silent) { _ in
                let (first, second) = Join.define("scope") { join in
                    let (first, second) = (join.slow("first"), join.slow("second"))
                    let (key, nothing) = (join.slow("key"), join.slow("nothing"))
                    let (serve, open) = (join.fast("serve"), join.fast("open", returning: Int.self))
                    let never = join.fast("never")
                    join.answer(open, with: key) { _, _ in 0 }
                    join.answer(never, with: nothing) { _, _ in }
                    join.answer(serve) { _ in
                        if waitsInCall { try await never() } else { try await Task.sleep(for: .seconds(3_600)) }
                    }
                    join.when(first) { _ in
                        do {
                            try await serve(within: .milliseconds(50), coveringBody: true)
                        } catch let error as CallError { codes.append([error.code]) }
                        key()
                    }
                    join.when(second) { _ in codes.append([await Small.codeOf(open)]) }
                    return (first, second)
                }
                first()
                second()
            }
        }
        #expect(codes.all == [[.timedOut], [nil]])
    }

    @Test("A body that ends with an error because its caller's time is up ends no scope, and isn't tried again")
    func errorOfCoveredBody() async throws {
        struct Cut: Error {}
        let (runs, codes) = (Guarded(0), Record<[CallError.Code?]>())
        let result = try await Patience.end {
            try await withChemicalMachine(.silent) { machine in
                let fetch = Join.define("fetch") { join in
                    join.failurePolicy = .retry(5)
                    let fetch = join.fast("fetch", returning: Int.self)
                    join.answer(fetch) { _ async throws in
                        runs.withLock { $0 += 1 }
                        // As most libraries do that are cancelled.
                        do { try await Task.sleep(for: .seconds(3_600)) } catch { throw Cut() }
                        return 1
                    }
                    return fetch
                }
                do { _ = try await fetch(within: .milliseconds(5), coveringBody: true) } catch let error as CallError {
                    codes.append([error.code])
                }
                try await machine.quiescence()
                return 7
            }
        }
        // On a busy machine the time may be up before the body begins.
        #expect(result == 7 && runs.now <= 1)
        #expect(codes.all == [[.timedOut]])
    }

    @Test("What a reporter defines while the scope drops what is left is deactivated from the start")
    func definedAtTheEnd() async throws {
        let call = Guarded<FastMolecule<Void, Int>?>(nil)
        let names = Record<SlowMolecule<Void>>()
        let box = Guarded<ChemicalMachine?>(nil)
        let configuration = ChemicalMachine.Configuration { event in
            guard case .dropped = event.kind, event.definition == "early", let machine = box.now else { return }
            call.withLock {
                $0 = machine.define("late") { join in
                    let call = join.fast("call", returning: Int.self)
                    join.answer(call) { _ in 1 }
                    return call
                }
            }
        }
        try await withChemicalMachine(configuration) { machine in
            box.withLock { $0 = machine }
            let early = Small.idle("early")
            early()
            names.append(early)
        }
        let late = try #require(call.now)
        #expect(try await Patience.end { await Small.codeOf(late) } == .deactivated)
        box.withLock { $0 = nil }
    }

    @Test("What a deinit injects while its definition dissolves is not lost at the end of a scope")
    func deinitAtTheEnd() async throws {
        for round in 0..<20 {
            let living = Living()
            let count = Tally()
            try await withChemicalMachine { _ in
                let told = Join.define("told") { join in
                    let told = join.slow("told")
                    join.when(told) { _ in count.add() }
                    return told
                }
                let (isInside, door) = (Signal(), Door())
                let kept = Guarded<SlowMolecule<Payload>?>(
                    Join.define("dissolving") { join in
                        let item = join.slow("item", of: Payload.self)
                        join.when(item, join.slow("never")) { _, _ in }
                        return item
                    }
                )
                kept.now?(
                    Payload(living) {
                        isInside.send()
                        _ = door.wait()
                        told()
                    }
                )
                Thread.detachNewThread { kept.withLock { $0 = nil } }
                await isInside.wait()
                // The scope's closure returns long before this.
                Task.detached {
                    try await ControlProbe.letOthersRun()
                    door.open()
                }
            }
            #expect(count.value == 1, "round \(round)")
            await living.areGone()
        }
    }

    @Test("A scope in which jobs wait at every moment keeps no definition that has gone")
    func jobsLeaveNothing() async throws {
        struct Weak: Sendable { weak let join: Join? }
        let stop = Flag()
        let areGone = try await withChemicalMachine(.init(workerLimit: 1, patience: nil)) { machine in
            // More of them than child workers, each with something to do without end.
            let definitions = (0..<8).map { _ in
                Join.define("endless") { join in
                    let beat = join.slow("beat")
                    join.when(beat) { _ in
                        if !stop.isRaised { beat() }
                    }
                    beat()
                    return join.definition
                }
            }
            let handles = Record<Weak>()
            let seen = Tally()
            for _ in 0..<100 {
                Join.define("short") { join in
                    let job = join.slow("job")
                    join.when(job) { _ in seen.add() }
                    job()
                    handles.append(Weak(join: join.definition))
                }
            }
            try await ControlProbe.until("all have run") { seen.value == 100 }
            defer { stop.raise() }
            var areGone = false
            let deadline = ContinuousClock.now + .seconds(600)
            while !areGone, ContinuousClock.now < deadline {
                await Task.yield()
                areGone = handles.all.allSatisfy { $0.join == nil }
            }
            withExtendedLifetime(definitions) {}
            return areGone
        }
        #expect(areGone)
    }
}
