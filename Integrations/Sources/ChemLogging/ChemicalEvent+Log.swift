public import ChemActors
import EventNames
public import Logging

extension ChemicalEvent {
    /// A reporter that logs each event, with what it is about as metadata.
    ///
    /// ```swift
    /// ChemicalMachine.bootstrap(ChemicalMachine.Configuration(reporter: ChemicalEvent.log(to: logger)))
    /// ```
    ///
    /// - An error: a body threw and nobody gets the error; a call ended without an answer, or was answered twice.
    /// - A warning: a call waits for long, a body keeps its thread for long, or a condition is searched for long; what
    ///   was injected came too late; a failed reaction isn't tried again; a pause held up what was possible.
    /// - Debug: what was dropped or cancelled on request, or was left in a soup that nobody can reach.
    ///
    /// The metadata has `definition` and `kind`, and as far as there are: `reaction`, `molecule`, `location`, `count`,
    /// `error`, `explanation`, `dropped`, and `lastEvents` of a machine that records.
    ///
    /// - Parameter logger: Where to.
    /// - Returns: the reporter.
    public static func log(to logger: Logger) -> @Sendable (ChemicalEvent) -> Void {
        { event in logger.log(level: event.level, "\(event)", metadata: event.metadata, source: "ChemActors") }
    }

    private var level: Logger.Level {
        switch kind {
        case .failedReaction, .unanswered, .answeredTwice: isMishap ? .error : .debug
        case .waitsForLong, .runsForLong, .keepsThread, .doesNothing, .leadsNowhere, .searchesForLong,
            .ignoredInjection, .droppedRetry:
            .warning
        case .dissolvedWithMolecules, .dropped: isMishap ? .warning : .debug
        }
    }

    private var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["definition": "\(definition)", "kind": "\(kind.name)"]
        switch kind {
        case .failedReaction(let reaction, let location, let error),
            .droppedRetry(let reaction, let location, let error):
            metadata["reaction"] = "\(reaction)"
            metadata["location"] = "\(location)"
            metadata["error"] = "\(error)"
        case .unanswered(let molecule, let reactions), .answeredTwice(let molecule, let reactions):
            metadata["molecule"] = "\(molecule)"
            metadata["reaction"] = "\(reactions)"
        case .waitsForLong(let molecule, let location, let explanation):
            metadata["molecule"] = "\(molecule)"
            metadata["location"] = "\(location)"
            metadata["explanation"] = "\(explanation)"
        case .runsForLong(let reactions, let count):
            metadata["reaction"] = "\(reactions)"
            metadata["count"] = "\(count)"
        case .keepsThread(let reaction, let location):
            metadata["reaction"] = "\(reaction)"
            metadata["location"] = "\(location)"
        case .doesNothing(let location), .leadsNowhere(let location):
            metadata["location"] = "\(location)"
        case .searchesForLong(let location, let combinations):
            metadata["location"] = "\(location)"
            metadata["count"] = "\(combinations)"
        case .ignoredInjection(let molecule, let location, let count):
            metadata["molecule"] = "\(molecule)"
            metadata["location"] = "\(location)"
            metadata["count"] = "\(count)"
        case .dropped(let molecule, let count),
            .dissolvedWithMolecules(let molecule, let count, _):
            metadata["molecule"] = "\(molecule)"
            metadata["count"] = "\(count)"
        }
        if !droppedInputs.isEmpty { metadata["dropped"] = "\(droppedInputs.joined(separator: ", "))" }
        if let lastEvents { metadata["lastEvents"] = "\(lastEvents)" }
        return metadata
    }
}
