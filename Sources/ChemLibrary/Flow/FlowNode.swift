import ChemActors

/// A place in a graph that values pass through or are kept in: what all nodes have in common.
///
/// Nodes are made free-standing, are joined by operators, and become part of a graph when it is sealed. The compiler's
/// fields are accessed under the lock of the wiring, once.
@usableFromInline
package class AnyFlowNode: @unchecked Sendable {
    /// The role of a node, for drawings and messages.
    @usableFromInline
    package enum Role: String, Sendable {
        case source, stream, cell, constant, store
    }

    /// Increases from node to node across the process.
    @usableFromInline package let id: Int
    @usableFromInline package let role: Role
    /// The type of its values, and where it was made.
    @usableFromInline package let label: String
    /// Where it was made.
    package let fileID: StaticString
    package let line: UInt
    /// The code that made it, until its graph is sealed.
    private(set) var surroundings: Surroundings?
    /// Whether values come from outside.
    @usableFromInline package let isOpen: Bool
    /// Whether it keeps its value.
    @usableFromInline package let isStore: Bool
    /// How many values from outside may wait, for senders that respect it. 0 means any number.
    @usableFromInline package var capacity = 0

    // For the compiler.
    /// Its number in its graph.
    @exclusivity(unchecked) @usableFromInline package var index = -1
    @usableFromInline var level = 0
    /// Writes into it that aren't feedback: the operator, and the index of its output.
    @usableFromInline var writes: [(operator: FlowOperator, output: Int)] = []
    /// Operators that take it, and the index of the input.
    @usableFromInline var uses: [(operator: FlowOperator, input: Int)] = []
    @usableFromInline var remaining = 0
    @usableFromInline var depth = 0
    /// The place of the operator that decides between several writers, if there are any.
    @usableFromInline var settlePosition = -1
    /// Where these operators note that they have failed.
    @usableFromInline var failed: UnsafeMutablePointer<FlowFailed>?
    /// The places of operators to run when the node gets a value.
    @usableFromInline var marks: [Int] = []
    /// The functions to run at once when the node gets a value, with the number of the operator.
    @usableFromInline var runs: [FlowReceiver] = []
    @usableFromInline var keepsPrevious = false
    var hasMainOutlets: Bool { false }
    /// Whether it was made with a history of events.
    var hasEvents: Bool { false }
    /// Makes it remember `limit` events, if it keeps its value and remembers none so far.
    func remember(_ limit: Int) {}

    @usableFromInline package var isConstant: Bool { role == .constant }

    @usableFromInline
    package init(
        role: Role,
        label: String,
        isOpen: Bool,
        isStore: Bool,
        fileID: StaticString,
        line: UInt
    ) {
        id = FlowScope.nextNumber()
        // A constant has no graph, and would keep that code's definition as long as it lives.
        surroundings = role == .constant ? nil : .current
        self.role = role
        self.label = label
        (self.fileID, self.line) = (fileID, line)
        self.isOpen = isOpen
        self.isStore = isStore
    }

    /// Makes its memory in the graph.
    func prepare(_ compiler: FlowCompiler) {}
    /// Makes what runs when it gets a value.
    func finish(_ compiler: FlowCompiler) {}
    /// A function that records, after the wave, a failure of the operator that should have written the node.
    @usableFromInline
    func failing(_ core: FlowCore) -> (any Error) -> Void { { _ in } }
    /// Forgets what only the compiler needs.
    func forget() {
        writes = []
        uses = []
        marks = []
        runs = []
        failed = nil
        surroundings = nil
    }
}

/// The memory of a node in its graph. Only code that has the graph's core may touch it.
@usableFromInline
package struct FlowSlot<Value: Sendable>: ~Copyable {
    /// Runs when the node gets a value.
    @usableFromInline var emit = FlowReceiver { _ in }
    /// Counts values that come after the end.
    @usableFromInline var ignore: () -> Void = {}
    /// Whether it no longer takes values.
    @usableFromInline var isFinished = false
    /// The current value, if the node keeps it.
    @usableFromInline package var current: Value?
    /// The value before this wave, if the wave has changed it and an operator needs it.
    @usableFromInline package var previous: Value?
    /// The last wave that changed the value.
    @usableFromInline var stamp: UInt64 = 0
    /// Whether a value counts even if it equals the current one.
    @usableFromInline var passesCutoff = false
    /// Called in this order after each wave that has changed the value.
    @usableFromInline var outlets: [FlowReceiver] = []
    @usableFromInline var subscribers: [FlowSubscriber<Value>] = []

    @inlinable
    package init(_ current: Value?) { self.current = current }
}

/// A node with values of one type.
///
/// Its closures are made in inlinable code, so a module that knows the type gets code specialized for it.
@usableFromInline
package final class FlowNode<Value: Sendable>: AnyFlowNode, @unchecked Sendable {
    /// What is visible from outside. Nil for nodes that keep nothing.
    @usableFromInline package let record: FlowRecord<Value>?
    /// The memory in the graph, which owns it.
    @exclusivity(unchecked) @usableFromInline package var slot: UnsafeMutablePointer<FlowSlot<Value>>?
    /// The functions that take the values of this node, with the numbers of their operators.
    @usableFromInline var handlers: [FlowReceiver] = []
    @usableFromInline var outlets: [FlowReceiver] = []
    @usableFromInline var mainOutlets: [(id: Int, run: @MainActor @Sendable (Value) -> Void)] = []
    @usableFromInline package var emitter: FlowReceiver?
    @usableFromInline var settled: UnsafeMutablePointer<FlowSettling<Value>>?
    /// Whether a new value is the same as the current one, and so no event.
    @usableFromInline package var isSame: (@Sendable (Value, Value) -> Bool)?
    /// Whether values from outside may hold names of molecules, which have to be exported.
    @usableFromInline let carriesNames: Bool
    private let build: (FlowNode<Value>, FlowCompiler) -> Void

    /// - Parameters:
    ///   - role: The role of the node.
    ///   - initial: The initial value, if the node keeps its value and has one.
    ///   - limit: How many events its history can hold. None by default.
    ///   - isStore: Whether it keeps its value.
    ///   - isOpen: Whether values may come from outside.
    ///   - fileID: The file in which it is made.
    ///   - line: The line on which it is made.
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
        carriesNames = isOpen && Exports.mayFindNames(in: Value.self)
        super.init(
            role: role,
            label: "\(Value.self) (\(fileID):\(line))",
            isOpen: isOpen,
            isStore: isStore,
            fileID: fileID,
            line: line
        )
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
    override func failing(_ core: FlowCore) -> (any Error) -> Void {
        guard let record else { return { _ in } }
        unowned(unsafe) let core = core
        return { error in core.afterWave { record.fail(error) } }
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

/// Combines the writes of several operators into one node in one wave, in the order in which they were declared.
///
/// Of several values the last one counts; a fold changes the value at that point.
@usableFromInline
package struct FlowSettling<Value: Sendable> {
    @usableFromInline package var value: Value?
    @usableFromInline package var order = -1
    /// The functions to fold into the value. A function that changes nothing returns nil.
    @usableFromInline var folds: [(order: Int, fold: (Value) -> Value?)] = []

    @inlinable
    package init() {}

    /// The number of the last operator that has written. -1 if none has.
    @inlinable var lastOrder: Int { folds.reduce(order) { max($0, $1.order) } }

    /// The value that all writers together make of `current`, or nil if there is nothing new.
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
