import ChemBase
import Synchronization

/// What is seen of a definition whose machine records: who makes its molecules, which bodies run, and what has happened
/// last.
final class Observation: @unchecked Sendable {
    // Checked by hand: everything that changes is touched in the soup of the definition.

    // None of these is touched by two at the same time, so nobody need check that at run time.
    @exclusivity(unchecked) private(set) var taken: [UInt32: Taken] = [:]
    /// Tells the definitions of a machine apart, from 1.
    let number: UInt32
    private(set) var molecules: [OfMolecule] = []
    private(set) var reactions: [OfReaction] = []
    @exclusivity(unchecked) private var starts: UInt32 = 0
    /// The reaction that has started last, unless it did with the inputs that it had taken before.
    @exclusivity(unchecked) private var starting: Unmanaged<ReactionNotes>?
    /// For each molecule who has taken a copy last.
    @exclusivity(unchecked) private(set) var takings = UnsafeMutableBufferPointer<Taking>(start: nil, count: 0)
    /// For each molecule who has made the call for which it was taken. Apart, since most reactions serve no call.
    @exclusivity(unchecked) private var callers = UnsafeMutableBufferPointer<Caller?>(start: nil, count: 0)
    /// Where the call is made that is about to be answered in its caller's task.
    @exclusivity(unchecked) var arriving: SourceLocation?
    @exclusivity(unchecked) private var calls: UInt32 = 0
    @exclusivity(unchecked) private var ring: EventRing
    @exclusivity(unchecked) private var texts: EventTexts
    /// The injections, if they are written down apart.
    private let injections: InjectionLog?
    @exclusivity(unchecked) private var stamp: UInt64 = 0
    /// Whether `stamp` is the time still, for the worker that looks after the soup: it has done nothing since it looked
    /// at the clock but start the next body or, if times are rough, run short ones. If times are exact, it hasn't left
    /// the soup either, so nothing that the body takes was injected later.
    @exclusivity(unchecked) private var isCurrent = false
    /// Whether each has the exact time.
    private let isExact: Bool
    /// Tells the time, if the machine is controlled.
    private let virtualTime: VirtualTime?
    private let signposts: Signposts

    /// - Parameters:
    ///   - number: Tells the definition from others.
    ///   - name: What the definition is called.
    ///   - recorder: What is written down.
    ///   - control: What runs the machine, if it is controlled.
    init(number: UInt32, of name: String, _ recorder: EventRecorder, _ control: (any MachineControl)?) {
        self.number = number
        signposts = Signposts(subsystem: recorder.subsystem, category: name)
        ring = EventRing(limit: recorder.capacity)
        texts = EventTexts(limit: recorder.capacity)
        virtualTime = control.map { VirtualTime($0) }
        isExact = recorder.mode == .full || control != nil
        // Under a control one goes on at a time, and what happens at one moment has an order.
        injections = recorder.mode == .full && control == nil ? InjectionLog(limit: recorder.capacity) : nil
    }

    deinit {
        takings.deallocate()
        callers.deallocate()
    }

    /// The molecules of which there was one copy in the beginning.
    private(set) var singles: Set<Int> = []

    /// The chemistry is fixed.
    ///
    /// - Parameter present: How many copies there are of each molecule.
    func seal(_ present: [Int]) {
        let count = present.count
        singles = Set(present.indices.filter { present[$0] == 1 })
        takings = .allocate(capacity: count)
        takings.initialize(repeating: Taking())
        callers = .allocate(capacity: count)
        callers.initialize(repeating: nil)
    }

    /// How many sources of a molecule it keeps: when there are as many, nobody reads more of them.
    private static let sourceLimit = 8

    func add(_ source: Source, ofMolecule index: Int) {
        makeRoom(forMolecule: index)
        guard molecules[index].sources.count < Self.sourceLimit,
            !molecules[index].sources.contains(where: { $0.looksLike(source) })
        else { return }
        molecules[index].sources.append(source)
    }

    /// How many outputs of a reaction it keeps, and of how many definitions that look the same: a body may make a
    /// definition each time, and inject into it.
    private static let outputLimit = 64
    private static let likeLimit = 4

    /// - Returns: whether it looks like none that was there, or nil if it was there itself.
    func add(_ output: Output, ofReaction index: Int) -> Bool? {
        makeRoom(forReaction: index)
        if reactions[index].outputs.contains(output) { return nil }
        let alike = reactions[index].outputs.indices.filter { reactions[index].outputs[$0].looksLike(output) }
        if alike.count == Self.likeLimit {
            reactions[index].outputs.remove(at: alike[0])
        } else if reactions[index].outputs.count >= Self.outputLimit {
            return false
        }
        reactions[index].outputs.append(output)
        return alike.isEmpty
    }

    /// A reaction is about to take its inputs.
    ///
    /// - Parameters:
    ///   - reaction: Which.
    ///   - isInWorker: Whether the worker starts it that looks after the soup.
    /// - Returns: the number of this start.
    @inline(__always)
    func starts(_ reaction: ReactionNotes, isInWorker: Bool) -> UInt32 {
        starting = .passUnretained(reaction)
        for input in reaction.inputs {
            takings[Int(input)] = Taking(reaction: Int32(truncatingIfNeeded: reaction.place))
        }
        return begins(reaction, isInWorker: isInWorker)
    }

    /// The reaction that has just started serves this caller.
    ///
    /// - Parameters:
    ///   - client: The body that calls, as events keep it, or zero.
    ///   - caller: Where it calls, if that is known.
    ///   - reaction: Which reaction.
    func serves(_ client: UInt64, _ caller: Caller?, by reaction: ReactionNotes) {
        for input in reaction.inputs {
            takings[Int(input)].client = client
            takings[Int(input)].hasCaller = caller != nil
            callers[Int(input)] = caller
        }
    }

    /// For each molecule who has made the call for which a copy was taken last.
    var lastCallers: [Caller?] { takings.indices.map { takings[$0].hasCaller ? callers[$0] : nil } }

    /// A reaction starts with the inputs that it has taken before.
    ///
    /// - Returns: the number of this start.
    func startsAgain(_ reaction: ReactionNotes) -> UInt32 {
        starting = nil
        return begins(reaction, isInWorker: false)
    }

    @inline(__always)
    private func begins(_ reaction: ReactionNotes, isInWorker: Bool) -> UInt32 {
        starts &+= 1
        reaction.running += 1
        reaction.starts &+= 1
        // Rough times are looked up now and then. They aren't old, since whatever takes long says so: the worker
        // after 64 bodies or one that isn't short, and the monitor, every few milliseconds, of a body that runs still.
        if !isInWorker || !isCurrent || !isExact && ring.isSixteenth {
            stamp = now
        }
        isCurrent = isInWorker && !isExact
        signposts.begins(identity(of: starts), reaction.text)
        append(.started, reaction.place, number: starts)
        return starts
    }

    /// Whether its bodies are shown elsewhere while they run, by their texts.
    var showsBodies: Bool { signposts.areOn }

    /// Tells a start from all others of the process.
    private func identity(of start: UInt32) -> UInt64 { UInt64(number) << 32 | UInt64(start) }

    /// Whether it still matters that the thread knows which body it runs: what that makes is known by now, or each
    /// injection is written down.
    func mustMark(_ reaction: ReactionNotes) -> Bool {
        isExact || reaction.starts <= Self.lessonCount || reaction.isAsynchronous
            || reaction.starts % Self.lessonInterval == 0
    }

    /// How many bodies of a reaction are followed from the first one on, to learn what they make, and every which one
    /// from then on.
    private static let lessonCount: UInt32 = 1024
    private static let lessonInterval: UInt32 = 16

    /// Whether there were bodies of the reaction of which it isn't known what they made.
    func hasOverlooked(_ reaction: ReactionNotes) -> Bool {
        !isExact && reaction.starts > Self.lessonCount && !reaction.isAsynchronous
    }

    /// A body has ended.
    ///
    /// - Parameters:
    ///   - reaction: Whose.
    ///   - number: The number of its start.
    ///   - isInWorker: Whether the worker has run it that looks after the soup. The next one starts at the same time.
    @inline(__always)
    func ended(_ reaction: ReactionNotes, _ number: UInt32, isInWorker: Bool = false) {
        reaction.running -= 1
        // What has ended isn't what throws.
        if number == starts { starting = nil }
        signposts.ends(identity(of: number))
        if isExact || !isInWorker || !isCurrent { stamp = now }
        isCurrent = isInWorker
        if ring.end(number, at: stamp) { return }
        append(.ended, reaction.place, number: number)
    }

    /// Time has passed since the worker that looks after the soup has looked at the clock: it has left the soup, run
    /// many bodies or a long one, or done something else.
    func timeHasPassed() { isCurrent = false }

    /// A body has thrown an error of this type.
    ///
    /// - Parameters:
    ///   - reaction: Whose.
    ///   - number: The number of its start, or zero if the body isn't followed.
    ///   - error: The type of the error.
    func failed(_ reaction: ReactionNotes, _ number: UInt32, with error: String) {
        reaction.failures += 1
        reaction.lastError = error
        var number = number
        if number == 0, reaction.running == 1, starting?.toOpaque() == Unmanaged.passUnretained(reaction).toOpaque() {
            // It is the one that has started last.
            number = starts
        }
        record(.failed, reaction.place, number: number)
    }

    /// Writes down an injection, if that needs no entry of the soup. Called before the copies are there, or in the
    /// entry that puts them there.
    ///
    /// - Returns: whether it has.
    func logs(_ count: Int, of slot: Slot, by sender: UInt64, text: String?) -> Bool {
        injections?.append(count, of: slot.number, by: sender, text: text)
        return injections != nil
    }

    func injected(_ count: Int, of slot: Slot, by sender: UInt64, text: String?) {
        if logs(count, of: slot, by: sender, text: text) { return }
        let text = text.map { texts.add($0) } ?? 0
        record(.injected, Int(slot.number), number: text, count: UInt32(clamping: count), sender: sender)
    }

    /// A call begins to wait.
    ///
    /// - Returns: its number, from 1.
    func called(_ slot: Slot, by sender: UInt64, text: String?) -> UInt32 {
        calls &+= 1
        let text = text.map { texts.add($0) } ?? 0
        record(.called, Int(slot.number), number: calls, count: text, sender: sender)
        return calls
    }

    /// The reaction that is starting has taken a call.
    func took(_ call: WaitingCall, _ number: UInt32, of slot: Slot, from client: UInt64, in task: UInt) {
        guard let starting = starting?.takeUnretainedValue() else { return }
        serves(client, Caller(location: call.location, task: task), by: starting)
        taken[number] = Taken(call: call, reaction: starting.place, start: identity(of: starts))
        record(.taken, Int(slot.number), number: number)
    }

    func withdrawn(_ number: UInt32, of slot: Slot) { record(.withdrawn, Int(slot.number), number: number) }

    /// A copy that a failed reaction had taken is back.
    func putBack(_ slot: Slot) { record(.putBack, Int(slot.number), count: 1) }

    /// Copies have gone without a reaction.
    func dropped(_ count: Int, of slot: Slot) {
        record(.dropped, Int(slot.number), count: UInt32(clamping: count))
    }

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
        stamp = now
        isCurrent = false
        append(kind, subject, number: number, count: count, sender: sender)
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

    /// When something has happened last.
    var lastStamp: UInt64? {
        guard let last = ring.lastStamp else { return injections.flatMap { $0.lastStamp == 0 ? nil : $0.lastStamp } }
        return max(last, injections?.lastStamp ?? 0)
    }

    /// The last events, which are copied: so many, and so many injections if they are written down apart.
    func events(last count: Int = .max) -> RecordedEvents {
        let events = ring.last(count)
        return RecordedEvents(
            of: number,
            (events, texts.last(events.count), lost: ring.lost(holding: events)),
            injections: injections?.last(count)
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
