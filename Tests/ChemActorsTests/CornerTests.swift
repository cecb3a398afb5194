import ChemActors
import Foundation
import Synchronization
import TestSupport
import Testing

/// Extreme numbers, keys that look alike, and states and names in unusual places.
@Suite("Corners of the runtime", .endsInTime)
struct CornerTests {
    private struct Bad: Error {}

    @Test("Keys that are made of different values, or in a different way, differ")
    func keys() {
        let keys: [MatchingKey] = [
            MatchingKey(0), MatchingKey(5), MatchingKey(-1), MatchingKey(UInt.max), MatchingKey(Int.min),
            MatchingKey(UInt(1) << 63), MatchingKey(UInt128.max), MatchingKey(UInt128(5) << 64),
            MatchingKey(Int128.min),
            MatchingKey(5, 0), MatchingKey(0, 5), MatchingKey(0, 0), MatchingKey(-1, -1), MatchingKey(5, Int.max),
            MatchingKey(5, Int.min), MatchingKey(5, 1 << 55), MatchingKey(5, -1 << 55), MatchingKey(5, -1 << 55 - 1),
            MatchingKey(""), MatchingKey("\0"), MatchingKey("5"), MatchingKey("0123456789abcde"),
            MatchingKey("0123456789abcdef"), MatchingKey("é"), MatchingKey("", ""), MatchingKey("", 0),
            MatchingKey(MatchingKey(1, 0), 3), MatchingKey(1, 3), MatchingKey(1, MatchingKey(0, 3)),
            MatchingKey(bytes: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            MatchingKey(bytes: (5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20)),
            MatchingKey(bytes: (5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
        ]
        for (place, key) in keys.enumerated() {
            for (other, second) in keys.enumerated() {
                #expect((key == second) == (place == other), "\(place) \(other)")
            }
        }
        #expect(Set(keys).count == keys.count)
        #expect(MatchingKey(5 as UInt8) == MatchingKey(5 as Int128))
        #expect(MatchingKey(-5 as Int8, "a") == MatchingKey(-5 as Int64, "a"))
        #expect(MatchingKey(UInt.max) == MatchingKey(UInt128(UInt.max)))
        #expect(MatchingKey("e\u{301}") == MatchingKey("é"))
    }

    @Test("A molecule may be bounded by any number")
    func bounds() async throws {
        let (item, take, definition) = Join.define("d") { join in
            let item = join.bounded("item", of: Int.self, capacity: .max, order: .oldestFirst)
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: item) { _, n in n }
            return (item, take, join.definition)
        }
        for number in 0..<10 { try await item.inject(number) }
        #expect(try await take() == 0)
        definition.clear()
        try await definition.quiescence()
        try await item.inject(11)
        #expect(try await take() == 11)
        #expect(definition.statistics.isBalanced)
    }

    @Test("What a reader of a deactivated definition shows is the initial value, also if a body had the state")
    func readers() async throws {
        let (begun, ending) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let (go, value, definition) = Join.define("d") { join in
            let go = join.slow("go")
            let state = join.state("state", 0)
            join.when(go, updating: state) { state, _ async in
                state = 1
                begun.continuation.yield()
                await Task.detached { for await _ in ending.stream { break } }.value
                state = 42
            }
            return (go, state.reader, join.definition)
        }
        var begins = begun.stream.makeAsyncIterator()
        for isDeactivated in [true, false, true] {
            go()
            _ = await begins.next()
            if isDeactivated { definition.deactivate() }
            ending.continuation.yield()
            try await definition.quiescence()
            #expect(value.value == (isDeactivated ? 0 : 42))
            #expect(definition.statistics.isBalanced)
            definition.activate()
        }
    }

    @Test("The limit of putting back counts anew when the definition is activated")
    func limitOfPuttingBack() async throws {
        let tries = Atomic<Int>(0)
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }))
        let (work, definition) = machine.define("d") { join in
            join.failurePolicy = .putBack(after: .microseconds(1), limit: 3)
            let work = join.slow("work")
            join.when(work) { _ in
                tries.add(1, ordering: .relaxed)
                throw Bad()
            }
            return (work, join.definition)
        }
        for round in 1...3 {
            work()
            try await definition.quiescence()
            #expect(tries.load(ordering: .relaxed) == 4 * round)
            definition.deactivate()
            try await definition.quiescence()
            definition.activate()
        }
    }

    @Test("A time that covers the body counts from the call, also where the body begins in the caller's thread")
    func coveredBodies() async throws {
        let limit = Duration.seconds(2)
        let call = Join.define("d") { join in
            let call = join.fast("call", returning: Int.self)
            join.answer(call) { _ async throws in
                let begin = ContinuousClock.now
                while ContinuousClock.now - begin < limit / 2 {}
                // By the heap that the call's time is in, too, so it comes after that if the time counts from the call,
                // and before it if it counts from here.
                try await MachineClock().sleep(for: limit * 3 / 4)
                return 1
            }
            return call
        }
        do {
            _ = try await call(within: limit, coveringBody: true)
            Issue.record("answered")
        } catch let error as CallError {
            #expect(error.code == .timedOut)
        }
    }

    @Test("A quantile of no number is that of zero")
    func noQuantile() async throws {
        let machine = ChemicalMachine()
        _ = machine.census()
        let (work, definition) = machine.define("d") { join in
            let work = join.slow("work")
            join.when(work) { _ in }
            return (work, join.definition)
        }
        for _ in 0..<100 { work() }
        try await definition.quiescence()
        let bodies = try #require(machine.census().groups.first?.bodies)
        #expect(bodies.count > 0 && bodies.quantile(.nan) == bodies.quantile(0))
    }

    private protocol Holder<Value>: Sendable {
        associatedtype Value: Sendable
        var molecule: SlowMolecule<Value> { get }
    }

    private struct Pair: Holder {
        let molecule: SlowMolecule<Int>
    }

    @Test("Names are found in inline arrays, and behind protocols with arguments")
    func placesOfNames() async throws {
        let machine = ChemicalMachine()
        let collected = Mutex<[Int]>([])
        func collector() -> SlowMolecule<Int> {
            machine.define("collector") { join in
                let add = join.slow("add", of: Int.self)
                join.when(add) { n in collected.withLock { $0.append(n) } }
                return add
            }
        }
        let array: InlineArray<3, SlowMolecule<Int>> = machine.define("array") { join in
            let add = join.slow("add", of: Int.self)
            join.when(add) { n in collected.withLock { $0.append(n) } }
            return [add, add, add]
        }
        let holder: any Holder<Int> = machine.define("holder") { join in
            let add = join.slow("add", of: Int.self)
            join.when(add) { n in collected.withLock { $0.append(n) } }
            return Pair(molecule: add) as any Holder<Int>
        }
        let travel = machine.define("travel") { join in
            let inline = join.slow("inline", of: InlineArray<3, SlowMolecule<Int>>.self)
            let behind = join.slow("behind", of: (any Collection<SlowMolecule<Int>> & Sendable).self)
            join.when(inline, behind) { array, all in
                // One by one: with a loop over its indices, the optimizer of Swift 6.3.1 crashes.
                array[0](0)
                array[1](1)
                array[2](2)
                for molecule in all { molecule(9) }
            }
            return (inline, behind)
        }
        travel.0([collector(), collector(), collector()])
        travel.1([collector()])
        for index in array.indices { array[index](10 + index) }
        holder.molecule(20)
        try await machine.quiescence()
        #expect(collected.withLock { $0.sorted() } == [0, 1, 2, 9, 10, 11, 12, 20])
    }

    @Test("A scope with any limit of workers begins at once")
    func scopeWithoutLimit() async throws {
        let sum = try await withChemicalMachine(.init(workerLimit: .max)) { machine in
            let (add, value) = machine.define("sum") { join in
                let add = join.slow("add", of: Int.self)
                let value = join.fast("value", returning: Int.self)
                let sum = join.state("sum", 0)
                join.when(add, updating: sum) { sum, n in sum += n }
                join.answer(value, reading: sum) { sum, _ in sum }
                return (add, value)
            }
            for n in 1...100 { add(n) }
            try await machine.quiescence()
            return try await value()
        }
        #expect(sum == 5050)
    }

    @Test("A reaction that takes more copies than are possible is refused")
    func tooManyCopies() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Join.define("d") { join in
                let item = join.slow("item")
                join.when(.max, of: item) { _ in }
                return item
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("that consumes \(Int.max) copies of 'd.item': at most 1000000 are possible"))
    }
}
