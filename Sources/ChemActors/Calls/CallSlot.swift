import ChemBase
import Synchronization

/// The calls of a fast molecule that wait, whatever they carry.
///
/// It isn't generic, so the path of a call that waits is compiled once, and looks up no metadata.
@usableFromInline
class CallSlot: Slot {
    // Everything mutable is touched in the soup.
    final let soup: SoupReference
    /// Whether its answers may carry names, which have to travel exported.
    @usableFromInline final let answersNames: Bool
    /// Whether a body answers it. If so, a call that has to wait brings along its caller's context. A task that was
    /// started while the definition is being made may call already.
    final let isAnsweredByBody = Atomic<Bool>(false)
    /// Whether that body may be asynchronous.
    final let isAnsweredAsynchronously = Atomic<Bool>(false)
    @exclusivity(unchecked) private final var calls: WaitingCalls
    /// The number of waiting calls, in the memory of the molecule, where calls that are answered at once read it.
    @exclusivity(unchecked) final var waiting: UnsafeMutablePointer<Int>
    /// The calls whose time is up. Each knows its place, and leaves it when it leaves the soup: what is kept here is
    /// never the last reference to a call, whose argument may not be released in the soup.
    @exclusivity(unchecked) private final var overdue: [Call] = []
    /// Whether guards look at the arguments of calls.
    final let isLookedAt = Atomic<Bool>(false)
    /// The calls at whose arguments guards look, and where they are in the indexes. Nil if no guard does.
    @exclusivity(unchecked) private final var guarded: GuardedCalls?

    init(
        name: String,
        location: SourceLocation,
        soup: SoupReference,
        isOldestFirst: Bool,
        answersNames: Bool
    ) {
        self.soup = soup
        self.answersNames = answersNames
        // A placeholder, as `header`: the subclass has the memory.
        waiting = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
        calls = WaitingCalls(isOldestFirst: isOldestFirst)
        super.init(name: name, location: location)
    }

    override final func present(_ entry: borrowing SoupEntry) -> Int { waiting.pointee }

    override final var areGuarded: Bool { isLookedAt.load(ordering: .acquiring) }

    override final var leaveAtRandom: Bool { !header.pointee.isOldestFirst && !areGuarded }

    override final func waitingCalls(_ entry: borrowing SoupEntry) -> WaitingCalls? {
        waiting.pointee > 0 ? calls : nil
    }

    private func changeWaiting(by difference: Int, _ entry: borrowing SoupEntry) {
        let before = waiting.pointee
        waiting.pointee = before + difference
        if difference > 0 {
            entry.grown(header.pointee.uses, from: before, to: before + difference)
        } else {
            entry.shrunk(header.pointee.uses, from: before, to: before + difference)
        }
    }

    final func put(_ call: Call, _ entry: borrowing SoupEntry) {
        header.pointee.injected &+= 1
        calls.append(call)
        call.blockBody(entry)
        changeWaiting(by: 1, entry)
        guarded?.put(call, entry)
    }

    // MARK: Guards

    /// Adds an index to which guards look for calls. Called in the soup, while the definition is being made.
    ///
    /// - Returns: where the calls are, and the number of the index among those of the molecule.
    final func attach(
        _ index: GuardIndex,
        as member: Int,
        _ entry: borrowing SoupEntry
    ) -> (table: UnsafeMutablePointer<CopyTable>, attachment: Int) {
        let calls = guarded ?? GuardedCalls()
        guarded = calls
        return (calls.table, calls.table.pointee.attach(index, as: member))
    }

    /// Has guards look at `call` now, which came to the soup before they had begun to. Its caller and the closure of
    /// `define` may do so at the same time.
    final func look(at call: Call) {
        let features = call.findFeatures()
        let entry = soup.enter()
        if call.features == nil { call.features = features }
        if call.isWaiting(entry) { guarded?.put(call, entry) }
        entry.leave()
    }

    /// All calls that wait.
    final func waitingNow(_ entry: borrowing SoupEntry) -> [Call] { calls.all.map { Self.typed($0) } }

    /// Takes the call that a guard has chosen, for a reaction that answers it when its body ends.
    @usableFromInline
    final func take(_ copy: CopyTable.Copy, _ entry: borrowing SoupEntry) -> Call {
        let call = takeChosen(copy, entry)
        call.blockBody(entry)
        return call
    }

    /// Takes the call that a guard has chosen, for a reaction that gets its reply.
    @usableFromInline
    final func takeForReply(_ copy: CopyTable.Copy, _ entry: borrowing SoupEntry) -> Call {
        let call = takeChosen(copy, entry)
        call.unblockBody(entry)
        return call
    }

    /// The call that has this number for guards.
    final func call(_ copy: CopyTable.Copy, _ entry: borrowing SoupEntry) -> Call {
        guard let call = guarded?.call(copy) else {
            fatalError("ChemActors: a guard has chosen a call that isn't there")
        }
        return call
    }

    private func takeChosen(_ copy: CopyTable.Copy, _ entry: borrowing SoupEntry) -> Call {
        let call = call(copy, entry)
        header.pointee.consumed &+= 1
        remove(call, entry)
        call.markTaken(entry)
        return call
    }

    /// Counts a call that came too late.
    final func ignoreCall(_ entry: borrowing SoupEntry) {
        header.pointee.injected &+= 1
        tally.ignored += 1
    }

    /// Picks, at random, one of the reactions that the next call would make possible, for its caller to run.
    ///
    /// Returns nil if there is none, if something else is possible, or if one of them has to be left to a worker, which
    /// then chooses alone.
    final func pickHelp(_ entry: borrowing SoupEntry) -> (reaction: Int, help: ReactionRecord.Help)? {
        // What a guard makes of the call is known when it's in the soup.
        guard guarded == nil, entry.contents.life.mayHelp, !entry.isPossible else { return nil }
        var candidates = 0
        var chosen: (reaction: Int, help: ReactionRecord.Help)?
        for use in header.pointee.uses where becomesPossible(use, entry) {
            guard let help = entry.contents.reactions[Int(use.reaction)].help(forCallerOf: header) else { return nil }
            candidates += 1
            if candidates == 1 || entry.contents.matching.generator.below(candidates) == 0 {
                chosen = (Int(use.reaction), help)
            }
        }
        return chosen
    }

    /// A step that can answer one of the calls that wait, or nil if there is none, or if a reaction that is none may
    /// answer it as well: a worker has to choose between these.
    final func pickStep(_ entry: borrowing SoupEntry) -> Int? {
        guard entry.contents.life.phase == .running, waiting.pointee > 0 else { return nil }
        var candidates = 0
        var chosen: Int?
        for use in header.pointee.uses where entry.contents.matching.readiness[Int(use.reaction)].missing == 0 {
            guard entry.contents.reactions[Int(use.reaction)].course == .step else { return nil }
            candidates += 1
            if candidates == 1 || entry.contents.matching.generator.below(candidates) == 0 {
                chosen = Int(use.reaction)
            }
        }
        return chosen
    }

    /// Whether the next call would make `reaction` possible, for its caller to run.
    final func stillHelps(with reaction: Int, _ entry: borrowing SoupEntry) -> Bool {
        guard entry.contents.life.mayHelp, !entry.isPossible else { return false }
        for use in header.pointee.uses where Int(use.reaction) == reaction { return becomesPossible(use, entry) }
        return false
    }

    private func becomesPossible(_ use: Matching.Use, _ entry: borrowing SoupEntry) -> Bool {
        Int(use.copies) == waiting.pointee + 1 && entry.contents.matching.readiness[Int(use.reaction)].missing == 1
    }

    /// What a closed gate lets `call`, which waits, wait for. Nil if it is open.
    final func lack(of gate: Gate, for call: Call, _ entry: borrowing SoupEntry) -> (() -> String)? {
        gate.lack(entry) { guarded?.feature(of: call, for: $0) }
    }

    /// Whether a reaction that may take `call`, which waits, is possible and may start, or somebody is just finding out
    /// whether it is. Nil stands for any call.
    final func isAwaited(_ call: Call?, _ entry: borrowing SoupEntry) -> Bool {
        guard entry.contents.life.phase == .running else { return false }
        for use in header.pointee.uses {
            let missing = entry.contents.matching.readiness[Int(use.reaction)].missing
            // A search keeps its gate closed until it has found something.
            guard missing <= 1, missing == 0 || guarded != nil else { continue }
            guard let guarded, let call else { return true }
            if guarded.mayBeTaken(call, by: Int(use.reaction), duringSearch: missing == 1, entry) { return true }
        }
        return false
    }

    /// Notes that the time of `call` is up while a reaction is about to take it. The call is withdrawn when that is no
    /// longer so.
    final func markOverdue(_ call: Call, _ entry: borrowing SoupEntry) {
        call.overduePlace = overdue.count
        overdue.append(call)
        entry.contents.overdueCalls += 1
        // Makes the next call that is answered in its caller's task look after them, in `notingAnswerEnd`.
        entry.contents.lookMask = 0
    }

    /// Notes that an overdue call has left the soup.
    final func unmarkOverdue(_ call: Call, _ entry: borrowing SoupEntry) {
        entry.contents.overdueCalls -= 1
        let last = overdue.removeLast()
        if last !== call {
            overdue[call.overduePlace] = last
            last.overduePlace = call.overduePlace
        }
        call.overduePlace = -1
    }

    override final func withdrawOverdue(_ entry: borrowing SoupEntry) -> (() -> Void)? {
        guard !overdue.isEmpty else { return nil }
        let late: [Call]
        if guarded == nil {
            // A reaction may take any of them.
            late = isAwaited(nil, entry) ? [] : overdue
        } else {
            late = overdue.filter { !isAwaited($0, entry) }
        }
        guard !late.isEmpty else { return nil }
        let lack = lack(entry)
        for call in late { call.remove(entry) }
        return {
            let lack = lack()
            for call in late { call.finish(throwing: CallError(.timedOut, call.slot, lack)) }
            if late[0].mayReleaseValues { Disposal.leave(late, of: late[0].join) }
        }
    }

    /// What the reactions that take its calls lack right now, for `call`, which waits, or for any. What it returns says
    /// so, outside of the soup: nothing if one of them is possible.
    final func lack(_ entry: borrowing SoupEntry, for call: Call? = nil) -> () -> String {
        let reactions = entry.state.chemistry.reactions
        let takers = header.pointee.uses.map { reactions[Int($0.reaction)] }
        let lacks = takers.map { reaction in
            reaction.lack(entry) { gate in
                if let call { lack(of: gate, for: call, entry) } else { gate.lack(entry) }
            }
        }
        return {
            if lacks.contains(where: \.isEmpty) { return "" }
            return zip(takers, lacks).map { reaction, lacks in
                "\(reaction.text) lacks \(lacks.map { $0() }.joined(separator: ", "))"
            }.joined(separator: "; ")
        }
    }

    /// Takes one waiting call out of the soup, for a reaction that answers it when its body ends. A body that waits for
    /// this call now depends on the body of that reaction.
    @usableFromInline
    final func take(_ entry: borrowing SoupEntry) -> Call {
        let call = takeOne(entry)
        call.blockBody(entry)
        return call
    }

    /// Takes one waiting call out of the soup, for a reaction that gets its reply. From then on anybody may have the
    /// reply.
    @usableFromInline
    final func takeForReply(_ entry: borrowing SoupEntry) -> Call {
        let call = takeOne(entry)
        call.unblockBody(entry)
        return call
    }

    private static func typed(_ call: WaitingCall) -> Call {
        // Nothing else is put in.
        unsafeDowncast(call, to: Call.self)
    }

    private func takeOne(_ entry: borrowing SoupEntry) -> Call {
        let call = Self.typed(
            header.pointee.isOldestFirst
                ? calls.oldest() : calls.call(at: entry.contents.matching.generator.below(calls.count))
        )
        header.pointee.consumed &+= 1
        remove(call, entry)
        call.markTaken(entry)
        return call
    }

    /// Takes `call` out of the soup.
    final func remove(_ call: Call, _ entry: borrowing SoupEntry) {
        guarded?.remove(call, entry)
        calls.remove(call)
        changeWaiting(by: -1, entry)
    }

    private struct Rest: Leftover {
        let name: String
        let calls: [Call]
        var count: Int { calls.count }
        func fail(_ error: any Error) {
            for call in calls { call.finish(throwing: error) }
        }
    }

    override final func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        guard waiting.pointee > 0 else { return nil }
        let rest = Rest(name: name, calls: calls.all.map { Self.typed($0) })
        tally.dropped += rest.count
        for call in rest.calls {
            guarded?.remove(call, entry)
            call.markRemoved(entry)
        }
        calls.removeAll()
        changeWaiting(by: -waiting.pointee, entry)
        return rest
    }
}
