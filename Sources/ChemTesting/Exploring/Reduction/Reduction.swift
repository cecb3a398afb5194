import ChemActors

/// Leaves out the schedules that differ from others only in the order of steps that don't depend on each other.
///
/// It walks the tree of schedules depth first. At each step it keeps what has to be tried there, which begins as one
/// possibility; a run that shows that another one matters adds it. What was tried *sleeps* in the schedules that
/// follow, until a step comes that it conflicts with: before that, it would repeat what has been seen.
///
/// A reaction needs no more than its inputs, so unlike a thread, it may be kept from happening for good. So it isn't
/// enough to look at steps that have happened: a reaction that shares an input with a step, and would have been
/// possible instead if what came later had come first, counts, too.
///
/// Source: Abdulla, Aronis, Jonsson and Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order
/// Reduction" (2017), and Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (1996), for
/// sleep sets.
final class Reduction {
    let sharing: Sharing
    /// How many schedules are wanted at most. A reaction that can take its inputs in more ways has more schedules.
    let limit: Int
    private(set) var hasGivenUp = false
    /// Whether it tries all orders in which what others look at begins and ends.
    private(set) var ordersTimelines = false
    private var beginsAnew = false
    private var nodes: [ReductionNode] = []
    /// The step at which this run differs from the one before.
    private var first = 0
    private(set) var events: [Event] = []
    /// In the order in which they were declared, which decides what is tried first.
    private(set) var candidates: [Candidate] = []
    /// The index of each, by what it is without copies.
    private(set) var candidateIndexes: [Transition: Int] = [:]
    /// How many choices the present step has made.
    private var choiceCount = 0
    /// Whether a run has offered something else than the one before did at the same step: then nothing is proved.
    private(set) var hasChanged = false
    private(set) var isOver = false

    init(sharing: Sharing, limit: Int) {
        self.sharing = sharing
        self.limit = limit
    }

    // MARK: During a run

    /// The number of the present step.
    var step: Int { events.count - 1 }

    func orderTimelines() {
        guard !ordersTimelines else { return }
        ordersTimelines = true
        beginsAnew = true
    }

    /// Begins a run.
    func begin() {
        events = []
        candidates = []
        candidateIndexes = [:]
    }

    /// Chooses the next step.
    ///
    /// - Returns: its index, or nil if each of them would repeat what has been seen.
    func choose(among offered: [Transition]) -> Int? {
        let step = events.count
        choiceCount = 0
        if step == nodes.count {
            var asleep: [(transition: Transition, footprint: Footprint)] = []
            if let last = nodes.last {
                asleep = last.asleep.filter {
                    $0.transition != last.current
                        && !$0.footprint.conflicts(with: events[step - 1].footprint, sharing: sharing)
                }
            }
            guard let node = ReductionNode(offered, asleep: asleep) else { return nil }
            nodes.append(node)
        }
        guard nodes[step].offered == offered else {
            hasChanged = true
            return nil
        }
        return nodes[step].place(of: nodes[step].current)
    }

    /// There are more schedules than are wanted.
    func giveUp() { hasGivenUp = true }

    /// A step has made other choices than were planned.
    func goAstray() { hasChanged = true }

    /// Begins the step that was chosen.
    func begin(_ event: Event) { events.append(event) }

    /// Makes a choice within the present step.
    func choose(_ count: Int) -> Int {
        let step = events.count - 1
        defer { choiceCount += 1 }
        if choiceCount == nodes[step].choices.count { nodes[step].choices.append((0, count)) }
        return min(nodes[step].choices[choiceCount].choice, count - 1)
    }

    /// Ends the present step.
    func end(_ footprint: Footprint, _ after: [ControlledDefinition.Count]) {
        let step = events.count - 1
        events[step].footprint = footprint
        events[step].after = after
        nodes[step].footprint.formUnion(footprint)
    }

    func add(_ candidate: Candidate) {
        candidateIndexes[candidate.transition] = candidates.count
        candidates.append(candidate)
    }

    // MARK: After a run

    /// Finds out what has to be tried, and begins with the next of it.
    func learn() {
        if hasGivenUp {
            isOver = true
            return
        }
        if beginsAnew {
            beginsAnew = false
            (nodes, first) = ([], 0)
            return
        }
        findRaces()
        while let last = nodes.indices.last {
            while let (choice, count) = nodes[last].choices.popLast() {
                guard choice + 1 < count else { continue }
                nodes[last].choices.append((choice + 1, count))
                first = last
                return
            }
            var footprint = nodes[last].footprint
            // Nobody else can take these: other runs give their numbers to others.
            footprint.made = NumberSet()
            nodes[last].sleep(footprint)
            if let next = nodes[last].next() {
                nodes[last].current = next
                nodes[last].footprint = Footprint()
                first = last
                return
            }
            nodes.removeLast()
        }
        isOver = true
    }

    /// For each step, the steps that had to come before it.
    func order() -> [NumberSet] {
        var before: [NumberSet] = []
        before.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            var set = NumberSet()
            for earlier in (0..<index).reversed() where !set.contains(earlier) {
                guard
                    event.cause == earlier || event.previous == earlier || event.awaits(events[earlier], earlier)
                        || conflict(earlier, index)
                else { continue }
                set.insert(earlier)
                set.formUnion(before[earlier])
            }
            before.append(set)
        }
        return before
    }

    /// Whether two steps of the run have to stay in their order.
    private func conflict(_ earlier: Int, _ later: Int) -> Bool {
        let (first, second) = (events[earlier].footprint, events[later].footprint)
        return first.conflicts(with: second, sharing: sharing)
            || first.appended.meets(second.consumed) && needsCopies(of: earlier, later)
    }

    /// Whether the step `later` has taken copies that have come with the step `earlier`, or behind these.
    private func needsCopies(of earlier: Int, _ later: Int) -> Bool {
        let (earlier, later) = (events[earlier], events[later])
        return later.counts.indices.contains { molecule in
            guard earlier.footprint.appended.contains(molecule), later.footprint.consumed.contains(molecule) else {
                return false
            }
            let (before, after) = (later.counts[molecule], later.after[molecule])
            let younger = before.injected - (molecule < earlier.counts.count ? earlier.counts[molecule].injected : 0)
            return before.present - younger < after.consumed - before.consumed
        }
    }

    private func findRaces() {
        let before = order()
        for step in first..<max(first, events.count) {
            findRaces(of: step, before)
            for candidate in candidates {
                findRivalry(of: candidate, at: step, before)
                findChances(of: candidate, after: step, before)
            }
        }
    }

    /// Finds the steps that `later` could have come before.
    private func findRaces(of later: Int, _ before: [NumberSet]) {
        let event = events[later]
        for earlier in (0..<later).reversed() where before[later].contains(earlier) {
            guard
                !event.follows(earlier, before), !event.awaits(events[earlier], earlier),
                conflict(earlier, later),
                // Nothing lies between them.
                !(earlier + 1..<later).contains(where: { before[later].contains($0) && before[$0].contains(earlier) })
            else { continue }
            let between = (earlier + 1..<later).filter { !before[$0].contains(earlier) }
            if case .reaction = event.transition.kind,
                events[earlier].footprint.made.meets(event.footprint.taken)
                    || !isPossible(event.transition, before: earlier, after: between[...])
            {
                continue
            }
            want(between, then: event.transition, comesAfter: { before[later].contains($0) }, at: earlier, before)
        }
    }

    /// Finds out whether `candidate` was possible in place of `step`, which took what it needs.
    private func findRivalry(of candidate: Candidate, at step: Int, _ before: [NumberSet]) {
        let event = events[step]
        guard
            event.footprint.consumed.meets(candidate.consumed)
                || event.footprint.controlled.contains(candidate.definition),
            isPossible(candidate, before: step, after: [])
        else { return }
        let isContested = event.footprint.competes(with: candidate)
        let ways = nodes[step].offered.filter { $0.isLike(candidate.transition) }
        if ways.isEmpty, isContested, !event.transition.isLike(candidate.transition) {
            return want([], then: candidate.transition, comesAfter: { _ in false }, at: step, before)
        }
        for way in ways where rivals(way, candidate, step) {
            want([], then: way, comesAfter: { _ in false }, at: step, before)
        }
    }

    /// Finds the steps in whose place `candidate` could have happened if what `last` has injected, and what that
    /// needed, had come first; or in whose place it would take something else, if `last` had come first.
    private func findChances(of candidate: Candidate, after last: Int, _ before: [NumberSet]) {
        let isEnabled = events[last].footprint.injected.meets(candidate.consumed)
        let isChanged = events[last].footprint.contested.meets(candidate.contested)
        guard isEnabled || isChanged else { return }
        for earlier in (0..<last).reversed() where !before[last].contains(earlier) {
            guard
                isEnabled && areRivals(events[earlier], candidate, after: events[last])
                    || isChanged && nodes[earlier].asleep.contains(where: { rivals($0.transition, candidate, earlier) })
            else { continue }
            let free = (earlier + 1...last).filter { !before[$0].contains(earlier) }
            guard let between = enabling(candidate, at: earlier, free, before) else { continue }
            let comesAfter = { (index: Int) in
                self.events[index].footprint.injected.meets(candidate.consumed)
                    || self.events[index].footprint.consumed.meets(candidate.consumed)
            }
            want(between, then: candidate.transition, comesAfter: comesAfter, at: earlier, before)
        }
    }

    /// Whether `transition`, which is asleep, is the reaction of `candidate` and would have kept the step `step` from
    /// taking what it took. As long as nothing comes that changes what it takes, it would repeat what has been seen.
    private func rivals(_ transition: Transition, _ candidate: Candidate, _ step: Int) -> Bool {
        let event = events[step]
        return transition.isLike(candidate.transition) && transition != event.transition
            && (event.footprint.competes(with: candidate)
                || transition.copies.contains(where: event.footprint.taken.contains))
    }

    /// Whether `event` takes what `candidate` needs besides what `last` has injected.
    private func areRivals(_ event: Event, _ candidate: Candidate, after last: Event) -> Bool {
        let (footprint, injected) = (event.footprint, last.footprint.injected)
        let lost = footprint.consumed.subtracting(footprint.restored)
        // With the same copies, it would be the same step.
        if event.transition.isLike(candidate.transition), !injected.meets(candidate.toldApart) { return false }
        if footprint.competes(with: candidate) { return true }
        // The copy that `last` has injected is another one.
        let others = candidate.inputs.filter { $0.copies > 1 || !injected.contains($0.molecule) }
        let another = candidate.inputs.count { injected.contains($0.molecule) } > 1
        return others.contains { lost.contains($0.molecule) } || another && lost.meets(candidate.consumed)
    }

    /// Sees to it that at the step `earlier` something is tried that leads to the steps in `between`, and then to
    /// `last`.
    private func want(
        _ between: [Int],
        then last: Transition,
        comesAfter: (Int) -> Bool,
        at earlier: Int,
        _ before: [NumberSet]
    ) {
        // Those that can come first.
        var isFirst: [Int] = []
        for index in between where !between.contains(where: { $0 < index && before[index].contains($0) }) {
            isFirst.append(index)
        }
        var firsts = isFirst.map { events[$0].transition }
        let needsNothing = !between.contains(where: comesAfter)
        if needsNothing { firsts.append(last) }
        if firsts.contains(where: { nodes[earlier].wanted.contains($0) || nodes[earlier].isAsleep($0) }) { return }
        // What leads there.
        let useful = isFirst.filter { index in
            comesAfter(index) || between.contains { comesAfter($0) && before[$0].contains(index) }
        }
        let ways = needsNothing ? [last] : useful.map { events[$0].transition }
        let isOffered = { (transition: Transition) in self.nodes[earlier].place(of: transition) != nil }
        if let way = ways.first(where: isOffered) ?? firsts.first(where: isOffered) {
            nodes[earlier].want(way)
        } else {
            for way in nodes[earlier].offered { nodes[earlier].want(way) }
        }
    }
}
