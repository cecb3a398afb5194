public import Synchronization

/// What a soup knows about every molecule, whatever its type. It comes first in the memory of each kind of slot.
@usableFromInline
struct SlotHeader: ~Copyable {
    /// Unused. ThreadSanitizer reports a change of any field by a method as a change of the first word, so the first
    /// word must hold nothing that is read outside of the soup.
    let padding: UInt = 0
    /// The soup it belongs to.
    @usableFromInline let soup: SoupReference
    /// The reactions that consume it. Empty until the definition is sealed.
    @usableFromInline var uses = UnsafeBufferPointer<Matching.Use>(start: nil, count: 0)
    /// The largest number of copies that one reaction consumes: above it, nothing depends on the number present.
    @usableFromInline var need = 0
    /// Whether copies leave in the order in which they arrived.
    @usableFromInline let isOldestFirst: Bool
    /// Whether its values may carry names, which have to travel exported.
    @usableFromInline let carriesNames: Bool
    /// Whether values are looked at on their way into the soup: they may carry names, or there are guards. Never set
    /// once the definition has started.
    @usableFromInline let isInspected: Atomic<Bool>
    /// Whether guards look at the copies, which are then in a table.
    @usableFromInline private(set) var isGuarded = false
    /// Whether copies leave at random, and guards don't look at them.
    @usableFromInline private(set) var isPlain: Bool
    let kind: Slot.Kind
    /// How many copies were put into the soup or ignored so far. Together with those in the inbox, these are all that
    /// were injected.
    @usableFromInline var injected = 0
    /// How many copies reactions have consumed so far.
    @usableFromInline var consumed = 0
    /// The object that knows its name, its type and its place in the source. Owned by the definition.
    @usableFromInline unowned(unsafe) let slot: Slot
    /// The next slot whose inbox holds something. Protected by the lock of the inbox.
    @usableFromInline var nextDirty: UnsafeMutablePointer<SlotHeader>?

    /// The next slot of whose copies some are in no index yet. Touched in the soup.
    var nextArrived: UnsafeMutablePointer<SlotHeader>?

    init(soup: SoupReference, kind: Slot.Kind, isOldestFirst: Bool, carriesNames: Bool, slot: Slot) {
        self.soup = soup
        self.kind = kind
        self.isOldestFirst = isOldestFirst
        self.carriesNames = carriesNames
        isInspected = Atomic(carriesNames)
        isPlain = !isOldestFirst
        self.slot = slot
    }
}

extension SlotHeader {
    /// From now on guards look at the copies.
    mutating func beginGuarding() {
        isInspected.store(true, ordering: .releasing)
        isGuarded = true
        isPlain = false
    }
}

@usableFromInline typealias SlotPointer = UnsafeMutablePointer<SlotHeader>

extension SlotPointer {
    /// Calls `body` with the slot, which the definition keeps: it isn't retained for the call.
    @inline(__always)
    func withSlot<Result>(_ body: (Slot) -> Result) -> Result {
        Unmanaged.passUnretained(pointee.slot)._withUnsafeGuaranteedRef(body)
    }

    /// Takes room for what it will know about the reactions that consume it, from the block at `next`.
    func makeRoom(for next: inout UnsafeMutablePointer<Matching.Use>) {
        withSlot { slot in
            let count = Int(slot.useCount)
            pointee.uses = UnsafeBufferPointer(start: next, count: count)
            next += count
            slot.useCount = 0
        }
    }

    /// Puts what it knows about one more reaction into that room.
    func add(_ use: Matching.Use) {
        withSlot { slot in
            UnsafeMutableBufferPointer(mutating: pointee.uses).initializeElement(at: Int(slot.useCount), to: use)
            slot.useCount += 1
        }
        pointee.need = Swift.max(pointee.need, Int(use.copies))
    }
}

/// The molecules of a reaction, each listed as often as it is consumed. Only the runtime can make one.
public struct MoleculeList {
    @usableFromInline var slots: [SlotPointer] = []
    /// How many of them are inputs. Behind these come the states that the reaction updates.
    @usableFromInline var inputCount = 0
    /// What has to be open besides.
    @usableFromInline var gates: [Gate] = []

    @usableFromInline
    init() {}

    /// Adds the molecule at `slot`, for which `Listed` stands.
    @inlinable
    mutating func add<Listed>(_ slot: UnsafeMutableRawPointer) -> MoleculeProof<Listed> {
        if slots.isEmpty { slots.reserveCapacity(3) }
        slots.append(slot.assumingMemoryBound(to: SlotHeader.self))
        return MoleculeProof()
    }
}

extension MoleculeList {
    /// Adds a gate, for a molecule that has listed itself.
    mutating func add<Listed>(_ gate: GateReference) -> MoleculeProof<Listed> {
        gates.append(gate.gate.object)
        return MoleculeProof()
    }
}

/// Proof that `Listed` is a type of the runtime: it has listed the molecules that it stands for. Only the runtime can
/// make one.
@frozen
public struct MoleculeProof<Listed>: Sendable {
    @inlinable
    init() {}
}

/// As many bytes as a cache line: the fields on either side of it never share one.
@usableFromInline typealias CacheLine = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

@available(*, unavailable)
extension MoleculeList: Sendable {}
