import ChemActors
import ChemLibrary

/// Values sent through graphs of streams, until the last one has come out.
enum FlowRows {
    static let all = [
        Row("flow/chain-10", 500_000, quick: 100_000, against: "counter/inject") { try await chain($0) },
        Row("flow/map-filter-sink", 500_000, quick: 100_000, against: "counter/inject") {
            try await mapFilterSink($0)
        },
        Row("flow/zip-2", 500_000, quick: 100_000, against: "counter/inject") { try await zip($0) },
        Row("flow/diamond", 500_000, quick: 100_000, against: "counter/inject") { try await diamond($0) },
        Row("flow/lift-2-tasks", 200_000, quick: 50_000, against: "counter/inject", and: ["baseline/asyncstream"]) {
            try await liftAcrossTasks($0)
        },
        Row("flow/reference-chain-10", 50_000, quick: 10_000, against: "flow/chain-10") {
            try await chain($0, mode: .reference)
        },
    ]

    /// Ten maps, one after the other, into a cell.
    private static func chain(_ count: Int, mode: FlowGraph.Mode = .fused) async throws -> Measurement {
        let source = EventSource<Int>()
        let result = Cell(initialValue: 0, limit: 1)
        let graph = FlowGraph("chain", mode: mode) {
            var last = EventStream<Int>()
            source >-- (last, { $0 &+ 1 })
            for _ in 2...10 {
                let next = EventStream<Int>()
                last >-- (next, { $0 &+ 1 })
                last = next
            }
            last --^ result
        }
        let start = ContinuousClock.now
        for number in 0..<count { source.send(number) }
        try await graph.quiescence()
        let measurement = Measurement.since(start)
        try expect("the last value", result.value, is: count - 1 + 10)
        try expect("the waves", graph.statistics.waves, is: count)
        return measurement
    }

    /// A map, a filter that lets every second value pass, and an outlet.
    private static func mapFilterSink(_ count: Int) async throws -> Measurement {
        let sum = Sum()
        let source = EventSource<Int>()
        let graph = FlowGraph("map-filter-sink") {
            let mapped = EventStream<Int>()
            let even = EventStream<Int>()
            source
                >-- (mapped, { $0 &* 3 })
                --| (even, { $0 % 2 == 0 })
                --^ Cell(initialValue: 0, limit: 1)
                --< (Outlet(), { sum.add($0) })
        }
        let start = ContinuousClock.now
        for number in 0..<count { source.send(number) }
        try await graph.quiescence()
        let measurement = Measurement.since(start)
        let half = (count + 1) / 2
        try expect("the sum of what passed", sum.total, is: 3 * half * (half - 1))
        return measurement
    }

    /// Pairs from two sources; an operation is a pair.
    private static func zip(_ count: Int) async throws -> Measurement {
        let sum = Sum()
        let one = EventSource<Int>()
        let other = EventSource<Int>()
        let graph = FlowGraph("zip") {
            let (first, second, both) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
            one >-- first
            other >-- second
            (first, second) --* (both, { $0 &- $1 })
            both --^ Cell(initialValue: 0, limit: 1) --< (Outlet(), { sum.add($0) })
        }
        let start = ContinuousClock.now
        for number in 0..<count {
            one.send(2 * number)
            other.send(number)
        }
        try await graph.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum of the differences", sum.total, is: count * (count - 1) / 2)
        try expect("the surplus", graph.statistics.pending, is: 0)
        return measurement
    }

    /// One source, two ways, one cell that takes both: one result for each value.
    private static func diamond(_ count: Int) async throws -> Measurement {
        let sum = Sum()
        let source = EventSource<Int>()
        let graph = FlowGraph("diamond") {
            let (left, right) = (Cell(initialValue: 0, limit: 1), Cell(initialValue: 0, limit: 1))
            source --^ (left, { $0 &* 3 })
            source --^ (right, { $0 &* 5 })
            (left, right) --^ (Cell(initialValue: 0, limit: 1), { $0 &+ $1 }) --< (Outlet(), { sum.add($0) })
        }
        let start = ContinuousClock.now
        for number in 0..<count { source.send(number) }
        try await graph.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum of the results", sum.total, is: 8 * count * (count - 1) / 2)
        return measurement
    }

    /// Two tasks send, a third one takes the combined values from an asynchronous sequence.
    private static func liftAcrossTasks(_ count: Int) async throws -> Measurement {
        let one = EventSource<Int>()
        let other = EventSource<Int>()
        let combined = Cell(initialValue: 0, limit: 1)
        let graph = FlowGraph("lift across tasks") {
            (one --^ Cell(initialValue: 0, limit: 1), other --^ Cell(initialValue: 0, limit: 1))
                --^ (combined, { $0 &+ $1 })
        }
        let values = combined.updates
        let start = ContinuousClock.now
        let received = await withTaskGroup(of: Int.self) { group in
            for source in [one, other] {
                group.addTask {
                    for number in 1...(count / 2) { source.send(number) }
                    source.finish()
                    return 0
                }
            }
            group.addTask {
                var received = 0
                for await _ in values { received += 1 }
                return received
            }
            return await group.reduce(0, +)
        }
        let measurement = Measurement.since(start)
        try expect("the values received", received, is: count / 2 * 2)
        try expect("the last value", combined.value, is: count / 2 * 2)
        try expect("the waves", graph.statistics.waves, is: count / 2 * 2)
        return measurement
    }
}
