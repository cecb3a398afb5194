import ChemBase

/// Reads a state without a reaction.
///
/// ```swift
/// let (increment, count) = Join.define("counter") { join in
///     let count = join.state("count", 0)
///     let increment = join.slow("increment")
///     join.when(increment, updating: count) { n, _ in n += 1 }
///     return (increment, count.reader)
/// }
/// print(count.value)
/// ```
///
/// A reader can't change the state, so it may leave the definition.
public struct StateReader<Value: Sendable>: Exportable {
    private let committed: CommittedValue<Value>
    /// Its memory, of which only the parts are read that never change.
    private let pointer: SharedPointer<StateStorage<Value>>
    private var storage: UnsafeMutablePointer<StateStorage<Value>> { pointer.memory }
    /// The definition, or a lease on it.
    private let anchor: Anchor

    init(_ committed: CommittedValue<Value>, of storage: UnsafeMutablePointer<StateStorage<Value>>, anchor: Anchor) {
        self.committed = committed
        pointer = SharedPointer(storage)
        self.anchor = anchor
    }

    /// The last committed value: what the last body that held the state and has ended made of it.
    ///
    /// Reading never suspends and never waits for a body. After the definition has dissolved, this is the last value
    /// that the state had. Names in it are exported, like those in an answer.
    public var value: Value {
        storage.pointee.header.soup.tellFirst(of: .looksAt(Int(storage.pointee.header.slot.number)))
        let value = committed.read(storage.pointee.header.soup)
        return storage.pointee.header.carriesNames ? Exports.outward(value) : value
    }

    /// The same reader, holding a lease on its definition.
    public var exported: StateReader {
        StateReader(committed, of: storage, anchor: Exports.anchor(of: storage.pointee.header.soup, now: anchor))
    }
}

extension StateReader: CustomStringConvertible {
    /// The name of the definition and of the state, such as `counter.count`.
    public var description: String { storage.pointee.header.slot.fullName }
}

extension StateReader: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
