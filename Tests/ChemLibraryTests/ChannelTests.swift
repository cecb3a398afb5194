import ChemActors
import ChemLibrary
import TestSupport
import Testing

@Suite("JoinChannel", .endsInTime)
struct ChannelTests {
    @Test func valuesLeaveInTheOrderInWhichTheyWereSent() async throws {
        let channel = JoinChannel<Int>(capacity: 3)
        let producer = Task.detached {
            for number in 0..<500 { try await channel.send(number) }
            channel.close()
        }
        var received: [Int] = []
        for await number in channel { received.append(number) }
        #expect(received == Array(0..<500))
        try await producer.value
    }

    @Test(arguments: [1, 3, 1_000])
    func asManyValuesWaitAsTheCapacitySays(_ capacity: Int) async throws {
        let channel = JoinChannel<Int>(capacity: capacity)
        var sent = 0
        while channel.trySend(sent) { sent += 1 }
        #expect(sent == capacity)
        await #expect(throws: CallError.self) { try await channel.send(0, within: .zero) }
        #expect(channel.tryReceive() == 0)
        #expect(channel.trySend(sent))
        #expect(!channel.trySend(sent))
        for number in 1...capacity { #expect(channel.tryReceive() == number) }
        #expect(channel.tryReceive() == nil)
        await #expect(throws: CallError.self) { try await channel.receive(within: .zero) }
    }

    @Test func anUnboundedChannelTakesEverything() async throws {
        let channel = JoinChannel<Int>.unbounded()
        for number in 0..<10_000 { #expect(channel.trySend(number)) }
        channel.close()
        var next = 0
        while let number = channel.tryReceive() {
            #expect(number == next)
            next += 1
        }
        #expect(next == 10_000)
        #expect(try await channel.receive() == nil)
    }

    @Test func withoutCapacityASenderWaitsForItsReceiver() async throws {
        try await withChemicalMachine { machine in
            let channel = JoinChannel<Int>(capacity: 0)
            #expect(!channel.trySend(1))
            #expect(channel.tryReceive() == nil)

            let sender = Task { try await channel.send(2) }
            try await machine.waits(for: 1)
            #expect(!channel.trySend(3))
            #expect(channel.tryReceive() == 2)
            try await sender.value

            let receiver = Task { try await channel.receive() }
            try await machine.waits(for: 1)
            #expect(channel.trySend(4))
            #expect(try await receiver.value == 4)

            async let last: Void = channel.send(5)
            #expect(try await channel.receive() == 5)
            try await last
        }
    }

    @Test(arguments: [0, 2, nil] as [Int?])
    func afterTheEndNothingIsSentAndWhatLiesThereIsStillReceived(_ capacity: Int?) async throws {
        try await withChemicalMachine { machine in
            let channel = make(capacity)
            let room = capacity ?? 5
            for number in 0..<room { #expect(channel.trySend(number)) }
            let waiting = capacity == nil ? [] : (0..<3).map { _ in Task { try await channel.send(99) } }
            try await machine.waits(for: waiting.count)
            channel.close()
            #expect(!channel.trySend(98))
            channel.close()
            for task in waiting { await #expect(throws: ChannelClosed()) { try await task.value } }
            await #expect(throws: ChannelClosed()) { try await channel.send(97) }
            for number in 0..<room { #expect(try await channel.receive() == number) }
            for _ in 0..<3 { #expect(try await channel.receive() == nil) }
            for await _ in channel { Issue.record("a value after the end") }
            #expect(channel.tryReceive() == nil)
        }
    }

    @Test(arguments: [0, 2, nil] as [Int?])
    func allReceiversThatWaitAreToldOfTheEnd(_ capacity: Int?) async throws {
        try await withChemicalMachine { machine in
            let channel = make(capacity)
            let receivers = (0..<10).map { _ in Task { try await channel.receive() } }
            try await machine.waits(for: 10)
            channel.close()
            for task in receivers { #expect(try await task.value == nil) }
        }
    }

    @Test func aPausedChannelIsClosedWhenItGoesOn() async throws {
        for capacity in [0, 2] {
            let machine = ChemicalMachine()
            let channel = try await onMachine(machine) { make(capacity) }
            machine.pause()
            #expect(!channel.trySend(1))
            channel.close()
            machine.resume()
            #expect(try await channel.receive() == nil)
            await #expect(throws: ChannelClosed()) { try await channel.send(1) }
        }
    }

    @Test func sendersAndReceiversAreServedInTheOrderInWhichTheyCame() async throws {
        try await withChemicalMachine { machine in
            let channel = JoinChannel<Int>(capacity: 1)
            #expect(channel.trySend(0))
            let senders = (1...20).map { number in { @Sendable in try await channel.send(number) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, send) in senders.enumerated() {
                    group.addTask { try await send() }
                    try await machine.waits(for: index + 1)
                }
                for number in 0...20 { #expect(try await channel.receive() == number) }
                try await group.waitForAll()
            }
            let received = Locked<[Int: Int]>([:])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        let value = try await channel.receive()
                        received.update { $0[index] = value }
                    }
                    try await machine.waits(for: index + 1)
                }
                for number in 0..<20 { try await channel.send(number) }
                try await group.waitForAll()
            }
            #expect(received.value == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0) }))
        }
    }

    @Test func leavingTheLoopLosesNothing() async throws {
        let channel = JoinChannel<Int>(capacity: 100)
        for number in 0..<100 { #expect(channel.trySend(number)) }
        channel.close()
        var received: [Int] = []
        for await number in channel {
            received.append(number)
            if number == 41 { break }
        }
        for await number in channel { received.append(number) }
        #expect(received == Array(0..<100))
    }

    @Test func aCancelledLoopEndsAndLeavesTheValuesToOthers() async throws {
        let channel = JoinChannel<Int>(capacity: 4)
        let loop = Task { for await _ in channel { Issue.record("nothing was sent") } }
        loop.cancel()
        await loop.value
        #expect(channel.trySend(1))
        #expect(try await channel.receive() == 1)
    }

    @Test func tenProducersAndTenConsumersPass100000ItemsThroughABufferOf1000() async throws {
        let machine = ChemicalMachine()
        let channel = try await onMachine(machine) { JoinChannel<Int>(capacity: 1_000) }
        let each = 10_000
        let inside = Locked((now: 0, most: 0))
        // Looks into the soup while the others are at work.
        let watcher = Task {
            var most = 0
            while !Task.isCancelled {
                let channel = machine.snapshot().first { $0.definition == "channel" }
                most = max(most, channel?.molecules["item"] ?? 0)
                await Task.yield()
            }
            return most
        }
        let received = try await withThrowingTaskGroup(of: [Int].self) { group in
            for producer in 0..<10 {
                group.addTask {
                    for number in producer * each..<(producer + 1) * each {
                        try await channel.send(number)
                        inside.update {
                            $0.now += 1; $0.most = max($0.most, $0.now)
                        }
                    }
                    return []
                }
            }
            for _ in 0..<10 {
                group.addTask {
                    var mine: [Int] = []
                    for _ in 0..<each {
                        mine.append(try await channel.receive() ?? -1)
                        inside.update { $0.now -= 1 }
                    }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(received.sorted() == Array(0..<100_000))
        watcher.cancel()
        let most = await watcher.value
        #expect(most <= 1_000, "\(most) in the channel")
        // Each consumer may have received one value that isn't subtracted yet.
        #expect(inside.value.most <= 1_010)
        #expect(channel.tryReceive() == nil)
    }

    @Test(arguments: [0, 1, 3, nil] as [Int?])
    func everySentValueIsReceivedOnceOrStillThereInAStormOfCancellationsWith100Seeds(_ capacity: Int?) async {
        await with100Seeds { seed, dice in
            let channel = make(capacity)
            let sent = Locked<Set<Int>>([])
            let received = Locked<[Int]>([])
            let jobs = (0..<16).map { index in
                let count = dice.roll(1...6)
                let sends = index % 2 == 0
                let tries = dice.roll(0...3) == 0
                return { @concurrent @Sendable () async throws in
                    for number in index * 100..<index * 100 + count {
                        if sends {
                            if tries {
                                while !channel.trySend(number) { try Task.checkCancellation(); await Task.yield() }
                            } else {
                                try await channel.send(number)
                            }
                            sent.update { _ = $0.insert(number) }
                        } else if let value = try await channel.receive() {
                            received.update { $0.append(value) }
                        }
                    }
                }
            }
            // Whoever is left when the others are done waits for ever, so all are cancelled in the end.
            _ = await storm(jobs, dice: &dice, cancelling: 1)
            channel.close()
            while let value = channel.tryReceive() { received.update { $0.append(value) } }
            let all = received.value
            #expect(Set(all).count == all.count, "seed \(seed): received twice")
            #expect(Set(all) == sent.value, "seed \(seed)")
        }
    }

    @Test(arguments: [0, 2, nil] as [Int?])
    func closingInTheMiddleLosesNothingThatWasSentWith100Seeds(_ capacity: Int?) async {
        await with100Seeds { seed, dice in
            let channel = make(capacity)
            let sent = Locked<Set<Int>>([])
            let producers = (0..<4).map { producer in
                Task.detached {
                    var number = producer * 1_000
                    while true {
                        do { try await channel.send(number) } catch { return error is ChannelClosed }
                        sent.update { _ = $0.insert(number) }
                        number += 1
                        if number % 1_000 == 50 { return true }
                    }
                }
            }
            let consumers = (0..<3).map { _ in
                Task.detached { await channel.reduce(into: []) { $0.append($1) } }
            }
            await yield(dice.roll(0...30))
            channel.close()
            for producer in producers { #expect(await producer.value, "seed \(seed)") }
            var received: [Int] = []
            for consumer in consumers { received += await consumer.value }
            #expect(Set(received).count == received.count, "seed \(seed)")
            #expect(Set(received) == sent.value, "seed \(seed)")
        }
    }

    @Test func aNegativeCapacityIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = JoinChannel<Int>(capacity: -2)
        }
        expectMessage(result, "a channel can't have a capacity of -2", "ChannelTests.swift")
    }

    private func make(_ capacity: Int?) -> JoinChannel<Int> {
        capacity.map { JoinChannel(capacity: $0) } ?? .unbounded()
    }

    /// What `body` makes, in a definition of `machine`.
    private func onMachine<Made: Sendable>(
        _ machine: ChemicalMachine,
        _ body: @escaping @Sendable () -> Made
    ) async throws -> Made {
        let made = Locked<Made?>(nil)
        let make = machine.define("maker") { join in
            let make = join.fast("make")
            join.answer(make) { _ in made.update { $0 = body() } }
            return make
        }
        try await make()
        return try #require(made.value)
    }
}
