import ChemActors
import Foundation
import TestSupport
import Testing

/// Ends the blocking of threads, also when a test fails.
private func released(_ gate: DispatchSemaphore, _ count: Int) { for _ in 0..<count { gate.signal() } }

@Suite(.endsInTime, .blocksThreads)
struct BlockingTests {
    private static let cores = ChemicalMachine.Configuration.coreCount

    @Test(.enabled(if: cores > 1))
    func bodiesThatBlockLeaveOthersRunning() async throws {
        let gate = DispatchSemaphore(value: 0)
        let blocked = Tally()
        let (block, short, definition) = Join.define("blocking") { join in
            let (block, short) = (join.slow("block"), join.slow("short", of: Int.self))
            let counted = join.slow("counted", of: Int.self)
            join.when(block) { _ in
                blocked.add()
                gate.wait()
            }
            join.when(short) { n in counted(n) }
            join.when(counted, counted) { a, b in counted(a + b) }
            return (block, short, join.definition)
        }
        let others = Tally()
        let other = Join.define("other") { join in
            let go = join.slow("go", of: Int.self)
            join.when(go) { n in
                others.add()
                if n > 0 { go(n - 1) }
            }
            return go
        }
        for _ in 0..<Self.cores - 1 { block() }
        #expect(await Patience.until { blocked.value == Self.cores - 1 })
        other(999)
        for n in 1...100 { short(n) }
        #expect(await Patience.until { others.value == 1_000 })
        // Each short one becomes a counted one; all of these join up to one.
        #expect(
            await Patience.until {
                definition.statistics.molecules["counted"].map { $0.injected == 199 && $0.present == 1 } ?? false
            }
        )
        #expect(await Patience.until { definition.statistics.running == Self.cores - 1 })
        released(gate, Self.cores - 1)
        try await definition.quiescence()
    }

    @Test(.enabled(if: cores > 1))
    func whatABodyMadePossibleDoesNotWaitForItsEnd() async throws {
        let gate = DispatchSemaphore(value: 0)
        let answers = Record<Int>()
        let (go, definition) = Join.define("computing") { join in
            let (go, made) = (join.slow("go"), join.slow("made", of: Int.self))
            join.when(go) { _ in
                for n in 0..<10 { made(n) }
                gate.wait()
            }
            join.when(made) { answers.append($0) }
            return (go, join.definition)
        }
        go()
        #expect(await Patience.until { answers.count == 10 })
        #expect(await Patience.until { definition.statistics.running == 1 })
        released(gate, 1)
        try await definition.quiescence()
    }

    @Test(.enabled(if: cores > 1))
    func aBlockedBodyInAScopeLeavesTheRestRunning() async throws {
        let gate = DispatchSemaphore(value: 0)
        let answers = Record<Int>()
        try await withChemicalMachine { machine in
            let go = Join.define("blocking") { join in
                let go = join.slow("go")
                join.when(go) { _ in gate.wait() }
                return go
            }
            for _ in 0..<Self.cores - 1 { go() }
            #expect(await Patience.until { machine.statistics.running == Self.cores - 1 })
            for n in 0..<10 { Small.inBody { answers.append(n) } }
            let (call, partner, _) = Small.meeting()
            partner(1)
            let answer = try await call()
            #expect(answer == 1)
            #expect(await Patience.until { answers.count == 10 })
            released(gate, Self.cores - 1)
        }
        #expect(answers.count == 10)
    }

    @Test(arguments: [50, 200])
    func anyNumberMayBlockOnTheBlockingExecutor(_ count: Int) async throws {
        let gate = DispatchSemaphore(value: 0)
        let blocked = Tally()
        let (block, definition) = Join.define("blocking") { join in
            let block = join.slow("block", of: Int.self)
            join.when(block, on: BlockingExecutor.shared) { _ in
                blocked.add()
                gate.wait()
            }
            return (block, join.definition)
        }
        for n in 0..<count { block(n) }
        let all = await Patience.until { blocked.value == count }
        #expect(all, "only \(blocked.value) of \(count) run")
        #expect(definition.statistics.running == count)
        // Everything else goes on meanwhile.
        let (call, partner, _) = Small.meeting()
        partner(1)
        #expect(try await call() == 1)
        released(gate, count)
        try await definition.quiescence()
        #expect(definition.statistics.running == 0)
        // And again, on the same threads.
        for n in 0..<count { block(n) }
        released(gate, count)
        try await definition.quiescence()
        #expect(blocked.value == 2 * count)
    }

    @Test func bodiesOnTheBlockingExecutorComeBackToItAfterASuspension() async throws {
        let executor = BlockingExecutor()
        let gate = DispatchSemaphore(value: 0)
        let blocked = Tally()
        let (go, definition) = Join.define("hopping") { join in
            let go = join.slow("go")
            join.when(go, on: executor) { _ in
                await Task.yield()
                blocked.add()
                gate.wait()
            }
            return (go, join.definition)
        }
        for _ in 0..<20 { go() }
        #expect(await Patience.until { blocked.value == 20 })
        released(gate, 20)
        try await definition.quiescence()
    }

    @Test func anErrorOfABodyThereIsTreatedLikeAnyOther() async throws {
        await #expect(throws: Small.Flaw(number: 4)) {
            try await withChemicalMachine(.silent) { _ in
                Join.define("failing") { join in
                    let go = join.slow("go")
                    join.when(go, on: BlockingExecutor.shared) { _ in throw Small.Flaw(number: 4) }
                    go()
                }
            }
        }
    }
}
