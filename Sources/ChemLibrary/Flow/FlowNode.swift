import ChemActors

/// A place in a graph through which values pass, or in which they are kept: what all nodes have in common.
///
/// Nodes are made free-standing, are joined by operators, and become part of a graph when that is sealed. What the
/// compiler notes here is touched under the lock of the wiring, once.
@usableFromInline
package class AnyFlowNode: @unchecked Sendable {
    /// What a node is, for drawings and for messages.
    @usableFromInline
    package enum Role: String, Sendable {
        case source, stream, cell, constant, store
    }

    /// Increases from node to node of the process.
    @usableFromInline package let id: Int
    @usableFromInline package let role: Role
    /// The type of its values, and where it was made.
    @usableFromInline package let label: String
    /// Whether values come from outside.
    @usableFromInline package let isOpen: Bool
    /// Whether it keeps its value.
    @usableFromInline package let isStore: Bool
    /// How many values from outside may wait, for senders that heed it. 0 is any number.
    @usableFromInline package var capacity = 0

    // For the compiler.
    /// Its number in its graph.
    @usableFromInline package var index = -1
    @usableFromInline var level = 0
    /// Writes into it that are no feedback: the operator, and which of its outputs.
    @usableFromInline var writes: [(operator: FlowOperator, output: Int)] = []
    /// Operators that take it, and as which of their inputs.
    @usableFromInline var uses: [(operator: FlowOperator, input: Int)] = []
    @usableFromInline var remaining = 0
    @usableFromInline var depth = 0
    /// The place of the operator that decides between several writers, if there are any.
    @usableFromInline var settlePosition = -1
    /// The places of operators to be run when it has got a value.
    @usableFromInline var marks: [Int] = []
    /// What runs at once when it has got a value, with the number of the operator.
    @usableFromInline var runs: [FlowReceiver] = []
    @usableFromInline var keepsPrevious = false
    var hasMainOutlets: Bool { false }
    /// Whether it was made with events of its own.
    var hasEvents: Bool { false }
    /// Has it remember `limit` events, if it keeps its value and remembers none so far.
    func remember(_ limit: Int) {}

    @usableFromInline package var isConstant: Bool { role == .constant }

    @usableFromInline
    package init(role: Role, label: String, isOpen: Bool, isStore: Bool) {
        id = FlowScope.nextNumber()
        self.role = role
        self.label = label
        self.isOpen = isOpen
        self.isStore = isStore
    }

    /// Makes its memory in the graph.
    func prepare(_ compiler: FlowCompiler) {}
    /// Makes what happens when it gets a value.
    func finish(_ compiler: FlowCompiler) {}
    /// What notes that the operator which should have written has failed.
    @usableFromInline
    func failing() -> (any Error) -> Void { { _ in } }
    /// Forgets what only the compiler needs.
    func forget() {
        writes = []
        uses = []
        marks = []
        runs = []
    }
}

/// The memory of a node in its graph. Touched only by whoever has the graph's core.
@usableFromInline
package struct FlowSlot<Value: Sendable>: ~Copyable {
    /// What happens when the node gets a value.
    @usableFromInline var emit = FlowReceiver { _ in }
    /// Counts values that come after the end.
    @usableFromInline var ignore: () -> Void = {}
    /// Whether it takes no more values.
    @usableFromInline var isFinished = false
    /// The value of this moment, if the node keeps it.
    @usableFromInline package var current: Value?
    /// The value before this wave, in a wave that has changed it, where somebody needs it.
    @usableFromInline package var previous: Value?
    /// The last wave that has changed the value.
    @usableFromInline var stamp: UInt64 = 0
    /// Whether a value counts even if it equals the present one.
    @usableFromInline var passesCutoff = false
    /// Called after each wave that has changed the value, in their order.
    @usableFromInline var outlets: [FlowReceiver] = []
    @usableFromInline var subscribers: [FlowSubscriber<Value>] = []

    @inlinable
    package init(_ current: Value?) { self.current = current }
}

/// A node with values of one type.
///
/// Its closures are made in inlinable code, so that a module which knows the type gets code that is specialized for it.
@usableFromInline
package final class FlowNode<Value: Sendable>: AnyFlowNode, @unchecked Sendable {
    /// What is seen from outside. Nil for nodes that keep nothing.
    @usableFromInline package let record: FlowRecord<Value>?
    /// The memory in the graph, which owns it.
    @usableFromInline package var slot: UnsafeMutablePointer<FlowSlot<Value>>?
    /// What happens with values of this node, with the number of the operator.
    @usableFromInline var handlers: [FlowReceiver] = []
    @usableFromInline var outlets: [FlowReceiver] = []
    @usableFromInline var mainOutlets: [(id: Int, run: @MainActor @Sendable (Value) -> Void)] = []
    @usableFromInline package var emitter: FlowReceiver?
    @usableFromInline var settled: UnsafeMutablePointer<FlowSettling<Value>>?
    /// Says of the present value and a new one that the new one is no event.
    @usableFromInline package var isSame: (@Sendable (Value, Value) -> Bool)?
    private let build: (FlowNode<Value>, FlowCompiler) -> Void

    /// - Parameters:
    ///   - role: What it is.
    ///   - initial: The value that it begins with, if it keeps its value and has one.
    ///   - limit: How many events its history has. None by default.
    ///   - isStore: Whether it keeps its value.
    ///   - isOpen: Whether values may come from outside.
    ///   - fileID: Where it is made.
    ///   - line: Where it is made.
    @inlinable
    package convenience init(
        _ role: Role,
        initial: Value? = nil,
        limit: Int = 0,
        isStore: Bool,
        isOpen: Bool,
        fileID: StaticString,
        line: UInt
    ) {
        self.init(role, initial, limit, isStore, isOpen, fileID, line) { node, compiler in compiler.build(node) }
    }

    @usableFromInline
    package init(
        _ role: Role,
        _ initial: Value?,
        _ limit: Int,
        _ isStore: Bool,
        _ isOpen: Bool,
        _ fileID: StaticString,
        _ line: UInt,
        build: @escaping (FlowNode<Value>, FlowCompiler) -> Void
    ) {
        record = isStore ? FlowRecord(initial: initial, limit: limit) : nil
        self.build = build
        super.init(role: role, label: "\(Value.self) (\(fileID):\(line))", isOpen: isOpen, isStore: isStore)
    }

    override var hasMainOutlets: Bool { !mainOutlets.isEmpty }

    override var hasEvents: Bool { record?.lastTime != nil }

    override func remember(_ limit: Int) {
        if !isConstant { record?.remember(limit) }
    }

    override func prepare(_ compiler: FlowCompiler) {
        let slot = compiler.core.allocate(FlowSlot<Value>(record?.value))
        unowned(unsafe) let core = compiler.core
        if let time = record?.lastTime { core.begin(after: time) }
        slot.pointee.ignore = { core.countIgnored() }
        self.slot = slot
    }

    override func finish(_ compiler: FlowCompiler) {
        build(self, compiler)
        let slot = slot!
        slot.pointee.outlets = outlets
        if let perform = compiler.perform {
            for outlet in mainOutlets {
                slot.pointee.outlets.append(
                    FlowReceiver(id: outlet.id, of: Value.self) { value in
                        perform(FlowMainAction { outlet.run(value) })
                    }
                )
            }
        }
        slot.pointee.outlets.sort { $0.id < $1.id }
        slot.pointee.emit = emitter!
        compiler.core.ends.nodes[index].end = {
            slot.pointee.isFinished = true
            for subscriber in slot.pointee.subscribers { subscriber.end() }
        }
        guard let record, !isConstant else { return }
        unowned(unsafe) let core = compiler.core
        let (index, label) = (index, label)
        compiler.core.restorers.append(
            FlowRestorer { time in
                if record.limit == 0 {
                    if slot.pointee.stamp == 0 { return {} }
                    throw FlowError(
                        .forgotten,
                        "the store of \(label) has changed and keeps no history; open its mall with 'history:'"
                    )
                }
                let (value, isForgotten) = record.lookup(at: time)
                if isForgotten {
                    throw FlowError(.forgotten, "the store of \(label) has forgotten its value at \(time)")
                }
                return {
                    guard record.hasChanged(since: time), let value else { return }
                    slot.pointee.current = value
                    core.wave.pointee.touch(index)
                }
            }
        )
    }

    @usableFromInline
    override func failing() -> (any Error) -> Void {
        guard let record else { return { _ in } }
        return { record.fail($0) }
    }

    override func forget() {
        super.forget()
        handlers = []
        outlets = []
        mainOutlets = []
        emitter = nil
        settled = nil
        isSame = nil
    }
}

/// Where several operators write into one node in one wave, in the order in which they were declared: of values the
/// last one counts, what is folded into it changes what is there.
@usableFromInline
package struct FlowSettling<Value: Sendable> {
    @usableFromInline package var value: Value?
    @usableFromInline package var order = -1
    /// What is folded into the value. Nil from a function that changes nothing.
    @usableFromInline var folds: [(order: Int, fold: (Value) -> Value?)] = []

    @inlinable
    package init() {}

    /// What all writers together make of `current`, or nil if there is nothing new.
    @inlinable
    mutating func take(_ current: Value?) -> Value? {
        var result = value.take()
        let order = order
        self.order = -1
        if folds.isEmpty { return result }
        let folds = folds.sorted { $0.order < $1.order }
        self.folds = []
        for (place, fold) in folds where place > order {
            guard let before = result ?? current else { continue }
            result = fold(before) ?? result
        }
        return result
    }
}
