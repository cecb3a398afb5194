// Compiled before there was strict concurrency.
@preconcurrency import OpenCombine

/// With subjects and publishers of OpenCombine. Senders run everything themselves.
enum OpenCombineRows {
    static let all = [
        Row("map-filter/opencombine", 500_000, quick: 100_000) { count in
            let source = PassthroughSubject<Int, Never>()
            let received = Received()
            let sink = source.map(Works.triple).filter(Works.isEven).sink { received.add($0) }
            let start = ContinuousClock.now
            for number in 0..<count { source.send(number) }
            let measurement = Measurement.since(start)
            sink.cancel()
            try expect("the sum", received.total, is: Works.mapFilter(count))
            return measurement
        },
        Row("chain-10/opencombine", 200_000, quick: 50_000) { count in
            let source = PassthroughSubject<Int, Never>()
            let received = Received()
            let sink = source.map(Works.increment).map(Works.increment).map(Works.increment).map(Works.increment)
                .map(Works.increment).map(Works.increment).map(Works.increment).map(Works.increment)
                .map(Works.increment).map(Works.increment).sink { received.add($0) }
            let start = ContinuousClock.now
            for number in 0..<count { source.send(number) }
            let measurement = Measurement.since(start)
            sink.cancel()
            try expect("the sum", received.total, is: Works.chain(count))
            return measurement
        },
        Row("zip-2/opencombine", 200_000, quick: 50_000) { count in
            let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
            let received = Received()
            let sink = a.zip(b).sink { received.add($0 &+ $1) }
            let start = ContinuousClock.now
            for number in 0..<count {
                a.send(number)
                b.send(number)
            }
            let measurement = Measurement.since(start)
            sink.cancel()
            try expect("the sum", received.total, is: Works.pairs(count))
            return measurement
        },
        Row("diamond/opencombine", 200_000, quick: 50_000) { count in
            let source = PassthroughSubject<Int, Never>()
            let received = Received()
            let sink = source.map(Works.increment).zip(source.map(Works.double)).sink { received.add($0 &+ $1) }
            let start = ContinuousClock.now
            for number in 0..<count { source.send(number) }
            let measurement = Measurement.since(start)
            sink.cancel()
            try expect("the sum", received.total, is: Works.diamond(count))
            return measurement
        },
        Row("zip-tasks/opencombine", 200_000, quick: 50_000) { count in
            let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
            let received = Received()
            let sink = a.zip(b).sink { received.add($0 &+ $1) }
            let start = ContinuousClock.now
            await together {
                for number in 0..<count { a.send(number) }
            } _: {
                for number in 0..<count { b.send(number) }
            }
            let measurement = Measurement.since(start)
            sink.cancel()
            try expect("the sum", received.total, is: Works.pairs(count))
            return measurement
        },
        Row("mall-300/opencombine", 2_000, quick: 300) { count in
            let graph = SubjectGrid()
            let start = ContinuousClock.now
            for number in 0..<count { graph.source.send(number) }
            let measurement = Measurement.since(start)
            try expect("the sum of the last layer", graph.received.total, is: Grid.sum(ofWaves: count))
            graph.cancel()
            return measurement
        },
    ]
}

/// The grid as the mall of the seed would have it: a `CurrentValueSubject` for each node.
private final class SubjectGrid {
    let source = CurrentValueSubject<Int, Never>(0)
    let received = Received()
    private var nodes: [[CurrentValueSubject<Int, Never>]] = []
    private var sinks: [AnyCancellable] = []

    init() {
        for layer in 0..<Grid.layers {
            let above = nodes.last ?? [CurrentValueSubject](repeating: source, count: Grid.width)
            let row = (0..<Grid.width).map { _ in CurrentValueSubject<Int, Never>(0) }
            for (column, node) in row.enumerated() {
                let a = above[column].dropFirst()
                let sink =
                    if Grid.addsTwo(layer) {
                        a.zip(above[Grid.partner(of: column)].dropFirst()).map { $0 &+ $1 }
                            .sink { [unowned node] in node.send($0) }
                    } else {
                        a.map { $0 &+ column }.sink { [unowned node] in node.send($0) }
                    }
                sinks.append(sink)
            }
            nodes.append(row)
        }
        for node in nodes[Grid.layers - 1] {
            sinks.append(node.dropFirst().sink { [received] in received.add($0) })
        }
    }

    func cancel() {
        for sink in sinks { sink.cancel() }
    }
}
