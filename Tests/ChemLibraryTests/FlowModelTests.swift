import ChemLibrary
import TestSupport
import Testing

/// Random graphs and scripts, run by a pure model and by the engine in both of its modes: all must agree.
@Suite("Flow and its model", .endsInTime)
struct FlowModelTests {
    @Test("1,500 random graphs: the model, the fused and the textbook mode give equal histories")
    func agree() async throws {
        for seed in 1...1_500 {
            var random = Random(seed: UInt64(seed))
            let wiring = Wiring(&random)
            let script = wiring.script(&random)
            let expected = Model(wiring).run(script)
            let fused = try await Engine(wiring, .fused, &random).run(script)
            #expect(fused == expected, "seed \(seed), fused: \(wiring), \(script)")
            guard seed % 5 == 0 else { continue }
            let reference = try await Engine(wiring, .reference, &random).run(script)
            #expect(reference == expected, "seed \(seed), reference: \(wiring), \(script)")
        }
    }

    @Test("60 random graphs of 200 lifts, wired in random order: all initial values are those of the model")
    func initialValues() {
        for seed in 1...60 {
            var random = Random(seed: UInt64(seed))
            let cells = (0..<200).map { Cell(initialValue: $0) }
            var model = Array(0..<200)
            var lifts: [(Int, Int, Int)] = []
            for index in 2..<200 where random.below(10) > 0 {
                lifts.append((random.below(index), random.below(index), index))
            }
            for (a, b, target) in lifts { model[target] = model[a] &* 3 &+ model[b] }
            for index in lifts.indices.reversed() { lifts.swapAt(index, random.below(index + 1)) }
            for (a, b, target) in lifts {
                (cells[a], cells[b]) --^ (cells[target], { $0 &* 3 &+ $1 })
                // Some are read in between.
                if random.below(20) == 0 { _ = cells[random.below(200)].value }
            }
            #expect(cells.map(\.value) == model, "seed \(seed)")
        }
    }
}

/// Small, and the same everywhere.
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}

/// A graph as data. Nodes are numbered: sources first, then streams and cells.
struct Wiring: CustomStringConvertible {
    enum Node { case source, stream, cell }

    enum Edge {
        /// `f` of each value.
        case map(Int, Int, Int)
        case filter(Int, Int, Int)
        /// Streams into a cell.
        case merge([Int], Int)
        case lift([Int], Int)
        case snapshot(Int, Int, Int)
        case accumulate(Int, Int)
        /// Two nodes into one cell, at times in one wave.
        case accumulateBoth(Int, Int, Int)
        case zip(Int, Int, Int)
    }

    var nodes: [Node] = []
    var edges: [Edge] = []
    /// The order in which they are wired. It must not matter, but for cells with several writers.
    var order: [Int] = []

    /// At most twelve nodes, each of which takes what is before it; besides, accumulating cells read themselves, and
    /// snapshots any cell.
    init(_ random: inout Random) {
        let sources = 1 + random.below(3)
        nodes = Array(repeating: .source, count: sources)
        for index in sources..<(sources + 2 + random.below(12 - sources - 1)) {
            func any() -> Int { random.below(index) }
            let cells = nodes.indices.filter { nodes[$0] == .cell }
            let streams = nodes.indices.filter { nodes[$0] == .stream }
            func pick(_ from: [Int]) -> Int { from[random.below(from.count)] }
            switch random.below(8) {
            case 0, 1:
                nodes.append(random.below(2) == 0 ? .stream : .cell)
                edges.append(.map(any(), index, random.below(3)))
            case 2:
                nodes.append(.stream)
                edges.append(.filter(any(), index, 2 + random.below(2)))
            case 3 where streams.count > 1:
                nodes.append(.cell)
                edges.append(.merge([pick(streams), pick(streams)], index))
            case 4 where cells.count > 1:
                nodes.append(.cell)
                edges.append(.lift([pick(cells), pick(cells)], index))
            case 5 where !cells.isEmpty:
                nodes.append(.stream)
                edges.append(.snapshot(any(), pick(cells), index))
            case 6 where streams.count > 1:
                nodes.append(.stream)
                edges.append(.zip(pick(streams), pick(streams), index))
            case 7:
                nodes.append(.cell)
                edges.append(.accumulateBoth(any(), any(), index))
            default:
                nodes.append(.cell)
                edges.append(.accumulate(any(), index))
            }
        }
        // Snapshots may read what comes after them: cycles, by what is held.
        let cells = nodes.indices.filter { nodes[$0] == .cell }
        for (place, edge) in edges.enumerated() {
            guard case .snapshot(let source, _, let to) = edge, random.below(2) == 0 else { continue }
            edges[place] = .snapshot(source, cells[random.below(cells.count)], to)
        }
        order = Array(edges.indices)
        for index in order.indices.reversed() { order.swapAt(index, random.below(index + 1)) }
    }

    /// Each step sends to some sources, all in one wave.
    func script(_ random: inout Random) -> [[(source: Int, value: Int)]] {
        let sources = nodes.count { $0 == .source }
        return (0..<8).map { _ in
            (0..<sources).filter { $0 == 0 || random.below(3) == 0 }.map { ($0, random.below(20) - 5) }
        }
    }

    static func function(_ kind: Int) -> @Sendable (Int) -> Int {
        switch kind {
        case 0: { $0 &+ 1 }
        case 1: { $0 &* 2 }
        default: { 7 &- $0 }
        }
    }

    static func passes(_ kind: Int) -> @Sendable (Int) -> Bool { { $0 % kind == 0 } }

    var description: String { "\(nodes), \(edges), wired in the order \(order)" }
}

/// What a graph means, without any engine: nodes are computed in their order, wave by wave.
struct Model {
    let wiring: Wiring
    var current: [Int]
    var queues: [Int: ([Int], [Int])] = [:]
    var histories: [[Int]]

    init(_ wiring: Wiring) {
        self.wiring = wiring
        current = wiring.nodes.indices.map { $0 }
        histories = wiring.nodes.map { _ in [] }
        // Lifts begin with what they combine.
        for edge in wiring.edges {
            if case .lift(let cells, let target) = edge { current[target] = cells.map { current[$0] }.reduce(100, &-) }
        }
    }

    mutating func wave(_ step: [(source: Int, value: Int)]) {
        var event = [Int?](repeating: nil, count: wiring.nodes.count)
        for (source, value) in step { event[source] = value }
        let before = current
        for edge in wiring.edges {
            let target: Int
            var result: Int?
            switch edge {
            case .map(let source, let to, let kind):
                target = to
                result = event[source].map(Wiring.function(kind))
            case .filter(let source, let to, let kind):
                target = to
                if let value = event[source], Wiring.passes(kind)(value) { result = value }
            case .merge(let streams, let to):
                target = to
                result = streams.compactMap { event[$0] }.last
            case .lift(let cells, let to):
                target = to
                if cells.contains(where: { event[$0] != nil }) {
                    result = cells.map { current[$0] }.reduce(100, &-)
                }
            case .snapshot(let source, let cell, let to):
                target = to
                result = event[source].map { $0 &* 3 &+ before[cell] }
            case .accumulate(let source, let to):
                target = to
                result = event[source].map { before[to] &+ $0 }
            case .accumulateBoth(let first, let second, let to):
                target = to
                for value in [event[first], event[second]] {
                    if let value { result = (result ?? before[to]) &* 3 &+ value }
                }
            case .zip(let first, let second, let to):
                target = to
                var queue = queues[to] ?? ([], [])
                if let value = event[first] { queue.0.append(value) }
                if let value = event[second] { queue.1.append(value) }
                if !queue.0.isEmpty, !queue.1.isEmpty { result = queue.0.removeFirst() &- queue.1.removeFirst() }
                queues[to] = queue
            }
            guard let result else { continue }
            event[target] = result
            if wiring.nodes[target] == .cell {
                current[target] = result
                histories[target].append(result)
            }
        }
    }

    func run(_ script: [[(source: Int, value: Int)]]) -> [[Int]] {
        var model = self
        for step in script { model.wave(step) }
        return model.histories
    }
}

/// The same graph, wired with operators in random order.
struct Engine {
    let wiring: Wiring
    let graph: FlowGraph
    private(set) var sources: [Int: EventSource<Int>] = [:]
    /// What each source has sent, and in which wave.
    private(set) var arrivals: [Int: Cell<Int>] = [:]
    private var streams: [Int: EventStream<Int>] = [:]
    private var cells: [Int: Cell<Int>] = [:]

    init(_ wiring: Wiring, _ mode: FlowGraph.Mode, _ random: inout Random) {
        self.wiring = wiring
        for (index, node) in wiring.nodes.enumerated() {
            switch node {
            case .source: (sources[index], arrivals[index]) = (EventSource(), Cell(initialValue: 0))
            case .stream: streams[index] = EventStream()
            case .cell: cells[index] = Cell(initialValue: index)
            }
        }
        let (sources, arrivals, streams, cells) = (sources, arrivals, streams, cells)
        /// A stream of what the node passes.
        func stream(_ index: Int) -> EventStream<Int> {
            if let stream = streams[index] { return stream }
            let copy = EventStream<Int>()
            if let source = sources[index] { source >-- copy }
            if let cell = cells[index] { cell >-- copy }
            return copy
        }
        graph = FlowGraph("model", mode: mode) {
            for place in wiring.order {
                switch wiring.edges[place] {
                case .map(let source, let to, let kind):
                    if let target = streams[to] { stream(source) >-- (target, Wiring.function(kind)) }
                    if let target = cells[to] { stream(source) --^ (target, Wiring.function(kind)) }
                case .filter(let source, let to, let kind):
                    stream(source) --| (streams[to]!, Wiring.passes(kind))
                case .merge(let inputs, let to):
                    inputs.map { streams[$0]! } --& cells[to]!
                case .lift(let inputs, let to):
                    (cells[inputs[0]]!, cells[inputs[1]]!) --^ (cells[to]!, { 100 &- $0 &- $1 })
                case .snapshot(let source, let cell, let to):
                    (stream(source), cells[cell]!) --% (streams[to]!, { $0 &* 3 &+ $1 })
                case .accumulate(let source, let to):
                    stream(source) --+ (cells[to]!, { $0 &+ $1 })
                case .accumulateBoth(let first, let second, let to):
                    stream(first) --+ (cells[to]!, { $0 &* 3 &+ $1 })
                    stream(second) --+ (cells[to]!, { $0 &* 3 &+ $1 })
                case .zip(let first, let second, let to):
                    (streams[first]!, streams[second]!) --* (streams[to]!, { $0 &- $1 })
                }
            }
            // Nodes that nothing is wired to belong to it as well.
            for (index, source) in sources { source --^ arrivals[index]! }
        }
    }

    func run(_ script: [[(source: Int, value: Int)]]) async throws -> [[Int]] {
        for step in script {
            graph.transaction { for (source, value) in step { sources[source]!.send(value) } }
        }
        try await graph.quiescence()
        return histories
    }

    /// What each cell has been, in the order of the nodes.
    var histories: [[Int]] { wiring.nodes.indices.map { cells[$0]?.history.map(\.value) ?? [] } }
}
