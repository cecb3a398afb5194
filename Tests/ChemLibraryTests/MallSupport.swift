import ChemLibrary
import Foundation

/// A mall of the operators that a test lists.
struct TestMall: Mall {
    let ops: [DataOp]

    init(@DataOpsBuilder _ ops: () -> [DataOp]) { self.ops = ops() }

    func prepareDataOpsGraph() -> [DataOp] { ops }
}

/// The values that operators were given, in their order.
final class Log<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: `values` is touched under `lock`.
    private let lock = NSLock()
    private var values: [Value] = []

    func append(_ value: Value) {
        lock.lock()
        values.append(value)
        lock.unlock()
    }

    var all: [Value] {
        lock.lock()
        defer { lock.unlock() }
        return values
    }
}

extension Log {
    /// An operator that notes each value of `node`.
    func noting(_ node: some MallNode<Value>) -> DataOp {
        DataOp("note") {
            node>!
            compute { (value: Value) in self.append(value) }
            ~>devNull
        }
    }
}

extension FlowValues {
    /// The next `count` values.
    func first(_ count: Int) async -> [Element] {
        var result: [Element] = []
        var iterator = makeAsyncIterator()
        while result.count < count, let value = await iterator.next() { result.append(value) }
        return result
    }
}

/// Kinds of dependency, for operators whose inputs a test decides at run time.
enum Dependency: String, CaseIterable, Sendable {
    case trigger = "!"
    case reads = "?"
    case zip = "%"
}

/// Inputs that are put together at run time, by what the compiler calls for the lines of a block.
enum DynamicInputs {
    typealias Node = any MallNode<Int>
    typealias Build = DataOpBuilder

    enum One { case runs(DataOpInputs<Int>), reads(DataOpReads<Int>) }
    enum Two { case runs(DataOpInputs<Int, Int>), reads(DataOpReads<Int, Int>) }
    enum Three { case runs(DataOpInputs<Int, Int, Int>), reads(DataOpReads<Int, Int, Int>) }
    enum Four { case runs(DataOpInputs<Int, Int, Int, Int>), reads(DataOpReads<Int, Int, Int, Int>) }

    static func first(_ kind: Dependency, _ node: Node) -> One {
        switch kind {
        case .trigger: .runs(Build.buildPartialBlock(first: trigger(node)))
        case .zip: .runs(Build.buildPartialBlock(first: zip(node)))
        case .reads: .reads(Build.buildPartialBlock(first: reads(node)))
        }
    }

    static func next(_ before: One, _ kind: Dependency, _ node: Node) -> Two {
        switch (before, kind) {
        case (.runs(let a), .trigger): .runs(Build.buildPartialBlock(accumulated: a, next: trigger(node)))
        case (.runs(let a), .zip): .runs(Build.buildPartialBlock(accumulated: a, next: zip(node)))
        case (.runs(let a), .reads): .runs(Build.buildPartialBlock(accumulated: a, next: reads(node)))
        case (.reads(let a), .trigger): .runs(Build.buildPartialBlock(accumulated: a, next: trigger(node)))
        case (.reads(let a), .zip): .runs(Build.buildPartialBlock(accumulated: a, next: zip(node)))
        case (.reads(let a), .reads): .reads(Build.buildPartialBlock(accumulated: a, next: reads(node)))
        }
    }

    static func next(_ before: Two, _ kind: Dependency, _ node: Node) -> Three {
        switch (before, kind) {
        case (.runs(let a), .trigger): .runs(Build.buildPartialBlock(accumulated: a, next: trigger(node)))
        case (.runs(let a), .zip): .runs(Build.buildPartialBlock(accumulated: a, next: zip(node)))
        case (.runs(let a), .reads): .runs(Build.buildPartialBlock(accumulated: a, next: reads(node)))
        case (.reads(let a), .trigger): .runs(Build.buildPartialBlock(accumulated: a, next: trigger(node)))
        case (.reads(let a), .zip): .runs(Build.buildPartialBlock(accumulated: a, next: zip(node)))
        case (.reads(let a), .reads): .reads(Build.buildPartialBlock(accumulated: a, next: reads(node)))
        }
    }

    static func next(_ before: Three, _ kind: Dependency, _ node: Node) -> Four {
        switch (before, kind) {
        case (.runs(let a), .trigger): .runs(Build.buildPartialBlock(accumulated: a, next: trigger(node)))
        case (.runs(let a), .zip): .runs(Build.buildPartialBlock(accumulated: a, next: zip(node)))
        case (.runs(let a), .reads): .runs(Build.buildPartialBlock(accumulated: a, next: reads(node)))
        case (.reads(let a), .trigger): .runs(Build.buildPartialBlock(accumulated: a, next: trigger(node)))
        case (.reads(let a), .zip): .runs(Build.buildPartialBlock(accumulated: a, next: zip(node)))
        case (.reads(let a), .reads): .reads(Build.buildPartialBlock(accumulated: a, next: reads(node)))
        }
    }

    /// An operator with one to four inputs, one of which makes it run; `body` gets their values.
    static func function<R: Sendable>(
        _ inputs: [(kind: Dependency, node: Node)],
        isAsynchronous: Bool,
        _ body: @escaping @Sendable ([Int]) -> R
    ) -> DataOpFunction<R> {
        var rest = inputs[...]
        func take() -> (Dependency, Node) { (rest[rest.startIndex].kind, rest.removeFirst().node) }
        var (kind, node) = take()
        let one = first(kind, node)
        if rest.isEmpty {
            guard case .runs(let all) = one else { fatalError("nothing makes the operator run") }
            return isAsynchronous
                ? Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int) async in body([a]) }
                : Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int) in body([a]) }
        }
        (kind, node) = take()
        let two = Self.next(one, kind, node)
        if rest.isEmpty {
            guard case .runs(let all) = two else { fatalError("nothing makes the operator run") }
            return isAsynchronous
                ? Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int, b: Int) async in body([a, b]) }
                : Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int, b: Int) in body([a, b]) }
        }
        (kind, node) = take()
        let three = Self.next(two, kind, node)
        if rest.isEmpty {
            guard case .runs(let all) = three else { fatalError("nothing makes the operator run") }
            return isAsynchronous
                ? Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int, b: Int, c: Int) async in
                    body([a, b, c])
                }
                : Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int, b: Int, c: Int) in body([a, b, c]) }
        }
        (kind, node) = take()
        guard case .runs(let all) = Self.next(three, kind, node) else { fatalError("nothing makes the operator run") }
        return Build.buildPartialBlock(accumulated: all) { @Sendable (a: Int, b: Int, c: Int, d: Int) in
            body([a, b, c, d])
        }
    }

    private static func trigger(_ node: some MallNode<Int>) -> Trigger<Int> { node>! }
    private static func reads(_ node: some MallNode<Int>) -> Reads<Int> { node>? }
    private static func zip(_ node: some MallNode<Int>) -> MallZip<Int> { node>% }
}
