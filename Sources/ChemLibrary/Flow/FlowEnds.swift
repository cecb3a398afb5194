/// Which nodes of a sealed graph can still get values.
///
/// A node can if it is open, or if an operator that can still run writes it, even by feedback. A node that nothing
/// leads to any more ends. So does a cycle, when no value is on its way in it. The graph checks this when a source
/// finishes, and when the last value that waited in a zip is taken after its stream has ended: never from wave to wave.
struct FlowEnds {
    struct Node {
        let isOpen: Bool
        /// The operators that it triggers, alone or with others.
        var runs: [Int] = []
        var isFinished = false
        /// Called when no more values will come: tells subscribers.
        var end: () -> Void = {}
    }

    struct Operator {
        let triggers: [Int]
        let zips: [FlowZip]
        let outputs: [Int]
    }

    var nodes: [Node] = []
    private var operators: [Operator] = []
    /// Whether something has happened that may end nodes.
    private(set) var isDue = false
    /// How often an operator was examined.
    private(set) var looks = 0

    mutating func set(_ operators: [Operator]) {
        self.operators = operators
        for (index, operation) in operators.enumerated() {
            for node in operation.triggers + operation.zips.map(\.node) { nodes[node].runs.append(index) }
        }
    }

    /// Notes that no more values will come for the open node `index`.
    mutating func finish(_ index: Int) {
        guard nodes[index].isOpen, !nodes[index].isFinished else { return }
        end(index)
        isDue = true
    }

    /// Notes that no more values will come at all.
    mutating func finishAll() {
        for index in nodes.indices where !nodes[index].isFinished { end(index) }
    }

    /// Notes that a zip has taken the last value of a stream that has ended.
    mutating func noteDrainedZip() { isDue = true }

    private mutating func end(_ index: Int) {
        nodes[index].isFinished = true
        nodes[index].end()
        for operation in nodes[index].runs {
            for zip in operators[operation].zips where zip.node == index { zip.close() }
        }
    }

    /// Ends all nodes that can't get values any more, and what zips collect that have lost a partner. No value may be
    /// on its way.
    ///
    /// - Complexity: O(nodes and operators of the graph).
    mutating func propagate() {
        isDue = false
        var isAlive = nodes.map { $0.isOpen && !$0.isFinished }
        var canRun = operators.map { _ in false }
        var alive = nodes.indices.filter { isAlive[$0] }
        while let node = alive.popLast() {
            for index in nodes[node].runs where !canRun[index] {
                looks += 1
                let operation = operators[index]
                guard
                    operation.triggers.contains(where: { isAlive[$0] })
                        || operation.zips.allSatisfy({ isAlive[$0.node] || $0.pending() > 0 })
                else { continue }
                canRun[index] = true
                for output in operation.outputs where !isAlive[output] {
                    isAlive[output] = true
                    alive.append(output)
                }
            }
        }
        for operation in operators
        where operation.zips.contains(where: { !isAlive[$0.node] && $0.pending() == 0 }) {
            for zip in operation.zips { zip.stop() }
        }
        for index in nodes.indices where !isAlive[index] && !nodes[index].isFinished { end(index) }
    }
}

/// A zipped input of an operator.
@usableFromInline
package struct FlowZip {
    let node: Int
    /// How many values wait in it.
    let pending: () -> Int
    /// Notes that no more values will come: the zip then tells the graph when its last value is taken.
    let close: () -> Void
    /// Has values that still come dropped, since their partners never will.
    let stop: () -> Void
    /// Drops the waiting values.
    let clear: () -> Void
}
