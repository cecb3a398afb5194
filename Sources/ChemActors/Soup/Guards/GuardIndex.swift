/// What a reaction needs to know about the values of its inputs to find those that fit together. It opens the gate of
/// the reaction if there are some. Everything here happens in the soup.
@usableFromInline
class GuardIndex {
    // Touched in the soup.
    typealias Copy = CopyTable.Copy

    /// A copy has come.
    func insert(_ copy: Copy, as member: Int, _ feature: Feature, _ entry: borrowing SoupEntry) {
        fatalError("abstract")
    }

    /// Whether it's worth while to call `expect` before several copies come, and then `expectGroups`.
    var readsAhead: Bool { false }

    /// A copy will come of which this is seen.
    func expect(_ feature: Feature) {}

    /// Those copies will come next.
    func expectGroups() {}

    /// A copy is about to leave.
    func remove(_ copy: Copy, as member: Int, _ entry: borrowing SoupEntry) { fatalError("abstract") }

    /// A state is put back, of which this was seen.
    func tell(_ seen: Level, _ entry: borrowing SoupEntry) { fatalError("abstract") }

    /// Chooses copies that fit together, while the gate is open: their numbers are in `chosen` afterwards.
    @usableFromInline
    func choose(_ entry: borrowing SoupEntry) { fatalError("abstract") }

    /// Whether this copy, and not only another one, may be taken now.
    func mayTake(_ copy: Copy, _ feature: Feature, as member: Int, _ entry: borrowing SoupEntry) -> Bool {
        fatalError("abstract")
    }

    /// Whether somebody is finding out, outside of the soup, which copies fit together. The gate is closed meanwhile.
    var isSearching: Bool { false }

    /// Notes what is missing while the gate is closed. What it returns says so, outside of the soup.
    func lack(_ entry: borrowing SoupEntry) -> () -> String { fatalError("abstract") }

    /// The same for a copy of which it has seen this.
    func lack(_ entry: borrowing SoupEntry, for feature: Feature) -> () -> String { lack(entry) }

    /// The copies that a reaction is about to take, in the order of its inputs.
    @usableFromInline final let chosen: UnsafeMutablePointer<Int32>

    /// Whether it asks the same of the same inputs, as far as that can be known: closures can't be compared.
    func isLike(_ other: GuardIndex) -> Bool { false }

    /// Releases the closures of a dissolved definition. Called outside of the soup, when nobody asks for them any more.
    func removeClosures() {}

    /// What it opens. The definition keeps it, and it keeps this.
    unowned(unsafe) final let gate: Gate

    /// The reaction that it belongs to. Only once the reactions are fixed.
    final var reaction: Int { Int(gate.header.pointee.uses[0].reaction) }

    init(gate: Gate, inputs: Int) {
        self.gate = gate
        chosen = .allocate(capacity: inputs)
    }

    deinit {
        chosen.deallocate()
    }
}
