/// A reaction as it was declared: what it consumes, what it is called in messages, and where it stands.
@usableFromInline
final class ReactionDescription: @unchecked Sendable {
    // Checked by hand: what changes is touched in the soup, or set in the closure of `define` before others know of it.
    // The closures of a reaction hold its description, and are released before its definition.

    /// The molecules that it takes, each as often as it is consumed. The definition keeps them.
    private let places: [SlotPointer]
    /// What has to be open besides.
    let gates: [Gate]
    /// Where the states begin that it updates.
    private let firstUpdated: Int32
    /// Whether somebody may wait for its body: for a state or for an answer.
    let isWaitedFor: Bool
    private(set) var course = Course.synchronous
    /// Whether another reaction may have the same inputs.
    var mayCompete = false
    let location: SourceLocation
    /// Sound, since whoever reads it has a name of the definition as well, as the closures of a reaction have its
    /// inputs, or keeps the definition, as a failed reaction does that waits. Nobody else keeps a description.
    unowned(unsafe) let join: Join
    /// The fast molecule whose calls it answers.
    private(set) var answered: SlotPointer?
    /// What it does, until the chemistry is fixed: then its record has it. Not an optional, which Swift would put
    /// another closure around.
    private var fire: ReactionRecord.Fire = { entry in entry }
    /// How often its inputs were put back after a failure. Touched in the soup.
    var putBacks = 0
    /// What is noted of it, if somebody wants to know.
    let notes: ReactionNotes?

    var observation: Observation? { join.observation }

    init(_ list: MoleculeList, location: SourceLocation, join: Join) {
        places = list.slots
        gates = list.gates
        firstUpdated = Int32(list.inputCount)
        isWaitedFor = list.inputCount < places.count || places.contains { $0.pointee.kind == .fast }
        self.location = location
        self.join = join
        notes = join.observation.map { _ in ReactionNotes(list.slots.map { $0.pointee.slot }) }
    }

    /// Says how it proceeds, once.
    func proceeds(_ course: Course, answering slot: SlotPointer?, _ fire: @escaping ReactionRecord.Fire) {
        self.course = course
        answered = slot
        self.fire = fire
    }

    /// The record with which workers run it. It takes over what the reaction does.
    func makeRecord(isLong: Bool) -> ReactionRecord {
        defer { abandon() }
        return ReactionRecord(body: fire, answered: answered, course: course, isLong: isLong)
    }

    /// Lets go of what it does, since its definition isn't to be.
    func abandon() { fire = { entry in entry } }

    // MARK: What it consumes

    /// The molecules that it takes, each as often as it is consumed.
    var inputs: some RandomAccessCollection<Slot> { places.lazy.map { $0.pointee.slot } }

    /// The states that it updates, which its body has until it ends. Those that it only reads stay where they are.
    var updatedStates: some RandomAccessCollection<Slot> { inputs.dropFirst(Int(firstUpdated)) }

    /// How many different molecules it needs, and gates.
    var needs: Int {
        var count = gates.count
        for index in places.indices where isFirst(index) { count += 1 }
        return count
    }

    /// The different molecules it consumes, and how many copies of each.
    var molecules: some Collection<(slot: Slot, copies: Int)> {
        places.indices.lazy.filter { self.isFirst($0) }.map {
            (self.places[$0].pointee.slot, self.copies(of: self.places[$0]))
        }
    }

    func copies(of slot: Slot) -> Int { copies(of: slot.header) }

    /// Calls `body` with each of the different molecules it consumes, and the number of copies. As `molecules`, for
    /// those that are in a hurry: nothing is retained.
    @inline(__always)
    func forEachMolecule(_ body: (_ slot: SlotPointer, _ copies: Int) -> Void) {
        for index in places.indices where isFirst(index) { body(places[index], copies(of: places[index])) }
    }

    /// Whether the molecule at this index isn't one that came before.
    private func isFirst(_ index: Int) -> Bool {
        for earlier in 0..<index where places[earlier] == places[index] { return false }
        return true
    }

    private func copies(of place: SlotPointer) -> Int {
        var count = 0
        for other in places where other == place { count += 1 }
        return count
    }

    func hasSameInputs(as other: ReactionDescription) -> Bool {
        places.count == other.places.count && places.allSatisfy { copies(of: $0) == other.copies(of: $0) }
            && gates.elementsEqual(other.gates) { $0.isLike($1) }
    }

    /// The reactions that consume what it consumes first, itself among them.
    var firstUses: UnsafeBufferPointer<Matching.Use> { places[0].pointee.uses }

    /// A molecule that it consumes, and all of whose values belong to its parts.
    var distributedInput: Slot? {
        for place in places where place.pointee.kind == .slow && place.withSlot(\.mayBeUnused) {
            return place.pointee.slot
        }
        return nil
    }

    /// A state that it uses twice.
    var repeatedState: Slot? {
        for place in places where place.pointee.kind == .state && copies(of: place) > 1 { return place.pointee.slot }
        return nil
    }

    /// Whether it consumes nothing but states.
    var consumesOnlyStates: Bool {
        for place in places where place.pointee.kind != .state { return false }
        return true
    }

    /// What it lacks right now. What it returns says so, outside of the soup.
    func lack(_ entry: borrowing SoupEntry) -> [() -> String] { lack(entry) { $0.lack(entry) } }

    /// The same, if `ofGate` says what its gates lack.
    func lack(_ entry: borrowing SoupEntry, ofGate: (Gate) -> (() -> String)?) -> [() -> String] {
        var lacks: [() -> String] = []
        for (slot, copies) in molecules where slot.present(entry) < copies { lacks.append { slot.name } }
        for gate in gates { if let lack = ofGate(gate) { lacks.append(lack) } }
        return lacks
    }

    // MARK: For messages

    /// The inputs as a chemist writes them: `increment & count`.
    var text: String { inputs.map(\.name).joined(separator: " & ") }

    /// Notes that `error` has made it drop its slow inputs. Called outside of the soup.
    func noteLoss(by error: any Error) {
        let entry = join.soup.enter()
        let count = entry.state.losses[ObjectIdentifier(self)]?.count ?? 0
        entry.state.losses[ObjectIdentifier(self)] = (count + 1, type(of: error))
        entry.leaveUnchanged()
    }

    /// How often it has failed and dropped what it had taken, and with what error the last time, if it has.
    func losses(_ entry: borrowing SoupEntry) -> (count: Int, last: any Error.Type)? {
        entry.state.losses[ObjectIdentifier(self)]
    }
}
