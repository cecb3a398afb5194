/// What a reaction is called, and where it was declared.
@usableFromInline
final class ReactionDescription: @unchecked Sendable {
    // Checked by hand: nothing changes but what is touched in the soup. The closures of a reaction hold its
    // description, and are released before its definition.
    let inputs: [Slot]
    /// What has to be open besides.
    let gates: [Gate]
    /// Where the states begin that it updates.
    private let firstUpdated: Int
    /// Whether somebody may wait for its body: for a state or for an answer.
    let isWaitedFor: Bool
    let location: SourceLocation
    /// Sound, since whoever reads it has a name of the definition as well: the closures of a reaction hold its inputs,
    /// and a failed reaction that waits holds those closures. Nobody else keeps a description.
    unowned(unsafe) let join: Join
    /// How often its inputs were put back after a failure. Touched in the soup.
    var putBacks = 0
    /// What is noted of it, if somebody wants to know.
    let notes: ReactionNotes?

    var observation: Observation? { join.observation }

    init(inputs: [Slot], updatesFrom firstUpdated: Int, gates: [Gate], location: SourceLocation, join: Join) {
        self.inputs = inputs
        self.gates = gates
        self.firstUpdated = firstUpdated
        isWaitedFor = firstUpdated < inputs.count || inputs.contains { $0.kind == .fast }
        self.location = location
        self.join = join
        notes = join.observation.map { _ in ReactionNotes(inputs) }
    }

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

    /// The inputs as a chemist writes them: `increment & count`.
    var text: String { inputs.map(\.name).joined(separator: " & ") }

    /// The states that it updates, which its body has until it ends. Those that it only reads stay where they are.
    var updatedStates: ArraySlice<Slot> { inputs[firstUpdated...] }
}
