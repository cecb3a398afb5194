/// A name that can stand among the inputs of a reaction: a ``SlowMolecule``, a ``FastMolecule`` or a ``BoundedMolecule``.
///
/// The protocol is public so that `when` can be generic over them; no other type can conform to it usefully, since it couldn't make a
/// ``MoleculeSlot`` of its own.
public protocol Molecule: Sendable {
    /// What the body of a reaction gets for it: the value of a slow molecule, the ``Reply`` of a fast one.
    associatedtype Input: Sendable

    /// The slot in the soup that it names.
    var _slot: MoleculeSlot<Self> { get }

    /// Takes one copy out of the soup, for a reaction that has become possible.
    func _take(_ entry: borrowing SoupEntry) -> Input

    /// Gives the error of a body to the caller behind `input`, if there is one.
    func _fail(_ input: Input, _ error: any Error, _ end: borrowing FailedReaction) -> Bool

    /// Puts `input` back into the soup after its reaction has failed, if it is the value of a slow molecule.
    func _putBack(_ input: Input, _ end: borrowing FailedReaction)
}

/// An opaque reference to the place of a molecule in its soup. Only the names of this library have one.
public struct MoleculeSlot<Name: Molecule>: @unchecked Sendable {
    // Checked by hand: only the definition of the slot reads the header, and it does so under its lock.
    @usableFromInline let header: SlotPointer

    @usableFromInline
    init(_ header: UnsafeMutableRawPointer) {
        self.header = header.assumingMemoryBound(to: SlotHeader.self)
    }
}

@usableFromInline typealias SlotPointer = UnsafeMutablePointer<SlotHeader>

/// The proof that a reaction has entered the soup and may take its inputs. Only the runtime can make one, and it can't be kept.
///
/// It is empty: asking for it costs nothing.
@frozen
public struct SoupEntry: ~Copyable {
    @inlinable
    @inline(__always)
    init() {}
}

/// The proof that a reaction has failed, which had these inputs. Only the runtime can make one, and it can't be kept.
@frozen
public struct FailedReaction: ~Copyable {
    init() {}
}
