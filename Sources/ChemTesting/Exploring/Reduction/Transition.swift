import ChemActors

/// What can happen next. It keeps its identity from the step at which it is offered until it is taken.
struct Transition: Hashable {
    enum Kind: Hashable {
        /// A task goes on. The number counts the jobs.
        case job
        /// A step that was interrupted goes on. They are counted together with the jobs.
        case rest
        /// A reaction of the definition with this number.
        case reaction(Int)
        /// The next deadline comes.
        case time
    }

    let kind: Kind
    let number: Int
    /// The copies that a reaction takes, as far as they are told apart.
    var copies: [Int] = []

    /// Whether both are the same reaction, whatever it takes.
    func isLike(_ other: Transition) -> Bool { kind == other.kind && number == other.number }
}

/// A step of a run, as the reduction sees it.
final class Event {
    let transition: Transition
    /// The step that has made it possible whatever the soup holds: for a job, the one that has enqueued it; for a
    /// reaction, the one that has made the definition. -1 for the beginning.
    let cause: Int
    /// A step of the same task before it: that comes before it in any order. -1 if none is known.
    let previous: Int
    /// The definition whose quiet a task has waited for: all its reactions until `cause` had to come before.
    let awaited: Int?
    /// What was there before it, for each molecule.
    let counts: [ControlledDefinition.Count]
    var footprint = Footprint()
    /// What was there after it.
    var after: [ControlledDefinition.Count] = []

    init(_ transition: Transition, cause: Int, previous: Int, awaited: Int?, counts: [ControlledDefinition.Count]) {
        self.transition = transition
        self.cause = cause
        self.previous = previous
        self.awaited = awaited
        self.counts = counts
    }

    /// How many copies of a molecule were there before it. None of those that it has made.
    func present(_ molecule: Int) -> Int { molecule < counts.count ? counts[molecule].present : 0 }

    /// How many copies it has added. Negative if it took some. What it has added counts, too, if the definition has
    /// dissolved with it, since nothing was possible any more.
    func change(_ molecule: Int) -> Int {
        guard molecule < after.count else { return 0 }
        let before = molecule < counts.count ? counts[molecule] : .zero
        let after = after[molecule]
        let change = after.present - before.present
        guard after.present == 0, after.injected > before.injected else { return change }
        return max(change, after.injected - before.injected - (after.consumed - before.consumed))
    }

    /// Whether it comes after the step with this index in any order, as far as `before` knows that of its begin.
    func follows(_ earlier: Int, _ before: [NumberSet]) -> Bool {
        func isAfter(_ step: Int) -> Bool { step == earlier || step >= 0 && before[step].contains(earlier) }
        return isAfter(cause) || isAfter(previous)
    }

    /// Whether it waited for the quiet that `other`, the step with this index, had to come before.
    func awaits(_ other: Event, _ index: Int) -> Bool {
        guard let awaited, index <= cause else { return false }
        return other.footprint.definition == awaited
    }
}

/// A reaction that might happen in place of a step, if what it needs were there.
struct Candidate {
    let transition: Transition
    /// The molecules that it needs, and how many copies.
    let inputs: [(molecule: Int, copies: Int)]
    let consumed: NumberSet
    /// Those of them whose copies are told apart, and the others.
    let toldApart: NumberSet
    let contested: NumberSet
    /// The number of its definition.
    let definition: Int
}
