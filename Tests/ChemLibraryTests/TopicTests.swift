import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Publish and subscribe.
@Suite("Publish and subscribe", .endsInTime)
struct TopicTests {
    private func all(_ subscription: Subscription<Int>) async -> [Int] {
        var values: [Int] = []
        for await value in subscription { values.append(value) }
        return values
    }

    @Test func ofThreeSubscribersOneLeavesAndTheOthersMissNothing() async throws {
        let topic = Topic<Int>()
        let subscriptions = (0..<3).map { _ in topic.subscribe() }
        for number in 0..<100 {
            if number == 50 { subscriptions[1].leave() }
            topic.publish(number)
        }
        topic.finish()
        #expect(await all(subscriptions[0]) == Array(0..<100))
        #expect(await all(subscriptions[1]) == Array(0..<50))
        #expect(await all(subscriptions[2]) == Array(0..<100))
    }

    @Test func aSubscriberGetsExactlyWhatIsPublishedWhileItIsOne() async throws {
        let topic = Topic<Int>()
        topic.publish(1)
        let subscription = topic.subscribe()
        topic.publish(2)
        topic.publish(3)
        subscription.leave()
        subscription.leave()
        topic.publish(4)
        #expect(await all(subscription) == [2, 3])
        #expect(try await subscription.next() == nil)
    }

    @Test func aFinishedTopicIgnoresWhatIsPublished() async throws {
        let topic = Topic<Int>()
        let early = topic.subscribe()
        topic.publish(1)
        topic.finish()
        topic.publish(2)
        let late = topic.subscribe()
        #expect(await all(early) == [1])
        #expect(await all(late) == [])
    }

    @Test func nobodyIsLeftWaitingWhenTheTopicIsGone() async throws {
        var topic: Topic<Int>? = Topic<Int>()
        let subscription = topic?.subscribe()
        let waiting = Task { [subscription] in
            var values: [Int] = []
            if let subscription { for await value in subscription { values.append(value) } }
            return values
        }
        topic?.publish(1)
        await yield(5)
        topic = nil
        #expect(await waiting.value == [1])
    }

    @Test func aSubscriptionThatIsDroppedLeaves() async throws {
        let machine = ChemicalMachine()
        let topic = machine.making { Topic<Int>() }
        do { _ = topic.subscribe() }
        topic.publish(1)
        // Subscribed, left, published: the topic has nobody to tell.
        try await machine.waitUntilConsumed(3, of: "topic.event")
        try await machine.quiescence()
        let other = topic.subscribe()
        topic.publish(2)
        #expect(try await other.next() == 2)
    }

    @Test func aBufferKeepsTheLatest3() async throws {
        let machine = ChemicalMachine()
        // Subscribing in a body of the machine places the subscription there, too.
        let topic = machine.making { Topic<Int>() }
        let slow = machine.making { topic.subscribe(buffering: .latest(3)) }
        for number in 0..<100 { topic.publish(number) }
        try await machine.quiescence()
        topic.finish()
        #expect(await all(slow) == [97, 98, 99])
    }

    @Test func aCancelledConsumerTakesNoValue() async throws {
        let topic = Topic<Int>()
        let subscription = topic.subscribe()
        let task = Task { try await subscription.next() }
        await yield(3)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        topic.publish(1)
        #expect(try await subscription.next() == 1)
    }

    @Test func whoWaitsForAValueIsServedOldestFirst() async throws {
        try await withChemicalMachine { machine in
            let topic = Topic<Int>()
            let subscription = topic.subscribe()
            let received = Locked<[Int: Int]>([:])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let value = try await subscription.next()
                        received.update { $0[number] = value }
                    }
                    try await machine.waits(for: number + 1)
                }
                for value in 0..<20 { topic.publish(value) }
                try await group.waitForAll()
            }
            #expect(received.value == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0) }))
        }
    }

    @Test func copiesOfASubscriptionShareItsValues() async throws {
        let topic = Topic<Int>()
        let subscription = topic.subscribe()
        async let first = all(subscription)
        async let second = all(subscription)
        for number in 0..<200 { topic.publish(number) }
        topic.finish()
        let (one, other) = await (first, second)
        #expect(one == one.sorted() && other == other.sorted())
        #expect((one + other).sorted() == Array(0..<200))
    }

    @Test func subscribersComeAndGoIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let topic = Topic<Int>()
            let faithful = topic.subscribe()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<30 {
                        topic.publish(number)
                        if number % 4 == 0 { await Task.yield() }
                    }
                }
                for index in 0..<4 {
                    group.addTask {
                        var random = SplitMix(seed: seed &* 4 &+ UInt64(index))
                        await yield(Int.random(in: 0..<6, using: &random))
                        let subscription = topic.subscribe()
                        let count = Int.random(in: 0..<6, using: &random)
                        let consumer = Task {
                            var values: [Int] = []
                            while values.count < count, let value = try await subscription.next() {
                                values.append(value)
                            }
                            return values
                        }
                        await yield(Int.random(in: 0..<10, using: &random))
                        if Bool.random(using: &random) { consumer.cancel() }
                        subscription.leave()
                        guard let values = try? await consumer.value else { return }
                        // Without a gap, from some number on.
                        if let first = values.first {
                            #expect(values == Array(first..<first + values.count), "seed \(seed)")
                        }
                    }
                }
            }
            topic.finish()
            #expect(await all(faithful) == Array(0..<30), "seed \(seed)")
        }
    }

    @Test func aBufferWithoutRoomIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Topic<Int>().subscribe(buffering: .latest(0))
        }
        #expect(text(result).contains("a subscriber's buffer needs room for at least 1 value, not 0"))
        #expect(text(result).contains("TopicTests.swift"))
    }

    @Test("Those who stay get everything in the order in which they came, while many leave")
    func leaving() async throws {
        let topic = Topic<Int>()
        var all = (0..<200).map { _ in topic.subscribe() }
        for number in 0..<180 {
            all.removeFirst()
            topic.publish(number)
        }
        topic.finish()
        for subscription in all {
            var values: [Int] = []
            while let value = try await subscription.next() { values.append(value) }
            #expect(values == Array(0..<180))
        }
    }
}
