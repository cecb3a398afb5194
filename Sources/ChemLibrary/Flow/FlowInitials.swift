/// Initial values while they are computed from others: keeps those computed so far, until all are and can be shown.
///
/// Functions of users run here, outside any lock. Their results are used only if nothing was wired meanwhile.
@usableFromInline
package final class FlowInitials {
    /// The stores whose values have to be computed, by their numbers.
    private let pending: Set<Int>
    private var drafts: [Int: AnyFlowDraft] = [:]

    init(_ pending: Set<Int>) { self.pending = pending }

    /// The initial value of `node`. In a cycle, where it isn't known yet, the value that the node was declared with.
    @usableFromInline
    package func value<Value>(of node: FlowNode<Value>) -> Value {
        let record = node.record.unsafelyUnwrapped
        if let draft = drafts[node.id] { return unsafeDowncast(draft, to: FlowDraft<Value>.self).value }
        return (pending.contains(node.id) ? record.declared : record.value).unsafelyUnwrapped
    }

    /// Gives `node` its initial value.
    @usableFromInline
    func set<Value>(_ node: FlowNode<Value>, to value: Value) { drafts[node.id] = FlowDraft(node, value) }

    /// Shows all values. Keeps the replaced values as long as this object, since a lock is held here.
    func commit() { for draft in drafts.values { draft.commit() } }
}

private class AnyFlowDraft {
    func commit() {}
}

private final class FlowDraft<Value: Sendable>: AnyFlowDraft {
    let node: FlowNode<Value>
    let value: Value
    private var replaced: (Value?, Value?)

    init(_ node: FlowNode<Value>, _ value: Value) {
        self.node = node
        self.value = value
    }

    override func commit() { replaced = node.record.unsafelyUnwrapped.restart(at: value) }
}

/// How the initial value of one store is computed from those of others.
struct FlowInitial {
    let inputs: [Int]
    let output: Int
    /// The number of the operator: of several operators, the one declared last counts.
    let order: Int
    let evaluate: (FlowInitials) -> Void
    /// Whether it has to be computed. If so, all that depend on it have to be computed, too.
    var isDue = true
}
