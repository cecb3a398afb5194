import AsyncAlgorithms

/// With `AsyncChannel`, whose sender waits for the consumer, and the operators of swift-async-algorithms.
enum AsyncAlgorithmsRows {
    static let all = [
        Row("map-filter/asyncalgorithms", 50_000, quick: 10_000) { count in
            let source = AsyncChannel<Int>()
            return try await sum(source.map(Works.triple).filter(Works.isEven), is: Works.mapFilter(count)) {
                await send(count, to: source)
            }
        },
        Row("chain-10/asyncalgorithms", 50_000, quick: 10_000) { count in
            let source = AsyncChannel<Int>()
            let chain = source.map(Works.increment).map(Works.increment).map(Works.increment).map(Works.increment)
                .map(Works.increment).map(Works.increment).map(Works.increment).map(Works.increment)
                .map(Works.increment).map(Works.increment)
            return try await sum(chain, is: Works.chain(count)) { await send(count, to: source) }
        },
        Row("zip-2/asyncalgorithms", 20_000, quick: 5_000) { count in
            let (a, b) = (AsyncChannel<Int>(), AsyncChannel<Int>())
            return try await sum(zip(a, b).map { $0 &+ $1 }, is: Works.pairs(count)) {
                for number in 0..<count {
                    await a.send(number)
                    await b.send(number)
                }
                a.finish()
                b.finish()
            }
        },
        Row("diamond/asyncalgorithms", 20_000, quick: 5_000) { count in
            let source = AsyncChannel<Int>()
            let shared = source.share()
            let diamond = zip(shared.map(Works.increment), shared.map(Works.double)).map { $0 &+ $1 }
            // `share` gives a side nothing of what came before it asked for the first time: that may be a value or two.
            let missed = Works.diamond(count) - Works.diamond(count - 2)
            return try await sum(diamond, is: Works.diamond(count), missing: missed) {
                await send(count, to: source)
            }
        },
        Row("zip-tasks/asyncalgorithms", 20_000, quick: 5_000) { count in
            let (a, b) = (AsyncChannel<Int>(), AsyncChannel<Int>())
            return try await sum(zip(a, b).map { $0 &+ $1 }, is: Works.pairs(count)) {
                await together {
                    await send(count, to: a)
                } _: {
                    await send(count, to: b)
                }
            }
        },
        Row("latest-tasks/asyncalgorithms", 20_000, quick: 5_000) { count in
            let (a, b) = (AsyncChannel<Int>(), AsyncChannel<Int>())
            let received = Received()
            let latest = combineLatest(a, b)
            let start = ContinuousClock.now
            let producer = Task.detached {
                await together {
                    await send(count, to: a)
                } _: {
                    await send(count, to: b)
                }
            }
            for await (x, y) in latest { received.add(x &+ y) }
            let measurement = Measurement.since(start)
            await producer.value
            // Nothing comes before both have sent, so how many come depends on who is first.
            try expect("the last two", received.latest, is: 2 * (count - 1))
            try expect("whether each send was noticed", (count..<(2 * count)).contains(received.times), is: true)
            return measurement
        },
        Row("mall-300/asyncalgorithms", 20, quick: 10) { count in
            // A task for each node, as with AsyncStream; nodes that add two zip two channels.
            let received = Received()
            let start = ContinuousClock.now
            await withDiscardingTaskGroup { group in
                let (first, sources) = fanOut(into: 0)
                var row = first
                group.addTask {
                    for number in 0..<count { for channel in sources.joined() { await channel.send(number) } }
                    for channel in sources.joined() { channel.finish() }
                }
                for layer in 0..<Grid.layers {
                    let (next, inputs) = fanOut(into: layer + 1)
                    for column in 0..<Grid.width {
                        let (a, b) = row[column]
                        let targets = inputs[column]
                        group.addTask {
                            if let b {
                                for await (x, y) in zip(a, b) {
                                    for target in targets { await target.send(x &+ y) }
                                }
                            } else {
                                for await x in a { for target in targets { await target.send(x &+ column) } }
                            }
                            for target in targets { target.finish() }
                        }
                    }
                    row = next
                }
                for (last, _) in row {
                    group.addTask { for await number in last { received.addAtomically(number) } }
                }
            }
            let measurement = Measurement.since(start)
            try expect("the sum of the last layer", received.total, is: Grid.sum(ofWaves: count))
            return measurement
        },
    ]

    /// The channels that a node reads: of the node above it, and of that node's neighbour if it adds two.
    private typealias Inputs = (own: AsyncChannel<Int>, asPartner: AsyncChannel<Int>?)
    private typealias Targets = [AsyncChannel<Int>]

    /// The channels that lead into `layer`, by the reader and by the writer.
    private static func fanOut(into layer: Int) -> ([Inputs], [Targets]) {
        let addsTwo = layer < Grid.layers && Grid.addsTwo(layer)
        let inputs: [Inputs] = (0..<Grid.width).map { _ in (AsyncChannel(), addsTwo ? AsyncChannel() : nil) }
        var targets = [Targets](repeating: [], count: Grid.width)
        for column in 0..<Grid.width {
            targets[column].append(inputs[column].own)
            if let partner = inputs[column].asPartner { targets[Grid.partner(of: column)].append(partner) }
        }
        return (inputs, targets)
    }

    private static func send(_ count: Int, to channel: AsyncChannel<Int>) async {
        for number in 0..<count { await channel.send(number) }
        channel.finish()
    }

    private static func sum<Values: AsyncSequence & Sendable>(
        _ values: Values,
        is wanted: Int,
        missing: Int = 0,
        _ produce: @escaping @Sendable () async -> Void
    ) async throws -> Measurement where Values.Element == Int {
        let received = Received()
        let start = ContinuousClock.now
        let producer = Task.detached { await produce() }
        for try await number in values { received.add(number) }
        let measurement = Measurement.since(start)
        await producer.value
        if missing == 0 {
            try expect("the sum", received.total, is: wanted)
        } else {
            try expect(
                "whether the sum is as it may be",
                (wanted - missing...wanted).contains(received.total),
                is: true
            )
        }
        return measurement
    }
}
