public import ChemActors
import ChemBase
import Foundation
import Synchronization

/// What the reactions of a mailbox actor and all references to it share: identity, names, counters.
@usableFromInline
final class MailboxCore: Sendable {
    /// How far the actor has come. The phase only grows; of `cancelled` and `stopping`, the one set first counts.
    enum Phase: UInt8, AtomicRepresentable {
        case new, draining, stopping, cancelled, ended
        /// The actor and its children have ended.
        case finished

        /// Whether the actor handles no more messages.
        var isOver: Bool { rawValue >= Phase.stopping.rawValue }
    }

    /// Its number among the actors of the process.
    let number = MailboxIdentity.next()
    /// Where it was made.
    let place: (fileID: StaticString, line: UInt)
    /// A name that no other actor has. It's made when somebody asks.
    var uuid: UUID { MailboxIdentity.uuid(number) }
    let name: String
    let options: MailboxOptions
    /// Whether messages carry names of molecules, which must be exported before they are sent.
    @usableFromInline let carriesNames: Bool
    let definition: Join
    private let isControlled: Bool
    /// The names, local.
    let names: MailboxNames

    private let phase = Atomic<Phase>(.new)
    /// Whether somebody has started the actor.
    let started = Atomic<Bool>(false)
    /// How many commands have been announced but not handled. While there are any, messages wait.
    let pendingCommands = Atomic<Int>(0)
    let processed = Atomic<Int>(0)
    let dropped = Atomic<Int>(0)
    let unknown = Atomic<Int>(0)
    let failed = Atomic<Int>(0)
    let restarts = Atomic<Int>(0)
    /// How many urgent messages it was told before anybody started it.
    let earlyUrgent = Atomic<Int>(0)
    let askers = Atomic<Int>(0)
    /// Whether the mark at which draining ends is behind the messages.
    private let isMarked = Atomic<Bool>(false)
    /// Whether a supervisor decides after a failure.
    let isSupervised = Atomic<Bool>(false)
    /// Whether it has ever had a child. Changes under the lock of `MailboxFamily`.
    let hasHadChildren = Atomic<Bool>(false)
    /// Who is told of its end.
    let watchers = MailboxWatchers()
    /// The task of the asynchronous handler that is running.
    let handling = HandlingTask()
    /// The thread on which a handler runs that hasn't suspended, or zero.
    private let handlingThread = Atomic<UInt>(0)
    /// The askers whose questions the running handler has dropped. Touched by its thread or task only.
    @exclusivity(unchecked) nonisolated(unsafe) private var droppedQuestions: [AnyAnswerWaiter] = []

    init(
        name: String,
        place: (fileID: StaticString, line: UInt),
        options: MailboxOptions,
        carriesNames: Bool,
        definition: Join,
        names: MailboxNames
    ) {
        self.name = name
        self.place = place
        self.options = options
        self.carriesNames = carriesNames
        self.definition = definition
        isControlled = definition.isControlled
        self.names = names
    }

    deinit { if isSupervised.load(ordering: .relaxed) { MailboxFamily.forget(self) } }

    var description: String { "\(name) \(Unmanaged.passUnretained(self).toOpaque()) \(uuid.uuidString)" }

    // MARK: Messages

    /// Puts a message into its box, where names aren't seen: so they are exported first.
    @inlinable
    func letter<Message>(_ message: sending Message) -> Letter {
        Parcel.holding(carriesNames ? Exports.outward(message) : message)
    }

    /// Tells a control, if there is one, of what happens now.
    func tell(of touch: Touch) { if isControlled { definition.tell(of: touch) } }

    /// The number of a new question.
    func newSharedObject() -> Int { isControlled ? definition.newSharedObject() : SharedNumber.old }

    /// Tells a control, if there is one, that somebody has to do with a question now.
    func tell(ofShared number: Int, _ side: SharedSide) {
        if isControlled { definition.tell(ofShared: number, side) }
    }

    /// How far the actor has come.
    var currentPhase: Phase {
        tell(of: .obeys)
        // In one order with the beginning and the cancellation of a handler: see `HandlingTask.begin`.
        return phase.load(ordering: .sequentiallyConsistent)
    }

    /// The actor has come that far.
    func enter(_ phase: Phase) {
        tell(of: .controls)
        self.phase.store(phase, ordering: .sequentiallyConsistent)
    }

    /// The cell is released. Whoever has deactivated its definition has told a control of that.
    ///
    /// - Returns: whether that is before its end.
    func release() -> Bool {
        if phase.load(ordering: .acquiring) == .finished { return false }
        phase.store(.finished, ordering: .sequentiallyConsistent)
        return true
    }

    /// Whether somebody has started the actor.
    var isStarted: Bool {
        tell(of: .obeys)
        return started.load(ordering: .acquiring)
    }
    /// Whether the actor and its children have ended.
    var isFinished: Bool { currentPhase == .finished }

    func start() {
        tell(of: .controls)
        if !started.exchange(true, ordering: .acquiringAndReleasing) { command(.start) }
    }

    /// Whether no message told from now on will be handled.
    var isTerminating: Bool { currentPhase != .new }
    /// Whether the actor has ended, or will end after its current message.
    var isOver: Bool { currentPhase.isOver }

    @usableFromInline
    func tell(_ letter: Letter) -> Bool {
        guard currentPhase == .new else {
            lose(letter, .terminated)
            return false
        }
        switch names.mail {
        case .slow(let mail):
            mail(letter)
            return true
        case .bounded(let mail):
            if mail.tryInject(letter) { return true }
            lose(letter, .full)
            return false
        }
    }

    @usableFromInline
    func tellUrgently(_ letter: Letter) -> Bool {
        guard currentPhase == .new else {
            lose(letter, .terminated)
            return false
        }
        if !isStarted { earlyUrgent.add(1, ordering: .relaxed) }
        command(.urgent(letter))
        return true
    }

    nonisolated(nonsending) func send(
        _ letter: consuming Letter,
        within duration: Duration?,
        isQuestion: Bool = false,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        guard case .bounded(let mail) = names.mail, !isTerminating else {
            if tell(letter) { return }
            throw MailboxError(.terminated, self)
        }
        if mail.tryInject(letter) { return }
        switch options.capacity.overflow {
        case .suspend:
            // Only a started actor makes room.
            guard isStarted else { throw MailboxError(.notStarted, self) }
            if handling.isCurrent { throw MailboxError(.deadlock, self) }
            do {
                if let duration {
                    try await mail.inject(letter, within: duration, fileID: fileID, line: line)
                } else {
                    try await mail.inject(letter, fileID: fileID, line: line)
                }
            } catch let error as CallError {
                throw MailboxError(error.code == .timedOut ? .timedOut : .terminated, self)
            }
        case .fail:
            throw MailboxError(.full, self)
        case .dropNewest, .dropOldest:
            lose(letter, .full)
            if isQuestion { throw MailboxError(.full, self) }
        }
    }

    // MARK: Questions that a handler drops

    /// Runs a handler in this thread.
    @inline(__always)
    func handlingHere(_ handle: () throws -> Bool) rethrows -> Bool {
        handlingThread.store(Platform.threadIdentity, ordering: .relaxed)
        defer { handlingThread.store(0, ordering: .relaxed) }
        return try handle()
    }

    /// A question has gone without an answer.
    ///
    /// - Returns: whether its asker is told at the end of the handler, which runs here.
    func dropped(_ waiter: AnyAnswerWaiter) -> Bool {
        guard handling.isCurrent || handlingThread.load(ordering: .relaxed) == Platform.threadIdentity else {
            return false
        }
        droppedQuestions.append(waiter)
        return true
    }

    /// The handler has ended: tells those whose questions it has dropped.
    ///
    /// - Parameter error: What it has thrown, if it has.
    @inline(__always)
    func tellDropped(_ error: (any Error)? = nil) {
        if !droppedQuestions.isEmpty { failDropped(error) }
    }

    @inline(never)
    private func failDropped(_ error: (any Error)?) {
        let waiters = droppedQuestions
        droppedQuestions = []
        let reason = isOver ? MailboxError(.terminated, self) : MailboxError(.unanswered, self, cause: error)
        for waiter in waiters { waiter.fail(reason) }
    }

    // MARK: Commands

    func command(_ command: MailboxCommand) {
        if command.isAwaited { pendingCommands.add(1, ordering: .acquiringAndReleasing) }
        names.control(SentCommand(command, to: self))
    }

    func cancel(as target: Phase = .cancelled) {
        tell(of: .controls)
        var seen = phase.load(ordering: .acquiring)
        while !seen.isOver {
            let (exchanged, original) = phase.compareExchange(
                expected: seen,
                desired: target,
                ordering: .sequentiallyConsistent
            )
            if exchanged {
                command(.wake)
                handling.cancel()
                return
            }
            seen = original
        }
    }

    func cancel(as termination: MailboxTermination) {
        if case .stopped = termination { cancel(as: Phase.stopping) } else { cancel(as: Phase.cancelled) }
    }

    func drain(_ fileID: StaticString, _ line: UInt) {
        tell(of: .controls)
        let (exchanged, _) = phase.compareExchange(
            expected: Phase.new,
            desired: Phase.draining,
            ordering: .acquiringAndReleasing
        )
        guard exchanged else { return }
        switch names.mail {
        case .slow(let mail):
            isMarked.store(true, ordering: .relaxed)
            mail(.end)
        case .bounded(let mail):
            isMarked.store(true, ordering: .relaxed)
            if mail.tryInject(.end) { return }
            isMarked.store(false, ordering: .relaxed)
            // Wait behind the senders that are already waiting for room.
            let mail = mail.exported
            Task.detached { [self] in
                guard (try? await mail.inject(.end, fileID: fileID, line: line)) != nil else { return }
                isMarked.store(true, ordering: .relaxed)
            }
        }
    }

    // MARK: Reports

    func trace(_ kind: @autoclosure () -> MailboxEvent.Kind) {
        if let trace = options.trace { trace(MailboxEvent(actor: description, kind: kind())) }
    }

    /// The mark at which draining ends has left the mailbox.
    func markTaken() { isMarked.store(false, ordering: .relaxed) }

    /// How many messages wait in the mailbox. The mark at which draining ends is none.
    var depth: Int { depth(definition.statistics.molecules) }

    private func depth(_ molecules: [String: JoinStatistics.Molecule]) -> Int {
        func waiting(_ name: String) -> Int { (molecules[name]?.present ?? 0) + (molecules[name]?.inInbox ?? 0) }
        let all = waiting("mailbox") + waiting("mailbox.post")
        return isMarked.load(ordering: .relaxed) ? max(0, all - 1) : all
    }

    var statistics: MailboxStatistics {
        let molecules = definition.statistics.molecules
        return MailboxStatistics(
            depth: depth(molecules),
            waitingSenders: molecules["mailbox.inject"]?.present ?? 0,
            waitingAskers: askers.load(ordering: .acquiring),
            processed: processed.load(ordering: .acquiring),
            dropped: dropped.load(ordering: .acquiring),
            unknown: unknown.load(ordering: .acquiring),
            failed: failed.load(ordering: .acquiring),
            restarts: restarts.load(ordering: .acquiring)
        )
    }
}
