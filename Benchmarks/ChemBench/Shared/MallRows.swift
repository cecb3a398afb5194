import ChemLibrary

/// Waves through a mall of 300 stores, written by as many operators.
enum MallRows {
    static let all = [
        Row("flow/mall-300", 2_000, quick: 300, against: "counter/inject") { try await waves($0) }
    ]

    /// An operation is a wave: a value that is sent, and runs all operators.
    static func waves(_ count: Int) async throws -> Measurement {
        let mall = GridMall()
        let graph = mall.open()
        let start = ContinuousClock.now
        for number in 0..<count { mall.source.send(number) }
        try await graph.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum of the last layer", mall.sum.total, is: Grid.sum(ofWaves: count))
        try expect("the operators run", graph.statistics.recomputations, is: count * (Grid.nodes + Grid.width))
        return measurement
    }
}

/// A source, and layers of nodes; in the odd ones each node zips two nodes of the layer above.
struct GridMall: Mall {
    let source = MallInput(0)
    let sum = Sum()
    private let nodes = (0..<Grid.layers).map { _ in (0..<Grid.width).map { _ in MallStore(0) } }

    func prepareDataOpsGraph() -> [DataOp] {
        for layer in 0..<Grid.layers {
            for column in 0..<Grid.width {
                if layer == 0 {
                    op {
                        source>!
                        compute { (x: Int) in x &+ column }
                        ~>nodes[layer][column]
                    }
                } else if Grid.addsTwo(layer) {
                    op {
                        nodes[layer - 1][column]>%
                        nodes[layer - 1][Grid.partner(of: column)]>%
                        compute { (x: Int, y: Int) in x &+ y }
                        ~>nodes[layer][column]
                    }
                } else {
                    op {
                        nodes[layer - 1][column]>!
                        compute { (x: Int) in x &+ column }
                        ~>nodes[layer][column]
                    }
                }
            }
        }
        for node in nodes[Grid.layers - 1] {
            op {
                node>!
                compute { (x: Int) in sum.add(x) }
                ~>devNull
            }
        }
    }
}
