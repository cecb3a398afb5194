import ChemBase

/// Something that happened in a chemical machine and that no caller hears about.
///
/// A machine hands each event to its reporter: `ChemicalMachine.Configuration.reporter`.
public struct ChemicalEvent: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable {
        /// A body threw and is not tried again. Its callers get the error; ``ChemicalEvent/isKnownToCaller`` says
        /// whether there was one. Its slow inputs are gone, unless the failure policy puts them back.
        case failedReaction(reaction: String, location: String, error: any Error)
        /// The last copy of an unanswered reply is gone. The caller has received a ``CallError``. `reactions` are those
        /// that get replies of the molecule, with their lines.
        case unanswered(molecule: String, reactions: String)
        /// A call was answered a second time, without effect. `reactions` are those that get replies of the molecule,
        /// with their lines.
        case answeredTwice(molecule: String, reactions: String)
        /// A call has been waiting for longer than `ChemicalMachine.Configuration.patience`. It goes on waiting, and is
        /// reported once. `explanation` says what each of its reactions lacks, and who could still inject that.
        ///
        /// Waiting for quiet is reported in the same way, with `quiescence()` for the molecule, the line of the
        /// definition, and what keeps it busy.
        case waitsForLong(molecule: String, location: String, explanation: String)
        /// For longer than `ChemicalMachine.Configuration.patience` a definition has done nothing but its own short
        /// reactions, nothing has come from outside, and no less is left than there was: its reactions may set each
        /// other off without end. It goes on, and is reported once. `reactions` are those that happen most, with their
        /// lines, and `count` is how often all have happened meanwhile, which is more often than there were molecules.
        ///
        /// Values that a graph of the library feeds back without end are reported in the same way.
        case runsForLong(reactions: String, count: Int)
        /// The body of a reaction, declared at `location`, has kept its thread for as long as
        /// `ChemicalMachine.Configuration.patience` says, and for a second at least. It goes on, and is reported once.
        /// What a body does after its first suspension isn't seen, nor what runs in the calling task or on the main
        /// actor.
        case keepsThread(reaction: String, location: String)
        /// A definition was over as soon as it was made: its closure has returned no name, and nothing that it has
        /// injected can react.
        case doesNothing(location: String)
        /// A value was sent to an input of a mall, made at `location`, that no operator takes: the mall hasn't been
        /// opened, or none of its operators names that input. Reported once.
        case leadsNowhere(location: String)
        /// A reaction with a condition over several inputs (`where:`) has tried so many combinations for one new copy.
        /// It goes on, and is reported once. If the inputs have to agree in something, matching that costs next to
        /// nothing.
        case searchesForLong(location: String, combinations: Int)
        /// Copies of a molecule, declared at `location`, were injected after their definition had dissolved: by a name
        /// that isn't exported, which doesn't keep it alive.
        case ignoredInjection(molecule: String, location: String, count: Int)
        /// A definition dissolved while copies of a molecule were waiting in it. Harmless, unless a pause was holding
        /// up a reaction that was possible with them.
        case dissolvedWithMolecules(molecule: String, count: Int, wasPossible: Bool)
        /// Copies of a molecule were dropped because their definition was cleared or deactivated.
        case dropped(molecule: String, count: Int)
        /// A failed reaction was not tried again because its definition was cleared or deactivated.
        case droppedRetry(reaction: String, location: String, error: any Error)
    }

    /// The name of the definition.
    public let definition: String
    /// What happened.
    public let kind: Kind
    /// Whether a caller got the error of a failed reaction, and so can handle it. Such a failure is no mishap.
    public let isKnownToCaller: Bool
    /// The slow molecules that a failed reaction has consumed. Its body may have injected some of them again. Empty if
    /// the failure policy puts them back.
    public let droppedInputs: [String]
    /// Whether the task was cancelled in which a reaction has failed.
    var wasCancelled = false
    /// What had happened in the definition before, a line for each event, if its machine has a ``EventRecorder`` and
    /// no caller knows.
    public let lastEvents: String?

    /// Whether it points to a mistake. What was dropped or cancelled on request, or is left in a soup that nobody can
    /// reach, does not; nor does an error that a caller has got, nor a long wait or a long run, which may be meant. A
    /// `CancellationError` does if nobody has cancelled the task of the body, and inputs are lost by it.
    public var isMishap: Bool {
        switch kind {
        case .dissolvedWithMolecules(_, _, let wasPossible): wasPossible
        case .dropped, .waitsForLong, .runsForLong, .keepsThread: false
        case .failedReaction(_, _, let error):
            !isKnownToCaller && !(error is CancellationError && (wasCancelled || droppedInputs.isEmpty))
        default: true
        }
    }

    /// One readable line.
    public var description: String {
        switch kind {
        case .failedReaction(_, let location, let error as any Finding):
            "\(definition) (\(location)) \(error)"
        case .failedReaction(let reaction, let location, let error):
            "\(definition): the reaction \(reaction) (\(location)) threw: \(loss.isEmpty ? "\(error)" : clause(error))\(loss)"
        case .unanswered(let molecule, let reactions):
            "\(definition): a call of '\(molecule)' ended without an answer"
                + (reactions.isEmpty ? "" : " from the reaction \(reactions)")
        case .answeredTwice(let molecule, let reactions):
            "\(definition): a call of '\(molecule)' was answered a second time"
                + (reactions.isEmpty ? "" : " by the reaction \(reactions)") + "; the second answer had no effect"
        case .waitsForLong("quiescence()", let location, let explanation):
            "\(definition) (\(location)): somebody has waited for its quiet for a long time: \(explanation)"
        case .waitsForLong(let molecule, let location, let explanation):
            "\(definition): a call of '\(molecule)' (\(location)) has been waiting for a long time: \(explanation)"
        case .runsForLong(let reactions, let count):
            "\(definition): \(count) reactions one after the other, and nothing has come from outside: \(reactions) may go on "
                + "without end"
        case .keepsThread(let reaction, let location):
            "\(definition): the body of \(reaction) (\(location)) has kept its thread for a long time: if it blocks, make it wait with "
                + "await, since all tasks of the program share as many threads as there are cores"
        case .doesNothing(let location):
            "\(definition): the definition (\(location)) was over as soon as it was made: its closure returned no name, and "
                + "nothing in it could react: return the names that others use, or inject inside of the closure; "
                + "in an object or a closure names aren't seen, so put 'name.exported' there"
        case .leadsNowhere(let location):
            "\(definition): a value was sent to an input of a mall (\(location)) that no operator takes: open the mall before "
                + "anything is sent, and name the input in an operator"
        case .searchesForLong(let location, let combinations):
            "\(definition): the reaction (\(location)) has tried its condition on \(combinations) combinations for one new copy: "
                + "if its inputs have to agree in something, use matching:"
        case .ignoredInjection(let molecule, let location, let count):
            "\(definition): \(count) of '\(molecule)' (\(location)) came after the definition had dissolved and went unused: "
                + "whoever injects it must hold an exported name: write '.exported' where a task or global storage keeps it"
        case .dissolvedWithMolecules(let molecule, let count, let wasPossible):
            "\(definition): dissolved with \(count) of '\(molecule)' in the soup"
                + (wasPossible ? ", while a pause held up a possible reaction" : "")
        case .dropped(let molecule, let count):
            "\(definition): dropped \(count) of '\(molecule)'"
        case .droppedRetry(let reaction, let location, let error):
            "\(definition): the reaction \(reaction) (\(location)) threw and is not tried again: \(error)"
        }
    }

    /// What an error says, without the end of its sentence.
    private func clause(_ error: any Error) -> Substring {
        let text = "\(error)"
        return text.hasSuffix(".") ? text.dropLast() : text[...]
    }

    /// What a failed reaction has consumed, as the end of a sentence. Its body may have injected some of it again.
    private var loss: String {
        if droppedInputs.isEmpty { return "" }
        return "; it has consumed " + droppedInputs.map { "'\($0)'" }.joined(separator: ", ")
    }

    /// The calls of which it was printed that they wait for long, by definition, molecule and line.
    private static let printedWaits = Guarded<Set<String>>([])
    private static let printedWaitLimit = 1000

    /// Whether a programmer wants to read it.
    private var isWorthPrinting: Bool {
        switch kind {
        case .waitsForLong(let molecule, let location, _):
            // Ten thousand callers may wait in one line, and one of them says it all.
            Self.printedWaits.withLock { printed in
                printed.count < Self.printedWaitLimit
                    && printed.insert("\(definition).\(molecule) \(location)").inserted
            }
        case .runsForLong, .keepsThread: true
        default: isMishap
        }
    }

    /// Writes the event as one line to standard error, and ``lastEvents`` behind it, if it is a mishap or takes for
    /// long. This is what machines do by default. Of all calls that wait for long in one line of a program, it tells of
    /// the first, and of a thousand lines at most.
    public static let printToStandardError: @Sendable (ChemicalEvent) -> Void = { event in
        guard event.isWorthPrinting else { return }
        let before = event.lastEvents.map { "\($0)\n" } ?? ""
        Platform.writeToStandardError("ChemActors: \(event)\n\(before)")
    }
}

/// What has become of an object of the library, reported as an error though no reaction has thrown it. Its description
/// goes on from the object's name.
package protocol Finding: Error, CustomStringConvertible {}
