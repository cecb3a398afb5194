import ChemBase
import Synchronization

/// What is seen of a definition whose machine records: who makes its molecules, which bodies run, and what has happened
/// last.
final class Observation: @unchecked Sendable {
    // Checked by hand: everything that changes is touched in the soup of the definition.

    /// A molecule that a reaction injects or calls, of whichever definition.
    struct Output: Hashable {
        let slot: ObjectIdentifier
        let definition: String
        let molecule: String
        let isCall: Bool
    }

    /// A reaction that has injected or called a molecule. It may belong to a definition that is gone.
    struct Source: Hashable {
        let definition: String
        let reaction: String
        let location: String
    }

    /// What is seen of a molecule.
    struct OfMolecule {
        var sources: [Source] = []
    }

    /// What is seen of a reaction.
    struct OfReaction {
        var outputs: [Output] = []
    }

    /// A call that a reaction has taken and not answered yet.
    struct Taken {
        weak var call: WaitingCall?
        let reaction: Int
    }

    /// Who has taken a copy of a molecule last.
    struct Taking {
        /// The reaction, or -1.
        var reaction: Int32 = -1
        /// Who has made the call that it took with that copy, as events keep it. Zero if it took none.
        var client: UInt64 = 0
    }

    // None of these is touched by two at the same time, so nobody need check that at run time.
    @exclusivity(unchecked) private(set) var taken: [UInt32: Taken] = [:]
    /// Tells the definitions of a machine apart, from 1.
    let number: UInt32
    private(set) var molecules: [OfMolecule] = []
    private(set) var reactions: [OfReaction] = []
    @exclusivity(unchecked) private var starts: UInt32 = 0
    /// The reaction that has started last. Looked at only while it takes its inputs.
    @exclusivity(unchecked) private var starting: Unmanaged<ReactionNotes>?
    /// For each molecule who has taken a copy last.
    @exclusivity(unchecked) private(set) var takings = UnsafeMutableBufferPointer<Taking>(start: nil, count: 0)
    @exclusivity(unchecked) private var calls: UInt32 = 0
    @exclusivity(unchecked) private(set) var ring: EventRing
    @exclusivity(unchecked) private(set) var texts: EventTexts
    @exclusivity(unchecked) private var stamp: UInt64 = 0
    /// When the last body ended that the worker has run which looks after the soup, and which does nothing then but
    /// start the next one. Zero otherwise.
    @exclusivity(unchecked) private var stampOfEnd: UInt64 = 0
    /// Whether each has the exact time.
    private let isExact: Bool
    /// Tells the time, if the machine is controlled.
    private let virtualTime: VirtualTime?

    init(number: UInt32, _ recorder: EventRecorder, _ control: (any MachineControl)?) {
        self.number = number
        ring = EventRing(limit: recorder.capacity)
        texts = EventTexts(limit: recorder.capacity)
        virtualTime = control.map { VirtualTime($0) }
        isExact = recorder.mode == .full || control != nil
    }

    deinit { takings.deallocate() }

    /// The chemistry is fixed.
    func seal(molecules count: Int) {
        takings = .allocate(capacity: count)
        takings.initialize(repeating: Taking())
    }

    /// How many sources of a molecule it keeps: when there are as many, nobody reads more of them.
    private static let sourceLimit = 8

    func add(_ source: Source, ofMolecule index: Int) {
        makeRoom(forMolecule: index)
        guard molecules[index].sources.count < Self.sourceLimit, !molecules[index].sources.contains(source) else {
            return
        }
        molecules[index].sources.append(source)
    }

    func add(_ output: Output, ofReaction index: Int) {
        makeRoom(forReaction: index)
        if !reactions[index].outputs.contains(output) { reactions[index].outputs.append(output) }
    }

    /// A reaction is about to take its inputs.
    ///
    /// - Returns: the number of this start.
    func starts(_ reaction: ReactionNotes) -> UInt32 {
        starting = .passUnretained(reaction)
        for input in reaction.inputs {
            takings[Int(input)] = Taking(reaction: Int32(truncatingIfNeeded: reaction.place))
        }
        return startsAgain(reaction)
    }

    /// The reaction that has just started serves this caller.
    func serves(_ client: UInt64, by reaction: ReactionNotes) {
        for input in reaction.inputs { takings[Int(input)].client = client }
    }

    /// A reaction starts with the inputs that it has taken before.
    ///
    /// - Returns: the number of this start.
    func startsAgain(_ reaction: ReactionNotes) -> UInt32 {
        starts &+= 1
        reaction.running += 1
        reaction.starts &+= 1
        if isExact, stampOfEnd != 0 {
            stamp = stampOfEnd
            stampOfEnd = 0
        } else {
            readClock()
        }
        append(.started, reaction.place, number: starts)
        return starts
    }

    /// Whether it still matters that the thread knows which body it runs: what that makes is known by now, or each
    /// injection is written down.
    func mustMark(_ reaction: ReactionNotes) -> Bool {
        isExact || reaction.starts <= 1024 || reaction.isAsynchronous
    }

    func ended(_ reaction: ReactionNotes, _ number: UInt32) {
        reaction.running -= 1
        // With its start, a flight recorder writes it down without looking at the clock.
        if isExact { stamp = now }
        if ring.end(number, at: stamp) { return }
        if !isExact { readClock() }
        append(.ended, reaction.place, number: number)
    }

    /// As `ended`, for a synchronous body. If a worker has run it that looks after the soup, the next one starts at the
    /// same time.
    @inline(__always)
    func ended(_ reaction: ReactionNotes, _ number: UInt32, isInWorker: Bool) {
        ended(reaction, number)
        stampOfEnd = isInWorker ? stamp : 0
    }

    /// The worker that looks after the soup begins, or has left it: time has passed.
    func workerWasAway() { stampOfEnd = 0 }

    func failed(_ reaction: ReactionNotes, _ number: UInt32) { record(.failed, reaction.place, number: number) }

    func injected(_ count: Int, of slot: Slot, by sender: UInt64, text: UInt32) {
        record(.injected, Int(slot.number), number: text, count: UInt32(truncatingIfNeeded: count), sender: sender)
    }

    /// A call begins to wait.
    ///
    /// - Returns: its number, from 1.
    func called(_ slot: Slot, by sender: UInt64, text: UInt32) -> UInt32 {
        calls &+= 1
        record(.called, Int(slot.number), number: calls, count: text, sender: sender)
        return calls
    }

    /// Keeps what is written down of a value.
    ///
    /// - Returns: its number, for the event. Never zero.
    func add(_ text: String) -> UInt32 { texts.add(text) }

    /// The reaction that is starting has taken a call.
    func took(_ call: WaitingCall, _ number: UInt32, of slot: Slot, from client: UInt64) {
        guard let starting = starting?.takeUnretainedValue() else { return }
        serves(client, by: starting)
        taken[number] = Taken(call: call, reaction: starting.place)
        record(.taken, Int(slot.number), number: number)
    }

    func withdrawn(_ number: UInt32, of slot: Slot) { record(.withdrawn, Int(slot.number), number: number) }

    func answered(_ number: UInt32) { taken[number] = nil }

    /// Whether each injection is written down, with who has sent it.
    var followsInjections: Bool { isExact }

    @inline(__always)
    private func record(
        _ kind: Recording.Kind,
        _ subject: Int,
        number: UInt32 = 0,
        count: UInt32 = 0,
        sender: UInt64 = 0
    ) {
        readClock()
        append(kind, subject, number: number, count: count, sender: sender)
    }

    @inline(__always)
    private func readClock() {
        if isExact || ring.isFourth { stamp = now }
    }

    @inline(__always)
    private func append(
        _ kind: Recording.Kind,
        _ subject: Int,
        number: UInt32,
        count: UInt32 = 0,
        sender: UInt64 = 0
    ) {
        ring.append(
            RecordedEvent(
                stamp: stamp,
                number: number,
                count: count,
                sender: sender,
                subject: UInt32(truncatingIfNeeded: subject),
                kind: kind
            )
        )
    }

    private func makeRoom(forMolecule index: Int) {
        while molecules.count <= index { molecules.append(OfMolecule()) }
    }

    private func makeRoom(forReaction index: Int) {
        while reactions.count <= index { reactions.append(OfReaction()) }
    }

    @inline(__always)
    private var now: UInt64 {
        if let virtualTime { return virtualTime.nanoseconds }
        return isExact ? Platform.monotonicNanoseconds : Platform.coarseNanoseconds
    }
}

/// The time of a controlled machine, since it was first asked for.
private final class VirtualTime {
    private let control: any MachineControl
    private let begin: ContinuousClock.Instant

    init(_ control: any MachineControl) {
        self.control = control
        begin = control.now
    }

    var nanoseconds: UInt64 { UInt64(clamping: begin.duration(to: control.now).nanoseconds) }
}
