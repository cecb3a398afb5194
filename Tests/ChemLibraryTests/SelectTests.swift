import ChemActors
import ChemLibrary
import TestSupport
import Testing

@Suite("Select, priority queue", .endsInTime)
struct SelectTests {
    private enum Input: Equatable { case number(Int), word(String) }

    @Test func itReceivesFromWhicheverChannelHasAValueUntilAllAreClosed() async throws {
        try await withChemicalMachine { machine in
            let numbers = JoinChannel<Int>(capacity: 4)
            let words = JoinChannel<String>(capacity: 0)
            let inputs = Select(.from(numbers) { Input.number($0) }, .from(words) { Input.word($0) })
            #expect(inputs.tryReceive() == nil)

            let waiting = Task { try await inputs.receive() }
            try await machine.waits(for: 2)
            try await numbers.send(1)
            #expect(try await waiting.value == .number(1))

            async let sent: Void = words.send("two")
            #expect(try await inputs.receive() == .word("two"))
            try await sent

            #expect(numbers.trySend(3))
            numbers.close()
            #expect(try await inputs.receive() == .number(3))
            let last = Task { try await inputs.receive() }
            try await machine.waits(for: 1)
            words.close()
            #expect(try await last.value == nil)
            #expect(try await Select<Int>().receive() == nil)
        }
    }

    @Test func eachChannelHasItsTurn() async throws {
        let channels = (0..<3).map { _ in JoinChannel<Int>.unbounded() }
        for (index, channel) in channels.enumerated() {
            for _ in 0..<300 { #expect(channel.trySend(index)) }
        }
        let inputs = Select(channels.map { .from($0) })
        var counts = [0, 0, 0]
        for _ in 0..<300 { counts[try #require(try await inputs.receive())] += 1 }
        #expect(counts.allSatisfy { $0 > 20 }, "\(counts)")
    }

    @Test("On machines of equal seeds, the channels have their turns in equal orders")
    func equalSeeds() async throws {
        func order(seed: UInt64) async throws -> [Int] {
            try await withChemicalMachine(ChemicalMachine.Configuration(seed: seed)) { _ in
                let channels = (0..<3).map { _ in JoinChannel<Int>.unbounded() }
                for (index, channel) in channels.enumerated() {
                    for _ in 0..<30 { #expect(channel.trySend(index)) }
                }
                let inputs = Select(channels.map { .from($0) })
                return (0..<90).compactMap { _ in inputs.tryReceive() }
            }
        }
        let first = try await order(seed: 1)
        #expect(first.count == 90)
        #expect(try await order(seed: 1) == first)
        #expect(try await order(seed: 2) != first)
    }

    @Test func exactlyOneValueIsTakenAndNoneIsLostInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let channels = [JoinChannel<Int>(capacity: 0), JoinChannel<Int>(capacity: 2), JoinChannel<Int>.unbounded()]
            let sent = Locked<Set<Int>>([])
            let received = Locked<[Int]>([])
            let jobs: [@concurrent @Sendable () async throws -> Void] = (0..<12).map { index in
                if index % 2 == 0 {
                    let channel = channels[dice.roll(0...2)]
                    return {
                        for number in index * 100..<index * 100 + 4 {
                            try await channel.send(number)
                            sent.update { _ = $0.insert(number) }
                        }
                    }
                }
                let inputs = Select(channels.map { .from($0) })
                return {
                    while let value = try await inputs.receive() { received.update { $0.append(value) } }
                }
            }
            _ = await storm(jobs, dice: &dice, cancelling: 1)
            for channel in channels {
                channel.close()
                while let value = channel.tryReceive() { received.update { $0.append(value) } }
            }
            let all = received.value
            #expect(Set(all).count == all.count, "seed \(seed): received twice")
            #expect(Set(all) == sent.value, "seed \(seed)")
        }
    }

    // MARK: Priority queue

    @Test func theHighestPriorityIsTakenFirstAndOfEqualOnesTheOldest() async throws {
        var dice = SplitMix(seed: 1)
        let queue = PriorityQueue<Int, Int>()
        let priorities = (0..<500).map { _ in dice.roll(0...9) }
        for (index, priority) in priorities.enumerated() { queue.put(index, priority: priority) }
        var taken: [Int] = []
        for _ in 0..<500 { taken.append(try await queue.take()) }
        #expect(taken == (0..<500).sorted { (priorities[$1], $0) < (priorities[$0], $1) })
        await #expect(throws: CallError.self) { try await queue.take(within: .zero) }
    }

    @Test func whatIsPutIsLookedAtByTheNextTake() async throws {
        let queue = PriorityQueue<Int, String>()
        queue.put("low", priority: 1)
        queue.put("middle", priority: 5)
        #expect(try await queue.take() == "middle")
        queue.put("high", priority: 9)
        #expect(try await queue.take() == "high")
        #expect(try await queue.take() == "low")
    }

    @Test func whoWaitsForAnElementIsServedOldestFirst() async throws {
        try await withChemicalMachine { machine in
            let queue = PriorityQueue<Int, Int>()
            let taken = Locked<[Int: Int]>([:])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let element = try await queue.take()
                        taken.update { $0[number] = element }
                    }
                    try await machine.waits(for: number + 1)
                }
                for element in 0..<20 { queue.put(element, priority: 1) }
                try await group.waitForAll()
            }
            #expect(taken.value == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0) }))
        }
    }

    @Test func noElementIsLostInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let queue = PriorityQueue<Int, Int>()
            let jobs: [@concurrent @Sendable () async throws -> Int?] = (0..<16).map { index in
                let priority = dice.roll(0...3)
                if index % 2 == 0 {
                    return {
                        queue.put(index, priority: priority)
                        return nil
                    }
                }
                return { try await queue.take() }
            }
            let results = await storm(jobs, dice: &dice, cancelling: 1)
            var taken = results.compactMap { $0.value ?? nil }
            while taken.count < 8 { taken.append(try await queue.take(within: .seconds(600))) }
            #expect(taken.sorted() == [0, 2, 4, 6, 8, 10, 12, 14], "seed \(seed)")
        }
    }

    @Test("Trying many channels of which one has something finds that")
    func many() async throws {
        let channels = (0..<20_000).map { _ in JoinChannel<Int>.unbounded() }
        let select = Select(channels.map { .from($0) })
        #expect(select.tryReceive() == nil)
        #expect(channels[12_345].trySend(1))
        #expect(select.tryReceive() == 1)
    }
}
