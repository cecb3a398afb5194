// Which reactions would have been possible, had other steps come first.

extension Reduction {
    /// Whether the reaction of `transition` would be possible if, in place of the step `earlier`, those in `between`
    /// came.
    func isPossible(_ transition: Transition, before earlier: Int, after between: ArraySlice<Int>) -> Bool {
        let reaction = Transition(kind: transition.kind, number: transition.number)
        guard let index = candidateIndexes[reaction] else { return true }
        return isPossible(candidates[index], before: earlier, after: between)
    }

    /// Whether `candidate` would be possible if, in place of the step `earlier`, those in `between` came.
    func isPossible(_ candidate: Candidate, before earlier: Int, after between: ArraySlice<Int>) -> Bool {
        candidate.inputs.allSatisfy { input in
            var count = events[earlier].present(input.molecule)
            for index in between { count += events[index].change(input.molecule) }
            return count >= input.copies
        }
    }

    /// The steps of `between` after which `candidate` would be possible if they came in place of the step `earlier`:
    /// without those that take what it lacks, and without what needs these. The last one has to be among them.
    func enabling(
        _ candidate: Candidate,
        at earlier: Int,
        _ between: [Int],
        _ before: [NumberSet]
    ) -> [Int]? {
        var between = between
        while true {
            let lacking = candidate.inputs.filter { input in
                let count = between.reduce(events[earlier].present(input.molecule)) {
                    $0 + events[$1].change(input.molecule)
                }
                return count < input.copies
            }
            if lacking.isEmpty { return between }
            // The latest that can be left out.
            let taker = between.dropLast().last { step in
                lacking.contains { events[step].change($0.molecule) < 0 }
                    && between.last.map { !before[$0].contains(step) } ?? false
            }
            guard let taker else { return nil }
            between.removeAll { $0 == taker || before[$0].contains(taker) }
        }
    }
}
