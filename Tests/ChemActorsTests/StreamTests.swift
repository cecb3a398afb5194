import ChemActors
import TestSupport
import Testing

/// A molecule whose copies come as a sequence.
private func pipe() -> (send: SlowMolecule<Int>, received: MoleculeStream<Int>, definition: Join) {
    let (send, received, definition) = Join.define("pipe") { join in
        let item = join.slow("item", of: Int.self, order: .oldestFirst)
        return (item, join.stream(of: item), join.definition)
    }
    return (send, received, definition)
}

#if DEBUG
    private let races = 1_000
#else
    private let races = 10_000
#endif

@Suite(.endsInTime)
struct StreamTests {
    @Test func copiesComeOldestFirst() async throws {
        let (send, received, _) = pipe()
        let sender = Task { for n in 1..<5_000 { send(n) } }
        send(0)
        var iterator = received.makeAsyncIterator()
        var got: [Int] = []
        for _ in 0..<5_000 { if let n = await iterator.next() { got.append(n) } }
        await sender.value
        // The first may come in anywhere: it has a sender of its own.
        #expect(got.filter { $0 != 0 } == Array(1..<5_000))
        #expect(got.count == 5_000)
    }

    @Test func severalConsumersGetEachCopyOnce() async throws {
        let (send, received, definition) = pipe()
        let got = Record<Int>()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    var last = -1
                    for await n in received {
                        // What one consumer gets is in the order of the one sender.
                        #expect(n > last)
                        last = n
                        got.append(n)
                    }
                }
            }
            for n in 0..<4_000 { send(n) }
            #expect(await Patience.until { got.count == 4_000 })
            definition.deactivate()
        }
        #expect(got.all.sorted() == Array(0..<4_000))
    }

    @Test func cancellationIsExact() async throws {
        let (send, received, definition) = pipe()
        let got = Tally()
        for n in 0..<races {
            let consumer = Task {
                for await _ in received { got.add() }
            }
            let sender = Task.detached { send(n) }
            for _ in 0..<(n % 5) { await Task.yield() }
            consumer.cancel()
            await consumer.value
            await sender.value
        }
        try await definition.quiescence()
        let rest = definition.statistics.molecules["item"]?.present ?? -1
        #expect(got.value + rest == races)
        #expect(definition.statistics.waitingCalls == 0)
        #expect(definition.statistics.isBalanced)
    }

    @Test func aCancelledConsumerEndsAndTakesNothing() async throws {
        let (send, received, definition) = pipe()
        let consumer = Task {
            var count = 0
            for await _ in received { count += 1 }
            return count
        }
        #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
        consumer.cancel()
        #expect(await consumer.value == 0)
        send(7)
        var iterator = received.makeAsyncIterator()
        #expect(await iterator.next() == 7)
    }

    @Test func itEndsForAllWhenTheDefinitionIsDeactivated() async throws {
        let (send, received, definition) = pipe()
        let consumers = (0..<100).map { _ in Task { for await _ in received {} } }
        #expect(await Patience.until { definition.statistics.waitingCalls == 100 })
        definition.deactivate()
        for consumer in consumers { try await Patience.end { await consumer.value } }
        var iterator = received.makeAsyncIterator()
        #expect(await iterator.next() == nil)
        try await definition.quiescence()
        definition.activate()
        send(1)
        #expect(await iterator.next() == 1)
    }

    @Test func itEndsWhenTheDefinitionDissolves() async throws {
        let ended = Record<[Int]>()
        Join.define("short") { join in
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let go = join.slow("go")
            let local = join.stream(of: item)
            let definition = join.definition
            join.when(go) { _ in
                Task {
                    var got: [Int] = []
                    for await n in local { got.append(n) }
                    ended.append(got)
                }
                #expect(await Patience.until { definition.statistics.molecules["item"]?.consumed == 1 })
                #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
            }
            item(1)
            go()
        }
        #expect(await Patience.until { ended.count == 1 })
        #expect(ended.all == [[1]])
    }

    @Test func itGoesOnAfterClear() async throws {
        let (send, received, definition) = pipe()
        let got = Record<Int>()
        let consumer = Task { for await n in received { got.append(n) } }
        #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
        for n in 0..<100 {
            definition.clear()
            #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
            send(n)
            #expect(await Patience.until { got.count == n + 1 })
        }
        definition.pause()
        for n in 0..<10 { send(n) }
        definition.clear()
        definition.resume()
        send(1_000)
        #expect(await Patience.until { got.count == 101 })
        #expect(got.all == Array(0..<100) + [1_000])
        consumer.cancel()
        await consumer.value
    }

    @Test func otherReactionsMayCompete() async throws {
        let log = Record<Int>()
        let (send, stop, received) = Join.define("two") { join in
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let stop = join.slow("stop")
            join.when(item, stop) { n, _ in log.append(n) }
            return (item, stop, join.stream(of: item))
        }
        send(1)
        stop()
        #expect(await Patience.until { log.count == 1 })
        send(2)
        var iterator = received.makeAsyncIterator()
        #expect(await iterator.next() == 2)
    }

    @Test func itIsAnOrdinarySequence() async throws {
        let (send, received, _) = pipe()
        send.inject(contentsOf: 1...100)
        var sum = 0
        for await n in received.map({ $0 * 2 }).prefix(100) { sum += n }
        #expect(sum == 10_100)
        let onMain = Task { @MainActor in
            for await n in received { return n }
            return -1
        }
        send(5)
        #expect(await onMain.value == 5)
    }

    // MARK: Injecting a sequence

    @Test func aSequenceIsInjectedAsItComes() async throws {
        let (send, received, _) = pipe()
        let (source, feed) = AsyncStream.makeStream(of: Int.self)
        let injector = Task { await send.inject(contentsOf: source) }
        var iterator = received.makeAsyncIterator()
        for n in 0..<100 {
            feed.yield(n)
            #expect(await iterator.next() == n)
        }
        feed.finish()
        await injector.value
    }

    @Test func theErrorOfASequenceIsThrown() async throws {
        struct Flaw: Error {}
        let (send, received, definition) = pipe()
        let (source, feed) = AsyncThrowingStream.makeStream(of: Int.self)
        feed.yield(1)
        feed.yield(2)
        feed.finish(throwing: Flaw())
        await #expect(throws: Flaw.self) { try await send.inject(contentsOf: source) }
        try await definition.quiescence()
        #expect(definition.statistics.molecules["item"]?.present == 2)
        var iterator = received.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
    }

    @Test func oneDefinitionFeedsAnother() async throws {
        let (first, second) = (pipe(), pipe())
        let pump = Task { await second.send.inject(contentsOf: first.received) }
        for n in 0..<1_000 { first.send(n) }
        var iterator = second.received.makeAsyncIterator()
        for n in 0..<1_000 { #expect(await iterator.next() == n) }
        first.definition.deactivate()
        await pump.value
    }

    @Test func severalStreamsOfOneMoleculeShareItsCopies() async throws {
        let (send, streams, definition) = Join.define("lines") { join in
            let line = join.slow("line", of: Int.self, order: .oldestFirst)
            return (line, (0..<3).map { _ in join.stream(of: line) }, join.definition)
        }
        for number in 0..<30 { send(number) }
        var got: [Int] = []
        for stream in streams {
            var iterator = stream.makeAsyncIterator()
            for _ in 0..<10 { got.append(try #require(await iterator.next())) }
        }
        #expect(got == Array(0..<30))
        let names = definition.statistics.molecules.keys.filter { $0.hasPrefix("line.next") }.sorted()
        #expect(names == ["line.next", "line.next 2", "line.next 3"])
        extendLifetime(send)
    }

    @Test func aRandomMoleculeIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Join.define("lines") { join in
                let line = join.slow("line", of: Int.self)
                return (line, join.stream(of: line))
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("definition 'lines': molecule 'line' becomes a stream"))
        #expect(text.contains("StreamTests.swift"))
        #expect(text.contains("has to be declared with order: .oldestFirst"))
    }
}
