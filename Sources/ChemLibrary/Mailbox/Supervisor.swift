public import ChemActors
import ChemBase
import Synchronization

/// Watches over a group of actors and decides what happens when one of them fails.
///
/// ```swift
/// let supervisor = Supervisor(Supervision(.oneForAll))
/// let reader = supervisor.supervise(MailboxActor(state: 0) { … })
/// let writer = supervisor.supervise(MailboxActor(state: 0) { … })
/// ```
///
/// A failed actor waits, with its mailbox, until the supervisor has decided. A restart gives it its first state and
/// handler, keeps its mailbox, and loses only the message that failed. If there are too many restarts, all actors of
/// the group end, and the supervisor ends with them.
///
/// An actor's own children have a supervisor as well: see ``MailboxContext/spawn(_:fileID:line:)``. If it ends after
/// too many restarts, the failure goes up to the parent.
///
/// The supervisor and its actors keep each other alive until the supervisor is stopped, is cancelled or fails.
///
/// Source: Erlang/OTP.
public final class Supervisor: Sendable {
    private let event: SlowMolecule<Event>
    private let ended: FastMolecule<Void, MailboxTermination>

    /// Creates a supervisor without actors.
    ///
    /// - Parameters:
    ///   - supervision: Which actors are restarted after a failure, and how often.
    ///   - name: What the supervisor is called in messages.
    ///   - machine: The machine that the supervisor runs on, or nil for the machine of the surrounding code.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public convenience init(
        _ supervision: Supervision = Supervision(),
        name: String = "supervisor",
        machine: ChemicalMachine? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(supervision, name, machine, fileID, line) { _ in }
    }

    init(
        _ supervision: Supervision,
        _ name: String,
        _ machine: ChemicalMachine?,
        _ fileID: StaticString,
        _ line: UInt,
        whenOver: @escaping @Sendable (MailboxTermination) -> Void
    ) {
        func declare(_ join: inout Join.Builder) -> (SlowMolecule<Event>, FastMolecule<Void, MailboxTermination>) {
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let event = join.slow("event", of: Event.self, order: .oldestFirst)
            let over = join.slow("over", of: MailboxTermination.self)
            let ended = join.fast("ended", returning: MailboxTermination.self)
            let roster = join.state("roster", Roster(supervision))
            join.when(event, updating: roster) { roster, event in
                roster.follow(event)
                guard let termination = roster.takeEnd() else { return }
                over(termination)
                whenOver(termination)
            }
            join.answer(ended, with: over) { _, termination in
                over(termination)
                return termination
            }
            return (event, ended)
        }
        (event, ended) =
            if let machine {
                machine.define(name, fileID: fileID, line: line, declare)
            } else {
                Join.define(name, fileID: fileID, line: line, declare)
            }
    }

    /// Adds `actor` to the group and starts it.
    ///
    /// From here on, the supervisor decides after a failure, not the actor's own ``MailboxOptions/restarts``. The order
    /// in which actors are added is the order for ``Supervision/Strategy/restForOne``.
    ///
    /// - Parameters:
    ///   - actor: An actor that has no supervisor.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the actor.
    @discardableResult
    public func supervise<Message>(
        _ actor: MailboxActor<Message>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> MailboxActor<Message> {
        let wasSupervised = actor.core.isSupervised.exchange(true, ordering: .acquiringAndReleasing)
        demand(!wasSupervised, "the actor \(actor) has a supervisor already", fileID, line)
        event(.joined(Member(tie: InferiorTie(actor.core, actor))))
        actor.core.command(.link(self))
        return actor.start()
    }

    /// Cancels all actors of the group, and those added later. Returns at once.
    public func cancel() { event(.cancel) }

    /// Stops all actors of the group, and those added later. Returns at once.
    ///
    /// ```swift
    /// supervisor.stop(.drain)
    /// try await supervisor.termination()  // what was told has been handled
    /// ```
    ///
    /// An actor that fails while it drains its mailbox is restarted as before, and goes on with the rest.
    ///
    /// - Parameters:
    ///   - mode: Whether the actors still handle the messages that are in their mailboxes now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public func stop(_ mode: MailboxStop, fileID: StaticString = #fileID, line: UInt = #line) {
        event(.stop(mode, fileID, line))
    }

    /// Waits until the group and all of its actors have ended, because it was stopped or cancelled, or has failed too
    /// often.
    ///
    /// A handler of an actor of the group must not wait for it, nor one of an actor below: the group doesn't end before
    /// its actors do, so both would wait for ever. A task that the handler starts may.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: why the group has ended.
    /// - Throws: `CancellationError` if the waiting task is cancelled, and a `CallError` if the machine is deactivated
    ///   meanwhile.
    @discardableResult
    nonisolated(nonsending) public func termination(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> MailboxTermination {
        try await ended(fileID: fileID, line: line)
    }

    /// Reports that an actor of the group has failed and waits for a decision.
    func childFailed(_ core: MailboxCore, _ error: any Error, incarnation: Int) {
        event(.failed(core, error, incarnation: incarnation))
    }

    /// Reports that an actor of the group has ended.
    func childEnded(_ core: MailboxCore) { event(.ended(core)) }
}

extension Supervisor {
    private enum Event: Sendable {
        case joined(Member)
        case failed(MailboxCore, any Error, incarnation: Int)
        case ended(MailboxCore)
        case stop(MailboxStop, StaticString, UInt)
        case cancel
    }

    /// An actor of the group, which the group keeps alive.
    private struct Member: Sendable {
        let tie: InferiorTie
        /// How often the actor was told to restart. A failure from before the last restart needs no decision any more.
        var incarnation = 0

        var core: MailboxCore { tie.core }
    }

    /// The actors of a group, in the order in which they joined. Each is found and leaves in constant time, so a group
    /// of any size ends in linear time.
    private struct Members: Sendable {
        /// With gaps, where somebody has left.
        private var all: [Member?] = []
        private var places: [ObjectIdentifier: Int] = [:]

        var isEmpty: Bool { places.isEmpty }

        subscript(core: MailboxCore) -> Member? { places[ObjectIdentifier(core)].flatMap { all[$0] } }

        func forEach(_ body: (Member) -> Void) { for case let member? in all { body(member) } }

        mutating func append(_ member: Member) {
            places[ObjectIdentifier(member.core)] = all.count
            all.append(member)
        }

        mutating func remove(_ core: MailboxCore) {
            guard let place = places.removeValue(forKey: ObjectIdentifier(core)) else { return }
            all[place] = nil
            guard all.count > 2 * places.count + 16 else { return }
            all.removeAll { $0 == nil }
            for case (let place, let member?) in all.enumerated() { places[ObjectIdentifier(member.core)] = place }
        }

        mutating func change(_ core: MailboxCore, _ body: (inout Member) -> Void) {
            if let place = places[ObjectIdentifier(core)] { change(at: place, body) }
        }

        /// Changes all, or `first` and those behind it.
        mutating func changeAll(from first: MailboxCore?, _ body: (inout Member) -> Void) {
            let begin = first.flatMap { places[ObjectIdentifier($0)] } ?? 0
            for place in begin..<all.count { change(at: place, body) }
        }

        private mutating func change(at place: Int, _ body: (inout Member) -> Void) {
            guard var member = all[place] else { return }
            body(&member)
            all[place] = member
        }
    }

    /// What the supervisor knows.
    private struct Roster: Sendable {
        let supervision: Supervision
        /// The actors of the group, in the order in which they were started.
        var members = Members()
        var window = RestartWindow()
        /// Why the group ends, once it is ending.
        var termination: MailboxTermination?
        /// How actors end once the group is ending in order, and where that was said.
        var stop: (mode: MailboxStop, fileID: StaticString, line: UInt)?
        var hasEnded = false

        init(_ supervision: Supervision) {
            self.supervision = supervision
        }

        mutating func follow(_ event: Event) {
            switch event {
            case .joined(let member):
                members.append(member)
                if termination != nil { end(member) }
            case .failed(let core, let error, let incarnation):
                guard decides, members[core]?.incarnation == incarnation else { return }
                if window.allowsRestart(supervision.limit, core.definition.clock) {
                    restart(after: core)
                } else {
                    end(.failed(error), failed: core)
                }
            case .ended(let core):
                members.remove(core)
            case .stop(let mode, let fileID, let line):
                guard decides else { return }
                stop = (mode, fileID, line)
                termination = .stopped
                members.forEach(end)
            case .cancel:
                if decides { end(.cancelled, failed: nil) }
            }
        }

        /// Whether anything but the end of its actors can still happen to the group: it isn't ending, or drains.
        private var decides: Bool { termination == nil || stop?.mode == .drain }

        /// Ends a member as the group ends.
        private func end(_ member: Member) {
            switch stop {
            case (.drain, let fileID, let line)?: member.core.drain(fileID, line)
            case (.now, _, _)?: member.core.cancel(as: .stopped)
            case nil: member.core.cancel()
            }
        }

        private mutating func restart(after failed: MailboxCore) {
            func restart(_ member: inout Member) {
                member.incarnation += 1
                member.core.command(.restart)
            }
            switch supervision.strategy {
            case .oneForOne: members.change(failed, restart)
            case .oneForAll: members.changeAll(from: nil, restart)
            case .restForOne: members.changeAll(from: failed, restart)
            }
        }

        private mutating func end(_ termination: MailboxTermination, failed: MailboxCore?) {
            self.termination = termination
            stop = nil
            members.forEach { member in
                if case .failed(let error) = termination, member.core === failed {
                    member.core.command(.fail(error))
                } else {
                    end(member)
                }
            }
        }

        /// Returns why the group has ended, once: when it is ending and no actor is left.
        mutating func takeEnd() -> MailboxTermination? {
            guard let termination, members.isEmpty, !hasEnded else { return nil }
            hasEnded = true
            return termination
        }
    }
}
