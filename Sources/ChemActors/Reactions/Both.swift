// Several molecules form one molecule, so whatever is written once for one input works for any number of them. The
// overloads of `when` nest the two types below, and a body's arguments are the leaves of a nested tuple, which costs
// nothing once it is specialised.

/// Two molecules as one: its input is the pair of theirs.
@usableFromInline
struct Both<A: Molecule, B: Molecule>: Molecule {
    @usableFromInline let a: A
    @usableFromInline let b: B

    @inlinable
    init(_ a: A, _ b: B) {
        self.a = a
        self.b = b
    }

    @inlinable
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        a._list(in: &molecules)
        b._list(in: &molecules)
        return MoleculeProof()
    }

    @inlinable
    @inline(__always)
    func _take(_ entry: borrowing SoupEntry) -> (A.Input, B.Input) { (a._take(entry), b._take(entry)) }

    @usableFromInline
    func _fail(_ input: (A.Input, B.Input), _ error: any Error, _ end: borrowing FailedReaction) -> Bool {
        let isKnown = a._fail(input.0, error, end)
        return b._fail(input.1, error, end) || isKnown
    }

    @usableFromInline
    func _putBack(_ input: (A.Input, B.Input), _ end: borrowing FailedReaction) {
        a._putBack(input.0, end)
        b._putBack(input.1, end)
    }
}

/// No molecule: the inputs of an `answer` that needs only the call.
@usableFromInline
struct NoMolecule: Molecule {
    @inlinable
    init() {}

    @inlinable
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> { MoleculeProof() }

    @inlinable
    @inline(__always)
    func _take(_ entry: borrowing SoupEntry) {}

    @usableFromInline
    func _fail(_ input: Void, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    @usableFromInline
    func _putBack(_ input: Void, _ end: borrowing FailedReaction) {}
}
