import ChemBase

/// What waits in a definition, and what each reaction lacks: the answer to "why is my task stuck?"
///
/// ```swift
/// print(definition.snapshot())
/// ```
/// ```text
/// exchange, running
///   waiting: left for 2.1 seconds, called at App/Trade.swift:31
///   left & right (App/Trade.swift:12) lacks right
/// ```
public struct JoinSnapshot: Sendable, CustomStringConvertible {
    /// A call that waits.
    public struct Call: Sendable {
        /// The fast molecule.
        public let molecule: String
        /// Where it was called: `Module/File.swift:12`.
        public let location: String
        /// When it entered the soup.
        public let entered: ContinuousClock.Instant

        /// How long it has been waiting.
        public var duration: Duration { entered.duration(to: .now) }
    }

    /// A reaction, and what it lacks.
    public struct Reaction: Sendable {
        /// The names of its inputs, in their order.
        public let inputs: [String]
        /// Where it was declared.
        public let location: String
        /// The inputs that are present in fewer copies than it needs, and what its guards wait for. If there is
        /// nothing, the reaction is possible.
        public let missing: [String]
    }

    /// What a definition is doing.
    public enum Phase: String, Sendable {
        /// The closure of `define` hasn't returned yet.
        case defining
        /// Reactions start as they become possible.
        case running
        /// No reaction starts.
        case paused
        /// What is injected is ignored.
        case deactivated
        /// No name leads to it any more.
        case dissolved
    }

    /// The name of the definition.
    public let definition: String
    /// Where it was made.
    public let location: String
    /// What it is doing.
    public let phase: Phase
    /// The numbers of copies in the soup and on their way into it, by name, without those that are zero.
    public let molecules: [String: Int]
    /// The calls that wait in the soup, longest wait first.
    public let waitingCalls: [Call]
    /// All reactions.
    public let reactions: [Reaction]
    /// How many bodies are running.
    public let running: Int

    /// The same without the reactions that take none of the calls that wait. Nil if none waits.
    var onlyStuck: JoinSnapshot? {
        if waitingCalls.isEmpty { return nil }
        let waiting = Set(waitingCalls.map(\.molecule))
        return JoinSnapshot(
            definition: definition,
            location: location,
            phase: phase,
            molecules: molecules,
            waitingCalls: waitingCalls,
            reactions: reactions.filter { !waiting.isDisjoint(with: $0.inputs) },
            running: running
        )
    }

    /// A few readable lines.
    public var description: String {
        var lines = [
            "\(definition), \(phase.rawValue)\(running > 0 ? ", \(running == 1 ? "1 body" : "\(running) bodies") running" : "")"
        ]
        for call in waitingCalls {
            lines.append("  waiting: \(call.molecule) for \(call.duration.spoken), called at \(call.location)")
        }
        let present = molecules.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        if !present.isEmpty { lines.append("  present: \(present.joined(separator: ", "))") }
        for reaction in reactions {
            let text = "  \(reaction.inputs.joined(separator: " & ")) (\(reaction.location))"
            lines.append(
                reaction.missing.isEmpty
                    ? "\(text) is possible" : "\(text) lacks \(reaction.missing.joined(separator: ", "))"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension Join {
    /// What is in the soup at this moment, who waits, and what each reaction lacks.
    ///
    /// If nobody holds a name any more, the snapshot shows a dissolved definition (``JoinSnapshot/Phase/dissolved``)
    /// without molecules.
    ///
    /// For diagnosis. The definition goes on meanwhile: it is held up only for a moment, whose length doesn't depend on
    /// the number of waiting calls.
    ///
    /// - Complexity: O(molecules declared + inputs of all reactions + waiting calls · log(waiting calls)).
    nonisolated public func snapshot() -> JoinSnapshot {
        // Under the lock, note only what changes. Sentences and lists are made afterwards.
        soup.tellFirst(of: .looks)
        let entry = soup.enter()
        entry.absorb()
        let slots = entry.contents.slots.filter { $0.kind != .gate }
        let present = slots.map { $0.present(entry) }
        let waiting = slots.map { $0.waitingCalls(entry) }
        let reactions = entry.state.chemistry.reactions
        let lacks = reactions.map { $0.lack(entry) }
        let (phase, running) = (entry.contents.life.phase, entry.contents.life.running)
        entry.leaveUnchanged()

        var molecules: [String: Int] = [:]
        for (slot, count) in zip(slots, present) where count > 0 { molecules[slot.name, default: 0] &+= count }
        return JoinSnapshot(
            definition: name,
            location: location.description,
            phase: JoinSnapshot.Phase(phase),
            molecules: molecules,
            waitingCalls: JoinSnapshot.calls(of: slots, waiting),
            reactions: zip(reactions, lacks).map { reaction, lacks in
                JoinSnapshot.Reaction(
                    inputs: reaction.inputs.map(\.name),
                    location: reaction.location.description,
                    missing: lacks.map { $0() }
                )
            },
            running: running
        )
    }
}

extension JoinSnapshot {
    /// The calls of each molecule as a snapshot has them, longest wait first.
    fileprivate static func calls(of slots: [Slot], _ waiting: [WaitingCalls?]) -> [Call] {
        let reading = ClockReading()
        let calls = zip(slots, waiting).flatMap { slot, waiting in
            (waiting?.all ?? []).map { call in
                Call(
                    molecule: slot.name,
                    location: call.location.description,
                    entered: reading.instant(at: call.entered)
                )
            }
        }
        return calls.sorted { $0.entered < $1.entered }
    }
}

extension JoinSnapshot.Phase {
    init(_ phase: Lifecycle.Phase) {
        self =
            switch phase {
            case .defining: .defining
            case .running: .running
            case .paused: .paused
            case .deactivated: .deactivated
            case .dissolved: .dissolved
            }
    }
}
