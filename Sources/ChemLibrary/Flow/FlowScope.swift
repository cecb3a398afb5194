import ChemBase
import Synchronization

/// What this thread is doing at the moment: collecting the sends of a transaction or a group, or wiring a graph.
@usableFromInline
package class FlowScope: @unchecked Sendable {
    // Checked by hand: a scope is entered by one thread, and subclasses say what they share.
    private static let number = Atomic(0)
    /// How many scopes are open in the process: if none is, a send needn't look for one.
    private static let openCount = Atomic(0)

    /// Whether one is open in the process.
    static var isAnyOpen: Bool { openCount.load(ordering: .relaxed) != 0 }

    /// A new number, different from all before.
    @usableFromInline
    static func nextNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

    /// The scope around this one, on the same thread.
    private(set) var outer: FlowScope?

    init() {}

    /// The innermost scope of this thread.
    @inline(__always)
    static var current: FlowScope? {
        if openCount.load(ordering: .relaxed) == 0 { return nil }
        return CallersScope.innermost.pointer.map { Unmanaged<FlowScope>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` inside this scope.
    func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
        outer = FlowScope.current
        FlowScope.openCount.add(1, ordering: .relaxed)
        defer {
            FlowScope.openCount.subtract(1, ordering: .relaxed)
            outer = nil
        }
        return try CallersScope.innermost.with(Unmanaged.passUnretained(self).toOpaque()) {
            try withExtendedLifetime(self, body)
        }
    }
}

/// The closure of `FlowGraph.init`: the nodes and operators that are made in it belong to one graph.
final class FlowWiringScope: FlowScope, @unchecked Sendable {
    let wiring: FlowWiring

    init(_ wiring: FlowWiring) { self.wiring = wiring }

    /// The wiring of the innermost wiring scope on this thread.
    static var wiring: FlowWiring? {
        var scope = FlowScope.current
        while let each = scope {
            if let found = each as? FlowWiringScope { return found.wiring }
            scope = each.outer
        }
        return nil
    }
}
