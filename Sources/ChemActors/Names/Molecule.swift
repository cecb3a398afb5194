/// A name that can stand among the inputs of a reaction: a ``SlowMolecule`` or a ``FastMolecule``.
///
/// The protocol is public so that `when` can be generic over both; no other type can usefully conform to it.
public protocol Molecule: Sendable {
    /// What the body of a reaction gets for it: the value of a slow molecule, the ``Reply`` of a fast one.
    associatedtype Input: Sendable

    /// The slot in the soup that it names.
    var _slot: MoleculeSlot { get }

    /// Takes one copy out of the soup. Only a reaction that has become possible may do this.
    func _take() -> Input

    /// Gives the error of a body to the caller behind `input`, if there is one.
    func _fail(_ input: Input, _ error: any Error) -> Bool

    /// Puts `input` back into the soup after its reaction has failed, if it is the value of a slow molecule.
    func _putBack(_ input: Input)
}

/// An opaque reference to a molecule's place in its soup.
public struct MoleculeSlot: @unchecked Sendable {
    // Checked by hand: only the definition of the slot reads the header, and it does so under its lock.
    @usableFromInline let header: UnsafeMutablePointer<SlotHeader>

    @usableFromInline
    init(_ header: UnsafeMutableRawPointer) {
        self.header = header.assumingMemoryBound(to: SlotHeader.self)
    }
}
