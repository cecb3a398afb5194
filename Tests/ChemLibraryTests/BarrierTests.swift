import ChemActors
import ChemLibrary
import TestSupport
import Testing

@Suite("Barrier, latch, exchanger", .endsInTime)
struct BarrierTests {
    @Test func in1000RoundsOf4PartiesNobodyIsEverTwoRoundsAhead() async throws {
        let barrier = Barrier(parties: 4)
        let rounds = Locked([0, 0, 0, 0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for party in 0..<4 {
                group.addTask {
                    for round in 1...1_000 {
                        let isTogether = rounds.update { rounds in
                            rounds[party] = round
                            return rounds.allSatisfy { abs($0 - round) <= 1 }
                        }
                        #expect(isTogether, "round \(round)")
                        try await barrier.arrive()
                        #expect(rounds.value.allSatisfy { $0 >= round }, "round \(round)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func theActionRunsAfterAllHaveArrivedAndBeforeAnyGoesOn() async throws {
        let arrived = Locked(0)
        let seen = Locked<[Int]>([])
        let barrier = Barrier(parties: 3) {
            await Task.yield()
            seen.update { $0.append(arrived.value) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for round in 1...50 {
                        arrived.update { $0 += 1 }
                        try await barrier.arrive()
                        #expect(seen.value.count >= round)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(seen.value == (1...50).map { 3 * $0 })
    }

    @Test func ifTheActionThrowsAllPartiesOfTheRoundGetTheErrorAndTheNextRoundIsAsUsual() async throws {
        struct Broken: Error {}
        let first = Locked(true)
        let barrier = Barrier(parties: 2) {
            if first.update({ first in
                defer { first = false }; return first
            }) {
                throw Broken()
            }
        }
        let round = (0..<2).map { _ in Task { try await barrier.arrive() } }
        for party in round { await #expect(throws: Broken.self) { try await party.value } }
        async let one: Void = barrier.arrive()
        try await barrier.arrive()
        try await one
    }

    @Test func aCancelledPartyIsWithdrawnAndAnotherMayTakeItsPlace() async throws {
        try await withChemicalMachine { machine in
            let barrier = Barrier(parties: 2)
            let gone = Task { try await barrier.arrive() }
            try await machine.waits(for: 1)
            gone.cancel()
            #expect(await gone.result.wasCancelled)
            let late = await Task { try await barrier.arrive(within: .milliseconds(1)) }.result
            #expect(late.timedOut)
            async let one: Void = barrier.arrive()
            try await barrier.arrive()
            try await one
        }
    }

    @Test func whereMoreHaveArrivedThanThereArePartiesTheOldestMakeTheRounds() async throws {
        let machine = ChemicalMachine()
        let barrier = machine.making { Barrier(parties: 3) }
        let passed = Locked<Set<Int>>([])
        machine.pause()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<8 {
            tasks.append(
                Task {
                    try await barrier.arrive()
                    passed.update { _ = $0.insert(number) }
                }
            )
            try await machine.waits(for: number + 1)
        }
        machine.resume()
        for task in tasks[..<6] { try await task.value }
        try await machine.quiescence()
        #expect(passed.value == Set(0..<6))
        for task in tasks[6...] {
            task.cancel()
            #expect(await task.result.wasCancelled)
        }
    }

    @Test func oneActionRunsForEachRoundOfOneParty() async throws {
        let rounds = Locked(0)
        let barrier = Barrier(parties: 1) { rounds.update { $0 += 1 } }
        for round in 1...10 {
            try await barrier.arrive()
            #expect(rounds.value == round)
        }
    }

    @Test func eachRoundTakesAllOfItsPartiesOrNoneInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let parties = dice.roll(1...4)
            let rounds = Locked(0)
            let barrier = Barrier(parties: parties) { rounds.update { $0 += 1 } }
            let jobs: [@concurrent @Sendable () async throws -> Void] = (0..<16).map { _ in
                { try await barrier.arrive() }
            }
            let results = await storm(jobs, dice: &dice, cancelling: 1)
            let passed = results.filter { $0.value != nil }
            #expect(results.allSatisfy { $0.value != nil || $0.wasCancelled }, "seed \(seed)")
            #expect(passed.count == rounds.value * parties, "seed \(seed)")
        }
    }

    @Test func aBarrierWithoutPartiesIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Barrier(parties: 0)
        }
        expectMessage(result, "a barrier can't have 0 parties", "BarrierTests.swift")
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Barrier(parties: -1) {}
        }
        expectMessage(negative, "a barrier can't have -1 parties", "BarrierTests.swift")
        let tooMany = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Barrier(parties: 1_000_001)
        }
        expectMessage(tooMany, "a barrier can't have 1000001 parties", "BarrierTests.swift")
    }

    // MARK: Latch

    @Test func aLatchOpensWhenItHasBeenCountedDownAndStaysOpen() async throws {
        let latch = Latch(count: 3)
        let waiters = (0..<10).map { _ in Task { try await latch.wait() } }
        for _ in 0..<2 { latch.countDown() }
        await #expect(throws: CallError.self) { try await latch.wait(within: .milliseconds(1)) }
        for _ in 0..<3 { latch.countDown() }
        for waiter in waiters { try await waiter.value }
        try await latch.wait()
        try await Latch(count: 0).wait()
    }

    @Test func whoIsNotCancelledPassesTheLatchWith100Seeds() async {
        await with100Seeds { seed, dice in
            let latch = Latch(count: 4)
            let kinds = (0..<12).map { _ in dice.flip() }
            let jobs: [@concurrent @Sendable () async throws -> Void] = (0..<16).map { index in
                if index < 4 { return { latch.countDown() } }
                let kind = kinds[index - 4]
                return { try await (kind ? latch.wait() : latch.wait(within: .seconds(600))) }
            }
            let results = await storm(jobs, dice: &dice)
            #expect(results.allSatisfy { $0.value != nil || $0.wasCancelled }, "seed \(seed)")
            await #expect(throws: Never.self, "seed \(seed)") { try await latch.wait() }
        }
    }

    @Test func aNegativeCountIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Latch(count: -1)
        }
        expectMessage(result, "a latch can't have a count of -1", "BarrierTests.swift")
    }

    // MARK: Exchanger

    @Test func twoTasksSwapTheirValues() async throws {
        let exchanger = Exchanger<String>()
        async let one = exchanger.exchange("one")
        #expect(try await exchanger.exchange("other") == "one")
        #expect(try await one == "other")
        await #expect(throws: CallError.self) { try await exchanger.exchange("alone", within: .zero) }
    }

    @Test func valuesAreSwappedInPairsInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let exchanger = Exchanger<Int>()
            let jobs: [@concurrent @Sendable () async throws -> Int] = (0..<16).map { n in
                { try await exchanger.exchange(n) }
            }
            let results = await storm(jobs, dice: &dice, cancelling: 1)
            for (index, result) in results.enumerated() {
                #expect(result.value != nil || result.wasCancelled, "seed \(seed)")
                if let partner = result.value {
                    #expect(partner != index && results[partner].value == index, "seed \(seed)")
                }
            }
        }
    }
}
