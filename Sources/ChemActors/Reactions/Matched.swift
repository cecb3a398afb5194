// The inputs of a reaction whose guard looks at their values. The guard chooses the copies; then each input takes its
// own. So what stands in `Builder+Declare.swift` works for them as for any others.

/// An input of which a guard chooses the copy.
@usableFromInline
struct Chosen<M: GuardableMolecule>: Molecule {
    @usableFromInline let molecule: M
    @usableFromInline let index: InSoup<GuardIndex>
    /// Which of the copies that the guard chooses. With the first input it chooses all of them.
    @usableFromInline let place: Int
    /// The gate, which the first input lists.
    private let gate: GateReference

    init(_ molecule: M, _ guarding: Guard, at place: Int) {
        self.molecule = molecule
        self.place = place
        index = InSoup(guarding.index)
        gate = guarding.gate
    }

    @usableFromInline
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        molecule._list(in: &molecules)
        return place == 0 ? molecules.add(gate) : MoleculeProof()
    }

    @inlinable
    @inline(__always)
    func _take(_ entry: borrowing SoupEntry) -> M.Input {
        if place == 0 { index.object.choose(entry) }
        return molecule._take(index.object.chosen[place], entry)
    }

    @usableFromInline
    func _fail(_ input: M.Input, _ error: any Error, _ end: borrowing FailedReaction) -> Bool {
        molecule._fail(input, error, end)
    }

    @usableFromInline
    func _putBack(_ input: M.Input, _ end: borrowing FailedReaction) { molecule._putBack(input, end) }
}

/// Several copies of one molecule, which a guard chooses.
@usableFromInline
struct ChosenCopies<M: GuardableMolecule>: Molecule {
    private let molecule: M
    private let index: InSoup<GuardIndex>
    private let count: Int
    private let gate: GateReference

    init(_ molecule: M, _ count: Int, _ guarding: Guard) {
        self.molecule = molecule
        self.count = count
        index = InSoup(guarding.index)
        gate = guarding.gate
    }

    @usableFromInline
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        for _ in 0..<count { molecule._list(in: &molecules) }
        return molecules.add(gate)
    }

    @usableFromInline
    func _take(_ entry: borrowing SoupEntry) -> [M.Input] {
        index.object.choose(entry)
        // Before the first is taken: taking changes what the guard would choose.
        let copies = (0..<count).map { index.object.chosen[$0] }
        return copies.map { molecule._take($0, entry) }
    }

    @usableFromInline
    func _fail(_ inputs: [M.Input], _ error: any Error, _ end: borrowing FailedReaction) -> Bool {
        var isKnown = false
        for input in inputs { isKnown = molecule._fail(input, error, end) || isKnown }
        return isKnown
    }

    @usableFromInline
    func _putBack(_ inputs: [M.Input], _ end: borrowing FailedReaction) {
        for input in inputs { molecule._putBack(input, end) }
    }
}

/// The call that a reaction answers.
@usableFromInline
protocol CallSource<Argument, Answer>: Molecule {
    associatedtype Argument: Sendable
    associatedtype Answer: Sendable

    /// The molecule that is called.
    var fast: FastMolecule<Argument, Answer> { get }
    /// Takes the call.
    func takeCall(_ entry: borrowing SoupEntry) -> PendingCall<Argument, Answer>
}

extension FastMolecule: CallSource {
    @inlinable var fast: FastMolecule { self }
}

/// The call that a reaction answers, if a guard chooses it.
@usableFromInline
struct ChosenCall<Argument: Sendable, Answer: Sendable>: CallSource {
    @usableFromInline let fast: FastMolecule<Argument, Answer>
    private let chosen: Chosen<FastMolecule<Argument, Answer>>

    init(_ fast: FastMolecule<Argument, Answer>, _ guarding: Guard) {
        self.fast = fast
        chosen = Chosen(fast, guarding, at: 0)
    }

    @usableFromInline
    func takeCall(_ entry: borrowing SoupEntry) -> PendingCall<Argument, Answer> {
        chosen.index.object.choose(entry)
        return fast.takeCall(chosen.index.object.chosen[0], entry)
    }

    @usableFromInline
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        chosen._list(in: &molecules)
        return MoleculeProof()
    }

    @usableFromInline
    func _take(_ entry: borrowing SoupEntry) -> Reply<Argument, Answer> { chosen._take(entry) }

    @usableFromInline
    func _fail(_ input: Reply<Argument, Answer>, _ error: any Error, _ end: borrowing FailedReaction) -> Bool {
        chosen._fail(input, error, end)
    }

    @usableFromInline
    func _putBack(_ input: Reply<Argument, Answer>, _ end: borrowing FailedReaction) {}
}

/// A guard that is being declared.
@usableFromInline
struct Guard {
    let index: GuardIndex
    let gate: GateReference
}

extension Join.Builder {
    /// A guard that takes so many inputs with the same key.
    @usableFromInline
    func matchGuard<Key: Matchable>(_ inputs: Int, _ type: Key.Type, _ fileID: StaticString, _ line: UInt) -> Guard {
        let location = SourceLocation(fileID: fileID, line: line)
        let gate = Gate(name: "match (\(location))", location: location, soup: join.soup)
        let index = MatchIndex(gate: gate, inputs: inputs, style: Feature.Style(type))
        gate.index = index
        let entry = join.soup.enter()
        gate.number = Int32(entry.contents.slots.count)
        entry.contents.slots.append(gate)
        entry.leaveUnchanged()
        return Guard(index: index, gate: GateReference(gate))
    }

    /// Adds `molecule` to the inputs that are matched, by what `path` leads to.
    @inlinable
    func attach<M: GuardableMolecule, Key: Matchable>(
        _ molecule: M,
        to guarding: Guard,
        as member: Int,
        need: Int = 1,
        by path: any KeyPath<M.Content, Key> & Sendable,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        let reader: FeatureReader<M.Content>
        if let offset = MemoryLayout<M.Content>.offset(of: path) {
            // A stored property: read directly, which takes a nanosecond. Following a key path takes thirty.
            // A number with a fraction is a key only if a user says how.
            reader = FeatureReader(isOurs: isInteger(Key.self) || Key.self == Bool.self) { content in
                stored(Key.self, at: offset, in: content).matchingKey.feature
            }
        } else {
            reader = FeatureReader { content in content[keyPath: path].matchingKey.feature }
        }
        attach(molecule, to: guarding, as: member, need: need, reader, path, fileID, line)
    }

    @usableFromInline
    func attach<M: GuardableMolecule>(
        _ molecule: M,
        to guarding: Guard,
        as member: Int,
        need: Int,
        _ reader: FeatureReader<M.Content>,
        _ path: AnyKeyPath,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        // An input of another definition is refused where the reaction is described; but not touched before that.
        var list = MoleculeList()
        molecule._list(in: &list)
        _ = describe(list, fileID, line)
        let place = molecule._attach(GuardReference(guarding.index, join.soup), as: member, reader)
        guard let index = guarding.index as? MatchIndex else { return }
        let entry = join.soup.enter()
        index.add(
            MatchIndex.Member(table: place.table, attachment: place.attachment, need: Int32(need)),
            MatchIndex.Names(
                molecule: list.slots[0].pointee.slot.name,
                identity: ObjectIdentifier(list.slots[0].pointee.slot),
                path: path
            )
        )
        entry.leaveUnchanged()
    }

    /// An input that is matched by its key, as which member of them.
    @inlinable
    func chosen<M: GuardableMolecule, Key: Matchable>(
        _ molecule: M,
        _ guarding: Guard,
        _ place: Int,
        by path: any KeyPath<M.Content, Key> & Sendable,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Chosen<M> {
        attach(molecule, to: guarding, as: place, by: path, fileID, line)
        return choose(molecule, guarding, place)
    }

    @usableFromInline
    func choose<M: GuardableMolecule>(_ molecule: M, _ guarding: Guard, _ place: Int) -> Chosen<M> {
        Chosen(molecule, guarding, at: place)
    }

    /// The call that the reaction answers, matched with its other inputs.
    @inlinable
    func chosenCall<Argument, Answer, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>,
        _ guarding: Guard,
        by path: any KeyPath<Argument, Key> & Sendable,
        _ fileID: StaticString,
        _ line: UInt
    ) -> ChosenCall<Argument, Answer> {
        attach(fast, to: guarding, as: 0, by: path, fileID, line)
        return choose(fast, guarding)
    }

    @usableFromInline
    func choose<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>,
        _ guarding: Guard
    ) -> ChosenCall<Argument, Answer> {
        ChosenCall(fast, guarding)
    }

    /// Several copies of one molecule that have the same key.
    @inlinable
    func matched<M: GuardableMolecule, Key: Matchable>(
        _ count: Int,
        of molecule: M,
        _ path: any KeyPath<M.Content, Key> & Sendable,
        _ fileID: StaticString,
        _ line: UInt
    ) -> ChosenCopies<M> {
        _ = copies(count, of: molecule, fileID: fileID, line: line)
        let guarding = matchGuard(count, Key.self, fileID, line)
        attach(molecule, to: guarding, as: 0, need: count, by: path, fileID, line)
        return choose(molecule, count, guarding)
    }

    @usableFromInline
    func choose<M: GuardableMolecule>(_ molecule: M, _ count: Int, _ guarding: Guard) -> ChosenCopies<M> {
        ChosenCopies(molecule, count, guarding)
    }
}
