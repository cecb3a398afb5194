/// What a reaction is called, and where it was declared.
@usableFromInline
final class ReactionDescription: @unchecked Sendable {
    // Checked by hand: nothing changes but `putBacks`. The closures of a reaction hold its description, and are
    // released before its definition.
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
    /// Its place among the reactions of its definition. Set once.
    private(set) var index = 0
    /// What it injects, as far as that is known without a lock. Nil if nobody wants to know.
    let knownOutputs: KnownOutputs?
    /// The numbers of its inputs, if that is observed.
    let inputNumbers: UnsafeMutableBufferPointer<Int32>
    /// How often it has started, if that is observed. Touched in the soup.
    @exclusivity(unchecked) var starts: UInt32 = 0
    /// Whether its body runs in a task of its own. Set once.
    private(set) var isAsynchronous = false
    /// How many of its bodies run, if that is observed. Touched in the soup.
    @exclusivity(unchecked) var running = 0
    /// What its declaration says that it injects. Set in the closure of `define`.
    private(set) var declaredOutputs: [Observation.Output] = []

    var observation: Observation? { join.observation }

    init(inputs: [Slot], updatesFrom firstUpdated: Int, gates: [Gate], location: SourceLocation, join: Join) {
        self.inputs = inputs
        self.gates = gates
        self.firstUpdated = firstUpdated
        isWaitedFor = firstUpdated < inputs.count || inputs.contains { $0.kind == .fast }
        self.location = location
        self.join = join
        if join.observation == nil {
            knownOutputs = nil
            inputNumbers = UnsafeMutableBufferPointer(start: nil, count: 0)
        } else {
            knownOutputs = KnownOutputs()
            inputNumbers = .allocate(capacity: inputs.count)
            _ = inputNumbers.initialize(from: inputs.map { Int32($0.number) })
        }
    }

    deinit { inputNumbers.deallocate() }

    /// Says what is known once it's declared.
    func setPlace(_ index: Int, isAsynchronous: Bool) {
        self.index = index
        self.isAsynchronous = isAsynchronous
    }

    /// Declares that it makes this molecule. Called in the closure of `define`.
    func declareOutput(_ slot: Slot) {
        declaredOutputs.append(
            Observation.Output(
                slot: ObjectIdentifier(slot),
                definition: slot.header.pointee.soup.owner.name,
                molecule: slot.name,
                isCall: slot.kind == .fast
            )
        )
    }

    /// The inputs as a chemist writes them: `increment & count`.
    var text: String { inputs.map(\.name).joined(separator: " & ") }

    /// The states that it updates, which its body has until it ends. Those that it only reads stay where they are.
    var updatedStates: ArraySlice<Slot> { inputs[firstUpdated...] }
}
