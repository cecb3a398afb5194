import ChemBase
import Synchronization

/// What was found out about types, for good. It is asked for whenever a molecule is declared, so what was asked for
/// before is mostly found without a lock.
final class TypeTable<Knowledge: AnyObject & Sendable>: Sendable {
    private final class Entry: Sendable {
        let key: ObjectIdentifier
        let knowledge: Knowledge

        init(_ key: ObjectIdentifier, _ knowledge: Knowledge) {
            self.key = key
            self.knowledge = knowledge
        }
    }

    private static var placeCount: Int { 256 }

    /// All entries. None ever leaves.
    private let all = Guarded<[ObjectIdentifier: Entry]>([:])
    /// The addresses of entries, each at the place that its key says. Of several with one place, the last one.
    private let places = SharedPointer(UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: TypeTable.placeCount))

    init() {
        for place in 0..<Self.placeCount { (places.memory + place).initialize(to: Atomic(0)) }
    }

    deinit {
        places.memory.deinitialize(count: Self.placeCount)
        places.memory.deallocate()
    }

    private func place(of key: ObjectIdentifier) -> UnsafeMutablePointer<Atomic<UInt>> {
        let address = UInt(bitPattern: key)
        return places.memory + Int((address >> 4 ^ address >> 12) & UInt(Self.placeCount - 1))
    }

    /// What is known about the type of `key`, or nil if nobody has asked yet.
    subscript(key: ObjectIdentifier) -> Knowledge? {
        let place = place(of: key)
        if let address = UnsafeRawPointer(bitPattern: place.pointee.load(ordering: .acquiring)) {
            let entry = Unmanaged<Entry>.fromOpaque(address)
            let knowledge = entry._withUnsafeGuaranteedRef { $0.key == key ? $0.knowledge : nil }
            if let knowledge { return knowledge }
        }
        guard let entry = all.withLock({ $0[key] }) else { return nil }
        place.pointee.store(UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque()), ordering: .releasing)
        return entry.knowledge
    }

    /// Adds what was found out. If two threads look at a type at once, they find out the same, and the first counts.
    func add(_ found: [ObjectIdentifier: Knowledge]) {
        all.withLock { all in
            for (key, knowledge) in found where all[key] == nil { all[key] = Entry(key, knowledge) }
        }
    }
}
