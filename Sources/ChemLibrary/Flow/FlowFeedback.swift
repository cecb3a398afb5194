import ChemBase

/// The values that waves leave for later: each gets a wave of its own.
struct FlowFeedback {
    struct Put {
        /// How far its node is from the beginning.
        let level: Int
        /// The number of the operator.
        let order: Int
        /// Whether no cycle leads there, and it comes later only since a transaction has sent to the node before.
        let isDelay: Bool
        let run: () -> Void
    }

    private var queue = FIFO<Put>()
    /// Those of the present wave.
    private var present: [Put] = []

    /// Whether the present wave has left any.
    var hasNew: Bool { !present.isEmpty }

    mutating func add(_ put: Put) { present.append(put) }

    mutating func popFirst() -> Put? { queue.popFirst() }

    /// The wave is over: gives its values their places, which don't depend on when operators ran in it.
    ///
    /// Those for the end of the graph come first, as those of a transaction do: so what follows from several values has
    /// the last word. Of several for one node, that of the operator listed last comes last.
    mutating func endWave() {
        switch present.count {
        case 1: queue.append(present[0])
        default:
            let places = present.indices.sorted { first, second in
                let (one, other) = (present[first], present[second])
                return (-one.level, one.order, first) < (-other.level, other.order, second)
            }
            for place in places { queue.append(present[place]) }
        }
        present.removeAll(keepingCapacity: present.count < 1_024)
    }
}
