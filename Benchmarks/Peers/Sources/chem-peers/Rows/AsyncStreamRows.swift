/// With `AsyncStream` and the sequence operators of the standard library; one task produces, another consumes.
enum AsyncStreamRows {
    static let all = [
        Row("map-filter/asyncstream", 200_000, quick: 50_000) { count in
            try await throughOne(count, expecting: Works.mapFilter(count)) {
                $0.map(Works.triple).filter(Works.isEven)
            }
        },
        Row("chain-10/asyncstream", 200_000, quick: 50_000) { count in
            try await throughOne(count, expecting: Works.chain(count)) {
                $0.map(Works.increment).map(Works.increment).map(Works.increment).map(Works.increment)
                    .map(Works.increment).map(Works.increment).map(Works.increment).map(Works.increment)
                    .map(Works.increment).map(Works.increment)
            }
        },
        Row("zip-2/asyncstream", 100_000, quick: 25_000) { count in
            let (streamA, a) = AsyncStream.makeStream(of: Int.self)
            let (streamB, b) = AsyncStream.makeStream(of: Int.self)
            return try await pairs(streamA, streamB, expecting: Works.pairs(count)) {
                for number in 0..<count {
                    a.yield(number)
                    b.yield(number)
                }
                a.finish()
                b.finish()
            }
        },
        Row("zip-tasks/asyncstream", 100_000, quick: 25_000) { count in
            let (streamA, a) = AsyncStream.makeStream(of: Int.self)
            let (streamB, b) = AsyncStream.makeStream(of: Int.self)
            return try await pairs(streamA, streamB, expecting: Works.pairs(count)) {
                await together {
                    for number in 0..<count { a.yield(number) }
                    a.finish()
                } _: {
                    for number in 0..<count { b.yield(number) }
                    b.finish()
                }
            }
        },
        Row("diamond/asyncstream", 100_000, quick: 25_000) { count in
            let (streamA, a) = AsyncStream.makeStream(of: Int.self)
            let (streamB, b) = AsyncStream.makeStream(of: Int.self)
            return try await pairs(
                streamA.map(Works.increment),
                streamB.map(Works.double),
                expecting: Works.diamond(count)
            ) {
                for number in 0..<count {
                    a.yield(number)
                    b.yield(number)
                }
                a.finish()
                b.finish()
            }
        },
        Row("mall-300/asyncstream", 200, quick: 50) { count in
            // A task for each node; each stream has one consumer, so a node has a stream for each node that it goes to.
            let received = Received()
            let start = ContinuousClock.now
            await withDiscardingTaskGroup { group in
                let (first, sources) = fanOut(into: 0)
                var row = first
                for layer in 0..<Grid.layers {
                    let (next, inputs) = fanOut(into: layer + 1)
                    for column in 0..<Grid.width {
                        let (a, b) = (row[column].own, row[column].asPartner)
                        let targets = inputs[column]
                        group.addTask {
                            if let b {
                                var other = b.makeAsyncIterator()
                                for await x in a {
                                    guard let y = await other.next(isolation: nil) else { break }
                                    for target in targets { target.yield(x &+ y) }
                                }
                            } else {
                                for await x in a { for target in targets { target.yield(x &+ column) } }
                            }
                            for target in targets { target.finish() }
                        }
                    }
                    row = next
                }
                for (last, _) in row {
                    group.addTask { for await number in last { received.addAtomically(number) } }
                }
                for number in 0..<count { for target in sources.joined() { target.yield(number) } }
                for target in sources.joined() { target.finish() }
            }
            let measurement = Measurement.since(start)
            try expect("the sum of the last layer", received.total, is: Grid.sum(ofWaves: count))
            return measurement
        },
    ]

    /// The streams that a node reads: of the node above it, and of that node's neighbour if it adds two.
    private typealias Inputs = (own: AsyncStream<Int>, asPartner: AsyncStream<Int>?)
    private typealias Targets = [AsyncStream<Int>.Continuation]

    /// The streams that lead into `layer`, by the reader, and their ends by the writer.
    private static func fanOut(into layer: Int) -> ([Inputs], [Targets]) {
        var inputs: [Inputs] = []
        var targets = [Targets](repeating: [], count: Grid.width)
        for column in 0..<Grid.width {
            let own = AsyncStream.makeStream(of: Int.self)
            targets[column].append(own.continuation)
            if layer < Grid.layers && Grid.addsTwo(layer) {
                let other = AsyncStream.makeStream(of: Int.self)
                targets[Grid.partner(of: column)].append(other.continuation)
                inputs.append((own.stream, other.stream))
            } else {
                inputs.append((own.stream, nil))
            }
        }
        return (inputs, targets)
    }

    private static func throughOne<Result: AsyncSequence & Sendable>(
        _ count: Int,
        expecting sum: Int,
        _ operators: (AsyncStream<Int>) -> Result
    ) async throws -> Measurement where Result.Element == Int {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let result = operators(stream)
        let received = Received()
        let start = ContinuousClock.now
        let producer = Task.detached {
            for number in 0..<count { continuation.yield(number) }
            continuation.finish()
        }
        for try await number in result { received.add(number) }
        let measurement = Measurement.since(start)
        await producer.value
        try expect("the sum", received.total, is: sum)
        return measurement
    }

    private static func pairs(
        _ a: some AsyncSequence<Int, Never>,
        _ b: some AsyncSequence<Int, Never>,
        expecting sum: Int,
        _ produce: @escaping @Sendable () async -> Void
    ) async throws -> Measurement {
        let received = Received()
        let start = ContinuousClock.now
        let producer = Task.detached { await produce() }
        var (first, second) = (a.makeAsyncIterator(), b.makeAsyncIterator())
        while let x = await first.next(isolation: nil), let y = await second.next(isolation: nil) {
            received.add(x &+ y)
        }
        let measurement = Measurement.since(start)
        await producer.value
        try expect("the sum", received.total, is: sum)
        return measurement
    }
}
