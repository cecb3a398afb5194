import ChemActors
import ChemBase
import Synchronization

// The reactions of a mailbox actor. Exactly one molecule at a time carries the cell, which holds the actor's state:
//
//     awaitingStart  the actor isn't started, or has failed, or commands are on their way: it only takes commands
//     idle           the actor takes a message or a command
//     handle         an asynchronous handler is about to run, or is running
//     stopped        the actor has ended: every message is a dead letter
//
// Users read these names in reports: `mailbox & idle lacks idle`, where there is `awaitingStart`.
//
// Each molecule costs an actor some 400 bytes, and each reaction some 500, so there are as few as possible: continuing
// with the messages put aside is a command, `resume`, rather than a molecule.
//
// If a turn takes a message while commands are pending, it puts the message aside until they are handled. So commands
// overtake all messages, and cancelling, which also sets a flag, overtakes commands.

extension MailboxCore {
    /// Makes the definition of an actor.
    static func make(
        name: String,
        options: MailboxOptions,
        carriesNames: Bool,
        _ fileID: StaticString,
        _ line: UInt,
        content: (MailboxCore) -> any MailboxContent
    ) -> (MailboxCore, MailboxNames) {
        var made: MailboxCore?
        func declare(_ join: inout Join.Builder) -> MailboxNames {
            join.isNotKeptByInnerDefinitions()
            let chemistry = MailboxChemistry(options.capacity, &join)
            let names = MailboxNames(
                mail: chemistry.declareMail(options.capacity, &join),
                control: chemistry.control,
                ask: chemistry.ask,
                ended: chemistry.ended
            )
            let core = MailboxCore(
                name: name,
                place: (fileID, line),
                options: options,
                carriesNames: carriesNames,
                definition: join.definition,
                names: names
            )
            chemistry.declareLife(core, &join)
            chemistry.awaitingStart(MailboxCell(core, chemistry, content(core)))
            join.endsWhenCleared()
            made = core
            return names
        }
        let names =
            if let machine = options.machine {
                machine.define(name, fileID: fileID, line: line, declare)
            } else {
                Join.define(name, fileID: fileID, line: line, declare)
            }
        guard let made else { fatalError("ChemLibrary: a definition was made without its closure") }
        return (made, names)
    }
}

/// The molecules of a mailbox actor, local to its definition.
///
/// It is an object because many reactions use it: each holds one reference instead of all names.
final class MailboxChemistry: Sendable {
    let control: SlowMolecule<SentCommand>
    let ask: FastMolecule<AnyAnswerWaiter, Void>
    let ended: FastMolecule<Void, MailboxTermination>
    let awaitingStart: SlowMolecule<MailboxCell>
    let idle: SlowMolecule<MailboxCell>
    let handle: SlowMolecule<Turn>
    let stopped: SlowMolecule<Ended>
    /// A message that had to make room, if the mailbox drops the oldest message.
    let lost: SlowMolecule<Letter>?

    /// A message and the cell that handles it.
    struct Turn: Sendable {
        let cell: MailboxCell
        let letter: Letter
    }

    /// What remains of an actor that has ended.
    struct Ended: Sendable {
        let core: MailboxCore
        let termination: MailboxTermination
    }

    init(_ capacity: MailboxCapacity, _ join: inout Join.Builder) {
        control = join.slow("control", of: SentCommand.self, order: .oldestFirst)
        ask = join.fast("ask", of: AnyAnswerWaiter.self)
        ended = join.fast("ended", returning: MailboxTermination.self)
        awaitingStart = join.slow("awaitingStart", of: MailboxCell.self)
        idle = join.slow("idle", of: MailboxCell.self)
        handle = join.slow("handle", of: Turn.self)
        stopped = join.slow("stopped", of: Ended.self)
        let losesOldest = capacity.limit != nil && capacity.overflow == .dropOldest
        lost = losesOldest ? join.slow("lost", of: Letter.self, order: .oldestFirst) : nil
    }

    /// Declares the mailbox: a slow molecule, a bounded one, or one that makes room by itself.
    func declareMail(_ capacity: MailboxCapacity, _ join: inout Join.Builder) -> MailboxNames.Mail {
        guard let limit = capacity.limit else {
            let mail = join.slow("mailbox", of: Letter.self, order: .oldestFirst)
            declareTurns(mail, &join)
            return .slow(mail)
        }
        switch capacity.overflow {
        case .suspend, .dropNewest, .fail:
            let mail = join.bounded("mailbox", of: Letter.self, capacity: limit, order: .oldestFirst)
            declareTurns(mail, &join)
            return .bounded(mail)
        case .dropOldest:
            return .slow(declareRing(limit, &join))
        }
    }

    private func declareTurns<Mail: Molecule>(_ mail: Mail, _ join: inout Join.Builder) where Mail.Input == Letter {
        join.when(mail, idle) { letter, cell in cell.take(letter) }
        join.when(mail, stopped) { [stopped] letter, ended in
            ended.core.lose(letter, .terminated)
            stopped(ended)
        }
    }

    /// Declares a mailbox that drops the oldest message for a new one. A state holds the waiting messages, and there is
    /// a `mailbox` for each.
    private func declareRing(_ limit: Int, _ join: inout Join.Builder) -> SlowMolecule<Letter> {
        let post = join.slow("mailbox.post", of: Letter.self, order: .oldestFirst)
        let mail = join.slow("mailbox")
        let next = join.slow("next", of: Turn.self)
        let ring = join.state("ring", Ring())
        join.when(post, updating: ring) { [lost] ring, letter in
            ring.letters.append(letter)
            // The mark at which draining ends isn't a message: it drops none, and messages behind it become dead
            // letters anyway.
            if letter.content == nil { ring.isClosed = true }
            if !ring.isClosed, ring.letters.count > limit, let oldest = ring.letters.popFirst() {
                lost?(oldest)
            } else {
                mail()
            }
        }
        join.when(mail, idle, updating: ring) { [idle] ring, _, cell in
            guard let letter = ring.letters.popFirst() else { return idle(cell) }
            next(Turn(cell: cell, letter: letter))
        }
        join.when(mail, stopped, updating: ring) { [stopped] ring, _, ended in
            if let letter = ring.letters.popFirst() { ended.core.lose(letter, .terminated) }
            stopped(ended)
        }
        join.when(next) { turn in turn.cell.take(turn.letter) }
        return post
    }

    /// Declares the reactions that all actors have.
    func declareLife(_ core: MailboxCore, _ join: inout Join.Builder) {
        join.when(control, idle) { sent, cell in cell.obey(sent.take()) }
        join.when(control, awaitingStart) { sent, cell in cell.obey(sent.take()) }
        join.when(control, stopped) { [stopped] sent, ended in
            let command = sent.take()
            stopped(ended)
            command.come(to: ended.core, endedBy: ended.termination)
        }
        join.when(handle) { turn in await turn.cell.handle(turn.letter) }
        if let lost { join.when(lost) { letter in core.lose(letter, .full) } }
        join.when(ask) { reply in reply.value.bind(reply) }
        join.answer(ended, with: stopped) { [stopped] _, ended in
            stopped(ended)
            return ended.termination
        }
    }
}

/// The waiting messages of an actor that drops the oldest message for a new one.
private struct Ring: Sendable {
    var letters = FIFO<Letter>()
    /// Whether the mark at which draining ends has arrived.
    var isClosed = false
}
