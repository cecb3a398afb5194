import ChemLibrary

/// With the streams and the mall of ChemLibrary: senders only send, the graph runs beside them.
enum OurRows {
    static let all = [
        row("map-filter", 500_000, quick: 100_000, against: "opencombine", and: ["asyncstream", "asyncalgorithms"]) {
            count in
            let source = EventSource<Int>()
            return try await measure(is: Works.mapFilter(count)) { result in
                source >-- (EventStream<Int>(), Works.triple) --| (EventStream<Int>(), Works.isEven) --^ result
            } sending: {
                for number in 0..<count { source.send(number) }
            }
        },
        row("chain-10", 200_000, quick: 50_000, against: "opencombine", and: ["asyncstream", "asyncalgorithms"]) {
            count in
            let source = EventSource<Int>()
            return try await measure(is: Works.chain(count)) { result in
                var last = EventStream<Int>()
                source >-- (last, Works.increment)
                for _ in 2...10 {
                    let next = EventStream<Int>()
                    last >-- (next, Works.increment)
                    last = next
                }
                last --^ result
            } sending: {
                for number in 0..<count { source.send(number) }
            }
        },
        row("zip-2", 200_000, quick: 50_000, against: "opencombine", and: ["asyncstream", "asyncalgorithms"]) { count in
            let (a, b) = (EventSource<Int>(), EventSource<Int>())
            return try await measure(is: Works.pairs(count)) {
                zip(a, b, into: $0)
            } sending: {
                for number in 0..<count {
                    a.send(number)
                    b.send(number)
                }
            }
        },
        row("diamond", 200_000, quick: 50_000, against: "opencombine", and: ["asyncstream", "asyncalgorithms"]) {
            count in
            let source = EventSource<Int>()
            return try await measure(is: Works.diamond(count)) { result in
                let (left, right) = (Cell(initialValue: 0, limit: 1), Cell(initialValue: 0, limit: 1))
                source --^ (left, Works.increment)
                source --^ (right, Works.double)
                (left, right) --^ (result, { $0 &+ $1 })
            } sending: {
                for number in 0..<count { source.send(number) }
            }
        },
        row("zip-tasks", 200_000, quick: 50_000, against: "opencombine", and: ["asyncstream", "asyncalgorithms"]) {
            count in
            let (a, b) = (EventSource<Int>(), EventSource<Int>())
            return try await measure(is: Works.pairs(count)) {
                zip(a, b, into: $0)
            } sending: {
                await together {
                    for number in 0..<count { a.send(number) }
                } _: {
                    for number in 0..<count { b.send(number) }
                }
            }
        },
        row("latest-tasks", 200_000, quick: 50_000, against: "asyncalgorithms") { count in
            let (a, b) = (EventSource<Int>(), EventSource<Int>())
            let received = Received()
            let graph = FlowGraph("latest") {
                let (left, right) = (Cell(initialValue: 0, limit: 1), Cell(initialValue: 0, limit: 1))
                a --^ left
                b --^ right
                (left, right) --^ (Cell(initialValue: 0, limit: 1), { $0 &+ $1 }) --< (Outlet(), { received.add($0) })
            }
            let start = ContinuousClock.now
            await together {
                for number in 0..<count { a.send(number) }
            } _: {
                for number in 0..<count { b.send(number) }
            }
            try await graph.quiescence()
            let measurement = Measurement.since(start)
            try expect("the last two", received.latest, is: 2 * (count - 1))
            try expect("how often there were new ones", received.times, is: 2 * count)
            return measurement
        },
        row("mall-300", 2_000, quick: 300, against: "opencombine", and: ["asyncstream", "asyncalgorithms"]) { count in
            try await MallRows.waves(count)
        },
    ]

    private static func row(
        _ name: String,
        _ operations: Int,
        quick: Int,
        against baseline: String,
        and companions: [String] = [],
        work: @escaping Row.Work
    ) -> Row {
        Row(
            "\(name)/chem",
            operations,
            quick: quick,
            against: "\(name)/\(baseline)",
            and: companions.map { "\(name)/\($0)" },
            work: work
        )
    }

    private static func zip(_ a: EventSource<Int>, _ b: EventSource<Int>, into result: Cell<Int>) {
        let (first, second, both) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
        a >-- first
        b >-- second
        (first, second) --* (both, { $0 &+ $1 })
        both --^ result
    }

    /// Adds up what comes out of the graph that `wiring` makes.
    private static func measure(
        is sum: Int,
        _ wiring: (Cell<Int>) -> Void,
        sending: () async -> Void
    ) async throws -> Measurement {
        let received = Received()
        let graph = FlowGraph("peers") {
            let result = Cell(initialValue: 0, limit: 1)
            wiring(result)
            result --< (Outlet(), { received.add($0) })
        }
        let start = ContinuousClock.now
        await sending()
        try await graph.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum", received.total, is: sum)
        return measurement
    }
}
