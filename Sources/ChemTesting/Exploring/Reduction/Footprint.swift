/// What a step has touched: two steps of which neither touches what the other one needs can change places.
struct Footprint {
    /// The molecules that lost copies.
    var consumed = NumberSet()
    /// Those of them whose copies aren't told apart.
    var contested = NumberSet()
    /// Those that got back what they lost: it needed copies, but which of them and who came first is all the same.
    var restored = NumberSet()
    /// Those whose copies are told apart, but nobody knows what became of them.
    var unclear = NumberSet()
    /// The copies that it took, as far as they are told apart.
    var taken = NumberSet()
    /// Those that it made.
    var made = NumberSet()
    /// The molecules that got copies.
    var injected = NumberSet()
    /// Those of them whose copies leave in the order in which they came.
    var queued = NumberSet()
    /// Those of them that got copies behind those that they had, which whoever takes one of these doesn't notice.
    /// None whose copies are told apart.
    var appended = NumberSet()
    /// The others of which the same holds.
    var changed = NumberSet()
    /// Those that somebody has looked at and left where they were: states.
    var read = NumberSet()
    /// What it did to shared objects, on each side of them.
    var left = NumberSet()
    var right = NumberSet()
    /// What it depended on in other ways: somebody asked what there is, or something was withdrawn.
    var seen = NumberSet()
    /// The definitions that it had to do with.
    var touched = NumberSet()
    /// Those of them for which it decided what they may do from then on.
    var controlled = NumberSet()
    /// The molecules of definitions that became quiet, for which somebody waited: what others inject into them might
    /// have come before.
    var quieted = NumberSet()
    /// The one definition that became quiet, whose own reactions came before in any case. -1 if there were several.
    var quiet = -1
    /// The number of the definition whose reaction it was, or nil for another step.
    var definition: Int?
    /// Whether it was the step of a task, which may have touched what isn't a molecule.
    var isOfTask = false
    /// Whether everything depends on it: time has passed.
    var isTotal = false

    /// Whether the order of both matters, given that each of them is possible before the other one.
    func conflicts(with other: Footprint, sharing: Sharing) -> Bool {
        if isTotal || other.isTotal { return true }
        if isOfTask, other.isOfTask, sharing != .molecules { return true }
        return contested.meets(other.contested) || contested.meets(other.changed) || changed.meets(other.contested)
            || restored.meets(other.contested) || contested.meets(other.restored)
            || taken.meets(other.taken) || made.meets(other.taken) || taken.meets(other.made)
            || read.meets(other.consumed) || read.meets(other.injected)
            || other.read.meets(consumed) || other.read.meets(injected)
            || queued.meets(other.queued) || left.meets(other.right) || right.meets(other.left)
            || seen.meets(other.consumed) || seen.meets(other.injected)
            || other.seen.meets(consumed) || other.seen.meets(injected)
            || controlled.meets(other.touched) || touched.meets(other.controlled)
            || holdsUpQuiet(of: other) || other.holdsUpQuiet(of: self)
    }

    /// Whether it may have taken what `candidate` needs, and not another copy, or kept it from happening.
    func competes(with candidate: Candidate) -> Bool {
        contested.meets(candidate.contested) || unclear.meets(candidate.consumed)
            || controlled.contains(candidate.definition)
    }

    /// Whether `other` made something quiet that this would have kept busy.
    private func holdsUpQuiet(of other: Footprint) -> Bool {
        definition != other.quiet && other.quieted.meets(injected)
    }

    mutating func formUnion(_ other: Footprint) {
        consumed.formUnion(other.consumed)
        contested.formUnion(other.contested)
        restored.formUnion(other.restored)
        unclear.formUnion(other.unclear)
        taken.formUnion(other.taken)
        made.formUnion(other.made)
        injected.formUnion(other.injected)
        queued.formUnion(other.queued)
        appended.formUnion(other.appended)
        changed.formUnion(other.changed)
        read.formUnion(other.read)
        left.formUnion(other.left)
        right.formUnion(other.right)
        seen.formUnion(other.seen)
        touched.formUnion(other.touched)
        controlled.formUnion(other.controlled)
        quiet = quieted.isEmpty || quiet == other.quiet ? other.quiet : other.quieted.isEmpty ? quiet : -1
        quieted.formUnion(other.quieted)
        definition = other.definition
        isOfTask = isOfTask || other.isOfTask
        isTotal = isTotal || other.isTotal
    }
}
