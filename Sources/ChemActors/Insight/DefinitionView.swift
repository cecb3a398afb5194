import ChemBase
import Synchronization

/// A definition at one moment, as drawings and explanations need it: everything that they have to know of its soup is
/// copied in one entry.
struct DefinitionView {
    struct Molecule {
        let slot: Slot
        let present: Int
        let injected: Int
        /// Whether there was one copy in the beginning, so that whoever has taken the last has the only one.
        let isSingle: Bool
        /// Which reactions have injected it, that are known.
        let sources: [Observation.Source]
        /// The reaction that has taken a copy last, as a place in `reactions`.
        let lastTaker: Int?
        /// Who made the call that it took with that copy, as events keep it.
        let lastClient: UInt64
        /// Where and in which task that call was made, if that is known.
        let lastCaller: Observation.Caller?
        /// The calls that wait.
        let calls: [Call]

        var name: String { slot.name }
        var isState: Bool { slot.kind == .state }
    }

    struct Reaction {
        let description: ReactionDescription
        let outline: DefinitionOutline.Reaction
        /// What its guards wait for.
        var guards: [String]
        /// How many of its bodies run, if that is observed.
        let running: Int
        /// How often a body of it has thrown, and the type of the last error, if that is observed.
        let failures: (count: Int, last: String)

        var needs: [(molecule: Int, copies: Int)] { outline.needs }
        var updated: Set<Int> { outline.updated }
        var answered: Int? { outline.answered }
        var outputs: [Observation.Output] { outline.outputs }
        var text: String { "\(description.text) (\(description.location))" }
    }

    /// An asynchronous body that has begun.
    struct Body {
        let reaction: ReactionDescription
        /// Which start of the reaction this is, as events keep it.
        let start: UInt64
        /// The call in which it waits.
        let call: Call?
    }

    let join: Join
    let phase: Lifecycle.Phase
    let running: Int
    let retries: Int
    let isObserved: Bool
    /// Whether bodies may have made something of which that isn't known.
    let hasOverlooked: Bool
    let outline: DefinitionOutline
    let molecules: [Molecule]
    let reactions: [Reaction]
    let bodies: [Body]
    /// The calls that reactions have taken and not answered yet, with the place of the reaction and its start.
    let taken: [(call: Call, reaction: Int, start: UInt64)]

    init(_ join: Join) {
        self.join = join
        let entry = join.soup.enter()
        entry.absorb()
        let slots = entry.contents.slots
        let present = slots.map { $0.present(entry) }
        let injected = slots.map { $0.header.pointee.injected }
        let waiting = slots.map { $0.waitingCalls(entry) }
        let traces = Traces(join.observation)
        let chemistry = entry.state.chemistry
        let declarations = chemistry.reactions
        let runningBodies = declarations.map { $0.notes?.running ?? 0 }
        let failures = declarations.map { declaration in
            declaration.notes.map { ($0.failures, $0.lastError) } ?? (0, "")
        }
        hasOverlooked = declarations.contains { declaration in
            guard let notes = declaration.notes else { return false }
            return join.observation?.hasOverlooked(notes) ?? false
        }
        let lacks = declarations.map { declaration in declaration.gates.compactMap { $0.lack(entry) } }
        let seenReactions = join.observation?.reactions ?? []
        let takenCalls = join.observation?.taken ?? [:]
        let bodies = Self.begunBodies(entry)
        phase = entry.contents.life.phase
        running = entry.contents.life.running
        retries = entry.contents.life.retries
        entry.leaveUnchanged()

        let calls = waiting.map { ($0?.all ?? []).compactMap { $0 as? Call } }
        self.bodies = bodies
        taken = takenCalls.sorted { $0.key < $1.key }.compactMap { _, taken in
            (taken.call as? Call).map { ($0, taken.reaction, taken.start) }
        }
        isObserved = join.observation != nil
        molecules = slots.indices.map { index in
            traces.molecule(slots[index], index, (present[index], injected[index]), calls[index])
        }
        let outline = DefinitionOutline(join, slots: slots, chemistry, seen: seenReactions)
        self.outline = outline
        reactions = declarations.indices.map { index in
            Reaction(
                description: declarations[index],
                outline: outline.reactions[index],
                guards: lacks[index].map { $0() },
                running: runningBodies[index],
                failures: failures[index]
            )
        }
    }

    /// What is seen of the molecules, if anything is. Made in the soup.
    private struct Traces {
        private let takings: [Observation.Taking]
        private let callers: [Observation.Caller?]
        private let singles: Set<Int>
        private let molecules: [Observation.OfMolecule]

        init(_ observation: Observation?) {
            takings = observation.map { Array($0.takings) } ?? []
            callers = observation?.lastCallers ?? []
            singles = observation?.singles ?? []
            molecules = observation?.molecules ?? []
        }

        func molecule(
            _ slot: Slot,
            _ index: Int,
            _ copies: (present: Int, injected: Int),
            _ calls: [Call]
        ) -> Molecule {
            let taking = index < takings.count ? takings[index] : Observation.Taking()
            return Molecule(
                slot: slot,
                present: copies.present,
                injected: copies.injected,
                isSingle: singles.contains(index),
                sources: index < molecules.count ? molecules[index].sources : [],
                lastTaker: taking.reaction >= 0 ? Int(taking.reaction) : nil,
                lastClient: taking.client,
                lastCaller: index < callers.count ? callers[index] : nil,
                calls: calls
            )
        }
    }

    private static func begunBodies(_ entry: borrowing SoupEntry) -> [Body] {
        var bodies: [Body] = []
        var next = entry.state.firstBody?.takeUnretainedValue()
        while let scope = next {
            let start = Sender.body(scope.reaction, scope.start).packed
            bodies.append(Body(reaction: scope.reaction, start: start, call: scope.waitingCall as? Call))
            next = scope.next
        }
        return bodies
    }

    /// What `reaction` lacks, as places in `molecules`.
    func missing(_ reaction: Reaction) -> [Int] {
        reaction.needs.filter { molecules[$0.molecule].present < $0.copies }.map(\.molecule)
    }

    /// Whether `reaction` could start.
    func isPossible(_ reaction: Reaction) -> Bool { missing(reaction).isEmpty && reaction.guards.isEmpty }
}
