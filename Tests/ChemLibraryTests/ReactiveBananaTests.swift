import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The cases of reactive-banana's own tests, by its own method: a pure model and the graph get the same input, 1 to 8,
/// and must agree.
///
/// A pure event is a list with one place a wave. Where several values of a merge are simultaneous, the last one counts,
/// as in a graph.
@Suite("reactive-banana", .endsInTime)
struct ReactiveBananaTests {
    @Test("counter: how many came before")
    func counter() async throws {
        try await agree { events in
            var count = 0
            return events.map { event in
                guard event != nil else { return nil }
                defer { count += 1 }
                return count
            }
        } graph: { source in
            let count = source --+ (Cell(initialValue: 0), { count, _ in count + 1 })
            return (source, count) --% (EventStream<Int>(), { _, count in count })
        }
    }

    @Test("double: a stream merged with itself has one event a wave")
    func double() async throws {
        try await agree { events in
            Pure.merge(events, events)
        } graph: { source in
            let stream = source >-- EventStream<Int>()
            return [stream, stream] --& Cell(initialValue: 0) >-- EventStream<Int>()
        }
    }

    @Test("sharing: a filtered stream that is used twice")
    func sharing() async throws {
        try await agree { events in
            let small = events.map { $0.flatMap { $0 < 3 ? $0 : nil } }
            return Pure.merge(small, small)
        } graph: { source in
            let small = source --| (EventStream<Int>(), { $0 < 3 })
            return [small, small] --& Cell(initialValue: 0) >-- EventStream<Int>()
        }
    }

    @Test("mergeFilter: the even and the odd ones, each filtered and mapped, merged again")
    func mergeFilter() async throws {
        try await agree { events in
            let even = events.map { $0.flatMap { $0 % 2 == 0 ? $0 + 1 : nil } }
            let odd = events.map { $0.flatMap { $0 % 2 == 1 ? $0 + 1 : nil } }
            return Pure.merge(odd, even)
        } graph: { source in
            let even = source --| (EventStream<Int>(), { $0 % 2 == 0 }) >-- (EventStream<Int>(), { $0 + 1 })
            let odd = source --| (EventStream<Int>(), { $0 % 2 == 1 }) >-- (EventStream<Int>(), { $0 + 1 })
            return [odd, even] --& Cell(initialValue: 0) >-- EventStream<Int>()
        }
    }

    @Test("recursive1A: a running sum through a cell that is wired after its use")
    func recursive1A() async throws {
        try await agree { events in
            Pure.recursive(0, events) { $0 + $1 }
        } graph: { source in
            let (sum, sums) = (Cell(initialValue: 0), EventStream<Int>())
            (source, sum) --% (sums, { $0 + $1 })
            sums --^ sum
            return sums
        }
    }

    @Test("recursive1B: a running sum through a cell that is wired before its use")
    func recursive1B() async throws {
        try await agree { events in
            Pure.recursive(0, events) { $0 + $1 }
        } graph: { source in
            let (sum, sums) = (Cell(initialValue: 0), EventStream<Int>())
            sums --^ sum
            (source, sum) --% (sums, { $0 + $1 })
            return sums
        }
    }

    @Test("recursive2: the recursion goes through a map of the cell")
    func recursive2() async throws {
        try await agree { events in
            Pure.recursive(1, events) {
                $0 + $1
            } after: {
                $0 + 1
            }
        } graph: { source in
            let (sum, next, sums) = (Cell(initialValue: 0), Cell(initialValue: 1), EventStream<Int>())
            (source, next) --% (sums, { $0 + $1 })
            sums --^ sum --^ (next, { $0 + 1 })
            return sums
        }
    }

    @Test("recursive3: a counter from 4 that is decremented while it is above 0 fires 4 times: 4, 3, 2, 1")
    func recursive3() async throws {
        let seen = try await agree { events in
            var count = 4
            return events.map { event in
                guard event != nil, count > 0 else { return nil }
                defer { count -= 1 }
                return count
            }
        } graph: { source in
            let (count, decreasing) = (Cell(initialValue: 4), EventStream<Int>())
            (source, count) --% (decreasing, { _, count in count }, where: { _, count in count > 0 })
            decreasing --^ (count, { $0 - 1 })
            return decreasing
        }
        #expect(seen == [4, 3, 2, 1])
    }

    @Test("a counter that is fed back through streams decrements in waves of its own, before the next event")
    func feedback() async throws {
        for mode in [FlowGraph.Mode.fused, .reference] {
            let (source, other) = (EventSource<Int>(), EventSource<Int>())
            let (start, next, again) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
            let (count, log) = (Cell(initialValue: 0), Cell(initialValue: 0))
            let graph = FlowGraph("countdown", mode: mode) {
                source >-- start
                [start, next] --& count
                count --| (again, { $0 > 0 }) >-- (next, { $0 - 1 })
                let (counts, others) = (EventStream<Int>(), EventStream<Int>())
                count >-- counts
                other >-- others
                [counts, others] --& log
            }
            source.send(4)
            other.send(100)
            source.send(2)
            try await graph.quiescence()
            #expect(log.history.map(\.value) == [4, 3, 2, 1, 0, 100, 2, 1, 0])
            #expect(graph.statistics.waves == 9)
        }
    }

    @Test("accumBvsE: an accumulated event has the new value where an accumulated cell, in a snapshot, has the old one")
    func accumBvsE() async throws {
        let seen = try await agree { events in
            var count = 0
            return events.map { event in
                guard event != nil else { return nil }
                count += 1
                return count * 100 + count - 1
            }
        } graph: { source in
            let count = source --+ (Cell(initialValue: 0), { count, _ in count + 1 })
            let before = (source, count) --% (EventStream<Int>(), { _, count in count })
            let held = before --^ Cell(initialValue: 0)
            return (count, held) --^ (Cell(initialValue: 0), { $0 * 100 + $1 }) >-- EventStream<Int>()
        }
        #expect(seen == [100, 201, 302, 403, 504, 605, 706, 807])
    }

    @Test("issue79: a recursive value, filtered, mapped and put together with itself, is there in each wave")
    func issue79() async throws {
        for mode in [FlowGraph.Mode.fused, .reference] {
            let source = EventSource<Int>()
            let (last, result) = (Cell(initialValue: 1), Cell(initialValue: ""))
            let graph = FlowGraph("issue79", mode: mode) {
                let applied = (source, last) --% (EventStream<Int>(), { _, _ in 1 })
                let filtered = applied --| (EventStream<Int>(), { _ in true })
                let mapped = filtered >-- (EventStream<Int>(), { $0 })
                mapped --^ last
                let sum =
                    (applied --^ Cell(initialValue: 0), mapped --^ Cell(initialValue: 0)) --^ (
                        Cell(initialValue: 0), +
                    )
                let text = filtered --^ (Cell(initialValue: ""), { _ in "filtered event" })
                (text, sum) --^ (result, { "\($0) and \($1)" })
            }
            for number in 1...8 { source.send(number) }
            try await graph.quiescence()
            #expect(result.history.map(\.value) == Array(repeating: "filtered event and 2", count: 8))
            #expect(last.value == 1)
        }
    }
}

/// Runs both on 1 to 8, the graph in both modes.
@discardableResult
private func agree(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ model: ([Int?]) -> [Int?],
    graph wiring: (EventSource<Int>) -> EventStream<Int>
) async throws -> [Int] {
    let expected = model((1...8).map { Optional($0) }).compactMap { $0 }
    for mode in [FlowGraph.Mode.fused, .reference] {
        let source = EventSource<Int>()
        let result = Cell(initialValue: 0)
        let graph = FlowGraph("banana", mode: mode) { wiring(source) --^ result }
        for number in 1...8 { source.send(number) }
        try await graph.quiescence()
        #expect(result.history.map(\.value) == expected, "\(mode)", sourceLocation: sourceLocation)
    }
    return expected
}

/// Events as lists with one place a wave.
private enum Pure {
    static func merge(_ first: [Int?], _ second: [Int?]) -> [Int?] { zip(first, second).map { $1 ?? $0 } }

    /// Events of which each is combined with the last result, changed by `after`, and at first with `initial`.
    static func recursive(
        _ initial: Int,
        _ events: [Int?],
        _ combine: (Int, Int) -> Int,
        after: (Int) -> Int = { $0 }
    ) -> [Int?] {
        var held = initial
        return events.map { event in
            guard let event else { return nil }
            let result = combine(event, held)
            held = after(result)
            return result
        }
    }
}
