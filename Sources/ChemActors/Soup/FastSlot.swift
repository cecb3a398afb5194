/// The memory of a fast molecule: the answers that can be given in the calling task. Its waiting calls lie in the
/// description, since a call that waits has paid for a suspension already.
@usableFromInline
struct FastSlot<Argument: Sendable, Answer: Sendable>: ~Copyable {
    /// A way to answer a call without suspending it.
    @usableFromInline
    struct InlineAnswer: ~Copyable {
        @usableFromInline let reaction: Int32
        /// Whether it is one step of the soup: no code of users runs.
        @usableFromInline let isStep: Bool
        /// Takes the other inputs, leaves the soup, runs the body. Entered under the lock, left without it; a step does it all
        /// under the lock, and doesn't throw.
        @usableFromInline let run: @Sendable (Argument) throws -> Answer

        init(reaction: Int32, isStep: Bool, run: @escaping @Sendable (Argument) throws -> Answer) {
            self.reaction = reaction
            self.isStep = isStep
            self.run = run
        }

        @inlinable
        @inline(__always)
        borrowing func callAsFunction(_ argument: Argument) throws -> Answer {
            try run(argument)
        }
    }

    @usableFromInline var header: SlotHeader
    @usableFromInline var waiting = 0
    @usableFromInline var answers = UnsafeMutablePointer<InlineAnswer>.allocate(capacity: 0)
    @usableFromInline var answerCount = 0
    /// Whether neither its values nor its answers may carry names.
    @usableFromInline let allowsInline: Bool
    /// Whether its definition retries, so that no call can be answered in the thread of its caller. Under the lock.
    @usableFromInline var forbidsInline = false

    init(header: SlotHeader) {
        self.header = header
        allowsInline =
            header.site.pointee.allowsInline && !header.carriesNames && !Exports.mayBeNames(Answer.self)
    }

    @inlinable
    deinit {
        answers.deinitialize(count: answerCount)
        answers.deallocate()
    }

}

// Functions of the pointer that touch single fields, as with `SlowSlot`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// An answer that can be given right now: of the reactions that only lack this call, one at random.
    ///
    /// Nil if there is none, or if one of them can't answer in the calling task: then the call enters the soup, and the
    /// worker's choice is the only one. A call that doesn't wait has to choose `amongAnswers` only. Under the lock.
    @inlinable
    @inline(__always)
    func pickAnswer<Argument: Sendable, Answer: Sendable>(amongAnswers: Bool) -> Int?
    where Pointee == FastSlot<Argument, Answer> {
        guard pointee.waiting == 0, pointee.answerCount != 0 else { return nil }
        let site = pointee.header.site
        var candidates = 0
        var chosen = -1
        for use in pointee.header.uses
        where use.copies == 1 && site.pointee.soup.readiness[Int(use.reaction)].missing == 1 {
            var answer = 0
            while answer < pointee.answerCount, pointee.answers[answer].reaction != use.reaction { answer &+= 1 }
            if answer == pointee.answerCount {
                if amongAnswers { continue }
                return nil
            }
            candidates &+= 1
            if candidates == 1 || site.pointee.soup.generator.below(candidates) == 0 { chosen = answer }
        }
        return chosen < 0 ? nil : chosen
    }

    /// Adds a way to answer. Under the lock.
    func add<Argument: Sendable, Answer: Sendable>(_ answer: consuming FastSlot<Argument, Answer>.InlineAnswer)
    where Pointee == FastSlot<Argument, Answer> {
        let count = pointee.answerCount
        let larger = UnsafeMutablePointer<FastSlot<Argument, Answer>.InlineAnswer>.allocate(capacity: count + 1)
        larger.moveInitialize(from: pointee.answers, count: count)
        pointee.answers.deallocate()
        (larger + count).initialize(to: answer)
        pointee.answers = larger
        pointee.answerCount = count + 1
    }

    /// Releases the closures of the answers. When nothing can start any more, outside of the lock.
    func removeAnswers<Argument: Sendable, Answer: Sendable>() where Pointee == FastSlot<Argument, Answer> {
        let count = pointee.answerCount
        pointee.answerCount = 0
        pointee.answers.deinitialize(count: count)
    }

    /// Counts a call that came too late. Under the lock.
    func countInjected<Argument: Sendable, Answer: Sendable>() where Pointee == FastSlot<Argument, Answer> {
        pointee.header.injected &+= 1
    }
}

@usableFromInline
final class FastSlotDescription<Argument: Sendable, Answer: Sendable>: SlotDescription, @unchecked Sendable {
    @usableFromInline typealias Call = PendingCall<Argument, Answer>

    @usableFromInline let slot: UnsafeMutablePointer<FastSlot<Argument, Answer>>
    let site: SitePointer
    /// Whether its answers may carry names, which have to travel exported.
    let answersNames: Bool
    private var calls: WaitingCalls
    /// Those of them whose time is up, and some that have left meanwhile.
    private var overdue: [Call] = []
    private var overdueCount = 0

    override var kind: Kind { .fast }

    init(name: String, location: SourceLocation, site: SitePointer, isOldestFirst: Bool) {
        slot = .allocate(capacity: 1)
        self.site = site
        answersNames = Exports.mayBeNames(Answer.self)
        calls = WaitingCalls(isOldestFirst: isOldestFirst)
        super.init(name: name, location: location)
        slot.initialize(
            to: FastSlot(
                header: SlotHeader(
                    site: site,
                    isOldestFirst: isOldestFirst,
                    carriesNames: Exports.mayBeNames(Argument.self),
                    description: self
                )
            )
        )
        header = UnsafeMutableRawPointer(slot).assumingMemoryBound(to: SlotHeader.self)
    }

    deinit {
        unseal()
        slot.deinitialize(count: 1)
        slot.deallocate()
    }

    override var present: Int { slot.pointee.waiting }

    override var waitingCalls: (() -> [JoinSnapshot.Call])? {
        guard slot.pointee.waiting > 0 else { return nil }
        let (calls, name) = (calls, name)
        return {
            calls.all.map { Self.typed($0) }.map { call in
                JoinSnapshot.Call(molecule: name, location: call.location.description, entered: call.entered)
            }
        }
    }

    private func changeWaiting(by difference: Int) {
        let before = slot.pointee.waiting
        slot.pointee.waiting = before + difference
        if difference > 0 {
            site.pointee.soup.grown(slot.pointee.header.uses, from: before, to: before + difference)
        } else {
            site.pointee.soup.shrunk(slot.pointee.header.uses, from: before, to: before + difference)
        }
    }

    func put(_ call: Call) {
        slot.pointee.header.injected &+= 1
        calls.append(call)
        call.blockBody()
        changeWaiting(by: 1)
    }

    /// Whether a reaction that takes a waiting call is possible and may start. Under the lock.
    var isAwaited: Bool {
        site.pointee.phase == .running
            && slot.pointee.header.uses.contains { site.pointee.soup.readiness[Int($0.reaction)].missing == 0 }
    }

    /// The time of `call` is up, but a reaction is about to take it: it is withdrawn when that is no longer so.
    func markOverdue(_ call: Call) {
        overdue.append(call)
        overdueCount += 1
        site.pointee.overdueCalls += 1
        // Also the next call that is answered in the task of its caller looks after them.
        site.pointee.lookMask = 0
    }

    /// An overdue call has left the soup.
    func unmarkOverdue() {
        overdueCount -= 1
        site.pointee.overdueCalls -= 1
        if overdue.count > 2 * overdueCount + 16 { overdue.removeAll { !$0.isWaiting } }
    }

    override func withdrawOverdue() -> (() -> Void)? {
        guard overdueCount > 0, !isAwaited else { return nil }
        let late = overdue.filter(\.isWaiting)
        for call in late { call.remove() }
        overdue = []
        return {
            for call in late { call.finish(throwing: CallError(.timedOut, call.slot)) }
        }
    }

    /// Takes one waiting call out of the soup, for a reaction that answers it by its end: a body that waits for it waits for
    /// that reaction's body.
    @usableFromInline
    func take() -> Call {
        let call = takeOne()
        call.blockBody()
        return call
    }

    /// Takes one waiting call out of the soup, for a reaction that gets its reply: from then on anybody may have it.
    @usableFromInline
    func takeForReply() -> Call {
        let call = takeOne()
        call.unblockBody()
        return call
    }

    private static func typed(_ call: WaitingCall) -> Call {
        // Only calls of this molecule are put in.
        unsafeDowncast(call, to: Call.self)
    }

    private func takeOne() -> Call {
        let call = Self.typed(
            slot.pointee.header.isOldestFirst
                ? calls.oldest() : calls.call(at: site.pointee.soup.generator.below(calls.count))
        )
        slot.pointee.header.consumed &+= 1
        remove(call)
        call.markTaken()
        return call
    }

    /// Takes `call` out of the soup.
    func remove(_ call: Call) {
        calls.remove(call)
        changeWaiting(by: -1)
    }

    override func forbidInline() {
        slot.pointee.forbidsInline = true
    }

    override func removeClosures() {
        slot.removeAnswers()
    }

    private struct Rest: Leftover {
        let name: String
        let calls: [Call]
        var count: Int { calls.count }
        func fail(_ error: any Error) {
            for call in calls { call.finish(throwing: error) }
        }
    }

    override func removeAll() -> (any Leftover)? {
        guard slot.pointee.waiting > 0 else { return nil }
        let rest = Rest(name: name, calls: calls.all.map { Self.typed($0) })
        tally.dropped += rest.count
        for call in rest.calls { call.markRemoved() }
        calls.removeAll()
        changeWaiting(by: -slot.pointee.waiting)
        return rest
    }
}
