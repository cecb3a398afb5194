import ChemActors
import ChemBase
import Synchronization

/// An actor's own data, independent of its state and message types. One molecule carries it, so one body at a time
/// uses it.
final class MailboxCell: @unchecked Sendable {
    // Checked by hand: the cell is the value of a molecule of which exactly one exists, so only the body that took
    // that molecule uses it. That is also why the compiler need not check for overlapping accesses at run time.

    /// Why no message may be handled now.
    private enum Hold {
        case notStarted
        /// The actor waits for its supervisor's decision.
        case failed
        /// The actor begins anew once the children of before have ended.
        case restarting
        /// The actor waits for its children to end.
        case ending(MailboxTermination)
    }

    let core: MailboxCore
    let content: any MailboxContent
    private let chemistry: MailboxChemistry
    @exclusivity(unchecked) private var hold: Hold? = .notStarted
    /// Urgent messages that couldn't be handled when they arrived.
    @exclusivity(unchecked) private var urgent = FIFO<Letter>()
    /// Messages to handle before those in the mailbox: put aside by a turn, or unstashed.
    @exclusivity(unchecked) private var front = FIFO<Letter>()
    private var stashed: [Letter] = []
    /// The watches that the actor has on others, once it has had one.
    @exclusivity(unchecked) private var ownWatches: MailboxWatches?
    /// The supervisor that decides after a failure, if the actor doesn't decide itself.
    @exclusivity(unchecked) private var superior: Supervisor?
    /// The supervisor that decides after failures of this actor's children, if it has any.
    @exclusivity(unchecked) private var inferiors: Supervisor?
    /// The number of the current group of children: each restart begins another group.
    private var group = 0
    /// How many groups of children haven't ended: the current one, and that of before a restart.
    private var livingGroups = 0
    private var failures = RestartWindow()
    /// How often a supervisor has restarted the actor, so that it knows which of its decisions a failure follows. What
    /// the actor decides for itself doesn't count: it may have been restarted before it was supervised.
    @exclusivity(unchecked) private var incarnation = 0
    /// Whether a `resume` command is on its way.
    @exclusivity(unchecked) private var isResuming = false
    /// Whether the handler has said that it doesn't know the message.
    @exclusivity(unchecked) private var isUnknown = false

    init(_ core: MailboxCore, _ chemistry: MailboxChemistry, _ content: any MailboxContent) {
        self.core = core
        self.chemistry = chemistry
        self.content = content
        content.attach(self)
    }

    // If the actor hasn't ended, its definition has been deactivated or has dissolved.
    deinit {
        guard core.release() else { return }
        // Those of one that was never started have been counted.
        if core.started.load(ordering: .acquiring) { loseAside() }
        ownWatches?.endAll()
        inferiors?.cancel()
        if case .ending(let termination) = hold { tellEnd(termination) } else { tellEnd(.cancelled) }
    }

    // MARK: Turns. Each function ends by handing the cell on.

    /// Handles a message that came from the mailbox.
    func take(_ letter: Letter) {
        if core.pendingCommands.load(ordering: .acquiring) != 0 {
            if letter.content == nil { core.markTaken() }
            front.append(letter)
            chemistry.awaitingStart(self)
        } else {
            run(letter)
        }
    }

    private func run(_ letter: Letter) {
        guard letter.content != nil else {
            core.markTaken()
            return end(.stopped)
        }
        core.trace(.received)
        do {
            guard try core.handlingHere({ try content.receive(letter) }) else {
                return chemistry.handle(MailboxChemistry.Turn(cell: self, letter: letter))
            }
            core.tellDropped()
            finishTurn()
        } catch {
            core.tellDropped(error)
            handlerFailed(error)
        }
    }

    /// Handles a message with a handler that may suspend, in a task of its own.
    @concurrent func handle(_ letter: Letter) async {
        core.handling.begin { core.isOver }
        do {
            try await content.receiveSuspending(letter)
            await core.handling.end()
            core.tellDropped()
            finishTurn()
        } catch {
            await core.handling.end()
            core.tellDropped(error)
            handlerFailed(error)
        }
    }

    private func finishTurn() {
        if isUnknown { isUnknown = false } else { core.processed.add(1, ordering: .relaxed) }
        core.trace(.handled)
        settle()
    }

    /// Hands the cell to the molecule that determines what may come next.
    private func settle() {
        if case .ending(let termination) = hold {
            // Obey the commands that came before the end first.
            let isOver = livingGroups == 0 && core.pendingCommands.load(ordering: .acquiring) == 0
            if isOver { finish(termination) } else { chemistry.awaitingStart(self) }
        } else if core.isOver {
            end(core.currentPhase == .cancelled ? .cancelled : .stopped)
        } else if hold != nil {
            chemistry.awaitingStart(self)
        } else if !urgent.isEmpty {
            goOn()
        } else if core.pendingCommands.load(ordering: .acquiring) != 0 {
            chemistry.awaitingStart(self)
        } else if !front.isEmpty {
            goOn()
        } else {
            chemistry.idle(self)
        }
    }

    /// Has the next turn handle one of the messages put aside, after the commands that arrived before it.
    private func goOn() {
        // Once the cell is in the soup, another body may have it.
        let (isOnItsWay, core) = (isResuming, core)
        isResuming = true
        chemistry.awaitingStart(self)
        if !isOnItsWay { core.command(.resume) }
    }

    /// Handles one of the messages put aside.
    private func resume() {
        if hold == nil, !core.isOver, let letter = urgent.popFirst() {
            run(letter)
        } else if hold == nil, !core.isOver, core.pendingCommands.load(ordering: .acquiring) == 0,
            let letter = front.popFirst()
        {
            run(letter)
        } else {
            settle()
        }
    }

    // MARK: Commands

    /// Carries out a command.
    func obey(_ command: MailboxCommand) {
        switch command {
        case .resume:
            isResuming = false
            return resume()
        case .start:
            if case .notStarted = hold {
                hold = nil
                core.trace(.started)
            }
        case .wake:
            break
        case .restart:
            incarnation += 1
            switch hold {
            case nil, .failed: restart()
            // It begins anew anyway.
            case .notStarted, .restarting, .ending: break
            }
        case .fail(let error):
            if !isEnding { return end(.failed(error)) }
        case .urgent(let letter):
            if isEnding { core.lose(letter, .terminated) } else { urgent.append(letter) }
        case .watch(let watch, let handler):
            core.watchers.add(watch, handler)
        case .link(let supervisor):
            superior = supervisor
        case .childrenEnded(let group, let termination):
            livingGroups -= 1
            if case .restarting = hold, livingGroups == 0 { beginAnew() }
            guard group == self.group else { break }
            inferiors = nil
            if !isEnding, case .failed(let error) = termination { return fail(error) }
        }
        settle()
    }

    // MARK: Failures

    private func handlerFailed(_ error: any Error) {
        // Otherwise whoever traces the actor hears of it.
        if core.options.trace == nil {
            core.definition.reportFailure(of: "handler", error, core.place.fileID, core.place.line)
        }
        fail(error)
    }

    /// Reacts to a handler that has thrown, or to children that have failed too often.
    private func fail(_ error: any Error) {
        isUnknown = false
        core.failed.add(1, ordering: .relaxed)
        core.trace(.failed(error))
        if core.isOver { return settle() }
        if let superior {
            hold = .failed
            superior.childFailed(core, error, incarnation: incarnation)
        } else if failures.allowsRestart(core.options.restarts, core.definition.clock) {
            restart()
        } else {
            reportEnd(after: error)
            return end(.failed(error))
        }
        settle()
    }

    /// Reports that the actor ends because it has failed too often, and what becomes of its messages.
    private func reportEnd(after error: any Error) {
        guard core.options.trace == nil else { return }
        let limit = core.options.restarts
        let lost = core.depth + urgent.count + front.count + stashed.count
        core.definition.reportFailure(
            of: "restart",
            TooManyFailures(limit: limit, lost: lost),
            core.place.fileID,
            core.place.line
        )
    }

    /// Restarts the actor, when its children have ended.
    private func restart() {
        core.restarts.add(1, ordering: .relaxed)
        if let inferiors {
            inferiors.cancel()
            // Whatever becomes of them is no failure of the children that are spawned from here on.
            group += 1
        }
        inferiors = nil
        if livingGroups == 0 { beginAnew() } else { hold = .restarting }
    }

    /// Goes back to the first state and keeps all waiting messages: those that the handler stashed come first.
    private func beginAnew() {
        hold = nil
        unstashAll()
        content.reset()
        core.trace(.restarted)
    }

    // MARK: The end

    private var isEnding: Bool { if case .ending = hold { true } else { false } }

    /// Stops handling messages, waits for the children, if there are any, and finishes.
    private func end(_ termination: MailboxTermination) {
        core.enter(.ended)
        loseAside()
        hold = .ending(termination)
        inferiors?.cancel()
        settle()
    }

    /// No handler will see the messages that were taken from the mailbox and put aside.
    private func loseAside() {
        for letter in urgent.removeAll() + front.removeAll() + stashed { core.lose(letter, .terminated) }
        stashed = []
    }

    private func finish(_ termination: MailboxTermination) {
        // Nobody has to tell it of others any more.
        ownWatches?.endAll()
        core.trace(.terminated(termination))
        core.enter(.finished)
        chemistry.stopped(MailboxChemistry.Ended(core: core, termination: termination))
        tellEnd(termination)
    }

    /// Tells those who have said that they want to know.
    private func tellEnd(_ termination: MailboxTermination) {
        for handler in core.watchers.takeAll() { handler(termination) }
        superior?.childEnded(core)
    }

    // MARK: What the handler may do

    func stash(_ letter: Letter) { stashed.append(letter) }

    func unstashAll() {
        // Handlers say so at each message, and there may be many in front.
        if stashed.isEmpty { return }
        front.prepend(contentsOf: stashed)
        stashed = []
    }

    func loseUnknown(_ letter: Letter) {
        isUnknown = true
        core.lose(letter, .unknown)
    }

    /// The watches that the actor has on others, which end with it.
    var watches: MailboxWatches {
        if let ownWatches { return ownWatches }
        let new = MailboxWatches()
        ownWatches = new
        return new
    }

    /// Makes this actor supervise `child`, and starts `child`.
    func adopt<Message>(_ child: MailboxActor<Message>, _ fileID: StaticString, _ line: UInt) {
        demand(child.core !== core, "the actor \(child) can't be its own child", fileID, line)
        let isAdopted = MailboxFamily.adopt(child.core, by: core)
        demand(isAdopted, "the actor \(child) can't be a child of \(core.description), which is below it", fileID, line)
        let supervisor = inferiors ?? makeSupervisor(fileID, line)
        inferiors = supervisor
        supervisor.supervise(child, fileID: fileID, line: line)
    }

    private func makeSupervisor(_ fileID: StaticString, _ line: UInt) -> Supervisor {
        group += 1
        livingGroups += 1
        return Supervisor(
            core.options.supervision,
            "\(core.name).supervisor",
            core.options.machine,
            fileID,
            line
        ) { [core, group] termination in
            core.command(.childrenEnded(group, termination))
        }
    }
}
