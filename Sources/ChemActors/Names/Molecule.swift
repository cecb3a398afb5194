/// What can stand among the inputs of a reaction.
///
/// That is a ``SlowMolecule``, a ``FastMolecule`` or a ``BoundedMolecule``; the ``StateMolecule/value`` of a state,
/// which is read and stays; an array of these; and what ``Join/Builder/copies(_:of:fileID:line:)`` and
/// ``Join/Builder/all(_:)`` make of them.
///
/// The protocol is public so that `when` can be generic over them. No other type can conform to it usefully, since it
/// could add nothing to a ``MoleculeList``.
public protocol Molecule: Sendable {
    /// What the body of a reaction gets for it: the value of a slow molecule, the ``Reply`` of a fast one.
    associatedtype Input: Sendable

    /// Adds the molecules that it stands for.
    func _list(in molecules: inout MoleculeList)

    /// Takes one copy out of the soup, for a reaction that has become possible.
    func _take(_ entry: borrowing SoupEntry) -> Input

    /// Gives the error of a body to the caller behind `input`, if there is one. Returns whether there was.
    func _fail(_ input: Input, _ error: any Error, _ end: borrowing FailedReaction) -> Bool

    /// Puts `input` back into the soup after its reaction has failed, if it is the value of a slow molecule.
    func _putBack(_ input: Input, _ end: borrowing FailedReaction)
}

/// The proof that a reaction has failed, which had these inputs. Only the runtime can make one, and it can't be kept.
@frozen
public struct FailedReaction: ~Copyable {
    init() {}
}
