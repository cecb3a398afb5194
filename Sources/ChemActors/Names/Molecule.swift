/// Anything that can be an input of a reaction.
///
/// This is a ``SlowMolecule``, a ``FastMolecule`` or a ``BoundedMolecule``; the ``StateMolecule/value`` of a state,
/// which is read and stays in the soup; an array of these; or the result of ``Join/Builder/copies(_:of:fileID:line:)``
/// or ``Join/Builder/all(_:)``.
///
/// The protocol is public so that `when` can be generic over them. No other type can conform to it: listing its
/// molecules returns a ``MoleculeProof`` for the type itself, which only the runtime can make, and a type that handed
/// its work to a name would get one for the type of that name.
public protocol Molecule: Sendable {
    /// What the body of a reaction gets for this input: the value of a slow molecule, the ``Reply`` of a fast one.
    associatedtype Input: Sendable

    /// Adds the molecules that this input stands for. A reaction is made of what this lists, so no input is taken that
    /// hasn't proved by it that it comes from the runtime.
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self>

    /// Takes one copy out of the soup, for a reaction that has become possible.
    func _take(_ entry: borrowing SoupEntry) -> Input

    /// Passes the error of a body to the caller behind `input`, if there is one. Returns whether there was one.
    func _fail(_ input: Input, _ error: any Error, _ end: borrowing FailedReaction) -> Bool

    /// Puts `input` back into the soup after its reaction has failed, if it is the value of a slow molecule.
    func _putBack(_ input: Input, _ end: borrowing FailedReaction)
}

/// Proof that the reaction with these inputs has failed. Only the runtime can make one, and it can't be kept.
public struct FailedReaction: ~Copyable {
    /// The calls that end with its error. They are claimed before the failure is reported, so that the report can say
    /// whether a caller knows; they are resumed afterwards, so that whoever was told finds the report.
    private final class Calls {
        var claimed: [Call] = []
    }

    private let calls = Calls()

    init() {}

    /// Has the call end with `error`. Returns false if it has ended otherwise.
    borrowing func tell(_ call: Call, _ error: any Error) -> Bool {
        guard call.claim(throwing: error) else { return false }
        calls.claimed.append(call)
        return true
    }

    /// Resumes the callers.
    consuming func resumeCallers() {
        for call in calls.claimed { call.settle() }
    }
}
