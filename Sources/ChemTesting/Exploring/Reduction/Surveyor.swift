import ChemActors

/// Finds out, for the reduction, what each step of a run has touched: by counting what there is before and after it.
final class Surveyor {
    private typealias Count = ControlledDefinition.Count

    private final class Known {
        let definition: ControlledDefinition
        /// The number of its first molecule.
        let base: Int
        let cause: Int
        var isAlive = true

        init(_ definition: ControlledDefinition, base: Int, cause: Int) {
            self.definition = definition
            self.base = base
            self.cause = cause
        }
    }

    private let reduction: Reduction
    private var known: [Known] = []
    /// The last definition with each identity.
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var counts: [Count] = []
    private var copies = Copies()
    private var seen = NumberSet()
    private var read = NumberSet()
    /// Which definitions the step has to do with, and those of them that it controls.
    private var touched = NumberSet()
    private var controlled = NumberSet()
    /// What the step has done to shared objects, on each side of them.
    private var left = NumberSet()
    private var right = NumberSet()
    private var sharedObjects = SharedNumber.first
    private var quieted: Set<Int> = []
    /// The definition that tells of its quiet right now.
    private(set) var quiet: Int?
    private(set) var step = -1
    private var transition: Transition?
    /// The definition whose body the step is, if it is one.
    private(set) var definition: Int?
    /// The last step of each task.
    private var lastSteps: [String: Int] = [:]

    init(_ reduction: Reduction) {
        self.reduction = reduction
        reduction.begin()
    }

    func add(_ definition: ControlledDefinition) {
        let (number, base) = (known.count, counts.count)
        known.append(Known(definition, base: base, cause: step))
        numbers[definition.id] = number
        tellApart(definition, base)
        counts += Array(repeating: .zero, count: definition.moleculeCount)
        for (reaction, inputs) in definition.reactions.enumerated() {
            let inputs = inputs.map { (molecule: base + $0.molecule, copies: $0.copies) }
            var (consumed, toldApart, contested) = (NumberSet(), NumberSet(), NumberSet())
            for input in inputs {
                consumed.insert(input.molecule)
                if copies.areToldApart(input.molecule) {
                    toldApart.insert(input.molecule)
                } else {
                    contested.insert(input.molecule)
                }
            }
            let transition = Transition(kind: .reaction(number), number: reaction)
            reduction.add(
                Candidate(
                    transition: transition,
                    inputs: inputs,
                    consumed: consumed,
                    toldApart: toldApart,
                    contested: contested,
                    definition: number
                )
            )
        }
    }

    /// Has the copies told apart of molecules whose reactions take nothing that guards look at: then it is known what
    /// each choice is about.
    private func tellApart(_ definition: ControlledDefinition, _ base: Int) {
        let plain = definition.takes.map { takes in takes.allSatisfy { !definition.areGuarded[$0] } }
        for molecule in 0..<definition.moleculeCount where definition.leaveAtRandom[molecule] {
            let isPlain = zip(definition.takes, plain).allSatisfy { takes, isPlain in
                isPlain || !takes.contains(molecule)
            }
            if isPlain { copies.tellApart(base + molecule) }
        }
    }

    /// The ways to take what a reaction takes, or nil if there are more than `limit`.
    func picks(of reaction: Int, of number: Int, limit: Int) -> [Copies.Pick]? {
        let (definition, base) = (known[number].definition, known[number].base)
        guard reaction < definition.takes.count else { return [Copies.Pick()] }
        let molecules = definition.takes[reaction].lazy.map { base + $0 }
        guard copies.arePicks(of: molecules, atMost: limit) else { return nil }
        return copies.picks(of: molecules) { molecule in
            definition.leaveAtRandom[molecule - base] ? counts[molecule].present : nil
        }
    }

    /// The number of a definition.
    func number(of definition: ObjectIdentifier) -> Int {
        guard let number = numbers[definition] else { fatalError("ChemTesting: a definition works that wasn't made") }
        return number
    }

    private func insert(_ number: Int, into molecules: inout NumberSet) {
        let one = known[number]
        for molecule in one.base..<one.base + one.definition.moleculeCount { molecules.insert(molecule) }
    }

    /// The step has to do with a definition. While that is being made, nobody else knows it.
    func touch(_ definition: ObjectIdentifier, _ touch: Touch) {
        guard let number = numbers[definition] else { return }
        let base = known[number].base
        touched.insert(number)
        switch touch {
        case .looks: insert(number, into: &seen)
        case .looksAt(let molecule): read.insert(base + molecule)
        case .tries(let molecule):
            for inputs in known[number].definition.reactions where inputs.contains(where: { $0.molecule == molecule }) {
                for input in inputs { read.insert(base + input.molecule) }
            }
        case .obeys: break
        case .controls:
            insert(number, into: &seen)
            controlled.insert(number)
        }
    }

    func newSharedObject() -> Int {
        defer { sharedObjects += 1 }
        return sharedObjects
    }

    func touch(sharedObject number: Int, _ side: SharedSide) {
        if side != .right { left.insert(number) }
        if side != .left { right.insert(number) }
    }

    /// The step has made a definition quiet, for which somebody waits.
    func beginTelling(ofQuietOf definition: ObjectIdentifier) {
        let number = number(of: definition)
        quiet = number
        quieted.insert(number)
    }

    func endTelling() { quiet = nil }

    /// Begins a step, or the rest of an interrupted one, which counts as a step.
    ///
    /// What it is caused by is, for a job, the step that has enqueued it, and for a rest, what came before it. The
    /// definition is that whose body the rest is of.
    func begin(
        _ transition: Transition,
        restOf definition: Int?,
        task: String?,
        cause: Int,
        afterQuietOf quiet: Int?
    ) {
        step += 1
        self.transition = transition
        self.definition = definition
        seen = NumberSet()
        read = NumberSet()
        touched = NumberSet()
        controlled = NumberSet()
        left = NumberSet()
        right = NumberSet()
        quieted = []
        var cause = cause
        if case .reaction(let number) = transition.kind {
            cause = known[number].cause
            self.definition = number
        }
        var previous = -1
        if let task {
            previous = lastSteps[task] ?? -1
            lastSteps[task] = step
        }
        reduction.begin(
            Event(transition, cause: cause, previous: previous, awaited: quiet, counts: counts)
        )
    }

    /// Ends it.
    func end() {
        guard let transition else { return }
        var footprint = Footprint()
        (footprint.seen, footprint.read) = (seen, read)
        (footprint.left, footprint.right) = (left, right)
        for index in known.indices where known[index].isAlive {
            let (definition, base) = (known[index].definition, known[index].base)
            withUnsafeTemporaryAllocation(of: Count.self, capacity: definition.moleculeCount) { now in
                now.initialize(repeating: .zero)
                known[index].isAlive = definition.count(now)
                for molecule in 0..<definition.moleculeCount {
                    let (before, after) = (counts[base + molecule], now[molecule])
                    guard before != after else { continue }
                    touched.insert(index)
                    note(molecule, of: index, before, after, transition, &footprint)
                    counts[base + molecule] = after
                }
            }
        }
        for number in quieted { insert(number, into: &footprint.quieted) }
        if quieted.count == 1, let only = quieted.first { footprint.quiet = only }
        switch transition.kind {
        case .job: footprint.isOfTask = true
        case .time: footprint.isTotal = true
        case .rest:
            // What goes on is a task, or a reaction.
            footprint.isOfTask = definition == nil
            footprint.definition = definition
            if let definition { touched.insert(definition) }
        case .reaction(let number):
            footprint.definition = number
            touched.insert(number)
            let (definition, base) = (known[number].definition, known[number].base)
            for input in transition.number < definition.reactions.count ? definition.reactions[transition.number] : [] {
                let molecule = base + input.molecule
                if !footprint.consumed.contains(molecule) { footprint.read.insert(molecule) }
            }
        }
        (footprint.touched, footprint.controlled) = (touched, controlled)
        reduction.end(footprint, counts)
    }

    /// Notes what has happened to a molecule.
    private func note(
        _ molecule: Int,
        of definition: Int,
        _ before: Count,
        _ after: Count,
        _ transition: Transition,
        _ footprint: inout Footprint
    ) {
        let (index, definition) = (definition, known[definition])
        let number = definition.base + molecule
        let (injected, consumed) = (after.injected - before.injected, after.consumed - before.consumed)
        let change = after.present - before.present
        // If not, somebody has put copies back, or withdrawn or dropped them, which keeps others from taking them.
        let isInOrder = consumed >= 0 && change == injected - consumed
        if consumed != 0 || !isInOrder { footprint.consumed.insert(number) }
        if !isInOrder {
            footprint.seen.insert(number)
            footprint.unclear.insert(number)
        }
        if isInOrder, change == 0, consumed > 0, definition.definition.areAlike[molecule] {
            footprint.restored.insert(number)
            return
        }
        if injected != 0 || !isInOrder { footprint.injected.insert(number) }
        if copies.areToldApart(number) {
            let taken = self.taken(molecule, of: index, by: transition)
            if isInOrder, taken.count == consumed {
                for copy in taken { footprint.taken.insert(copy) }
                footprint.made.formUnion(copies.change(number, taken: taken, made: injected))
            } else {
                footprint.seen.insert(number)
                footprint.unclear.insert(number)
                footprint.made.formUnion(copies.renew(number, after.present))
            }
            return
        }
        if consumed != 0 { footprint.contested.insert(number) }
        guard injected != 0 || !isInOrder else { return }
        if definition.definition.areOrdered[molecule] { footprint.queued.insert(number) }
        if isInOrder, definition.definition.leaveInTurn[molecule] {
            footprint.appended.insert(number)
        } else {
            footprint.changed.insert(number)
        }
    }

    /// The copies of `molecule` that `transition` takes, if they are told apart.
    private func taken(_ molecule: Int, of definition: Int, by transition: Transition) -> [Int] {
        guard transition.kind == .reaction(definition), !transition.copies.isEmpty else { return [] }
        let (base, takes) = (known[definition].base, known[definition].definition.takes[transition.number])
        return zip(takes.filter { copies.areToldApart(base + $0) }, transition.copies)
            .filter { $0.0 == molecule }.map(\.1)
    }
}
