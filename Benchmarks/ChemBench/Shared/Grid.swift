/// The graph of the rows `mall-300`: a source, and 30 layers of 10 nodes.
///
/// Nodes of the even layers add their column to what the node above has. Those of the odd layers add two nodes of the
/// layer above, which both come from the same source: 15 rows of diamonds.
enum Grid {
    static let layers = 30
    static let width = 10
    /// The nodes of all layers, without the source.
    static let nodes = layers * width

    static func addsTwo(_ layer: Int) -> Bool { layer % 2 == 1 }

    /// The column of the second node that a node of an odd layer adds.
    static func partner(of column: Int) -> Int { (column + 1) % width }

    /// What the last layer has in all when the source has `value`.
    static func sum(for value: Int) -> Int {
        var row = [Int](repeating: value, count: width)
        for layer in 0..<layers {
            row = (0..<width).map { addsTwo(layer) ? row[$0] &+ row[partner(of: $0)] : row[$0] &+ $0 }
        }
        return row.reduce(0, &+)
    }

    /// What the last layer has sent in all when the source has sent `0..<waves`.
    static func sum(ofWaves waves: Int) -> Int { (0..<waves).reduce(0) { $0 &+ sum(for: $1) } }
}
