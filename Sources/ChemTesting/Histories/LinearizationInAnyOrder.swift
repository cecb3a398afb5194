import Exploring

/// Finds out whether operations can be explained in each order in which they may begin and end.
///
/// It goes through the steps in which operations begin and end, in all their orders, and keeps what orders of the
/// operations explain what has ended: Lowe's linearization "just in time", for all orders at once.
///
/// Source: Lowe, "Testing for linearizability" (2017).
struct LinearizationInAnyOrder<Model: SequentialModel> {
    /// What may have had its effect, and the state that has come of it.
    private struct Place: Hashable {
        var done = NumberSet()
        var model: Model
    }

    private enum Change { case begins(Int), ends(Int) }

    private struct Step {
        /// In their order.
        var changes: [Change] = []
        /// The steps that come before.
        var before = NumberSet()
    }

    /// Steps that have been taken, and how what has ended is explained.
    private struct Situation: Hashable {
        let taken: NumberSet
        let begun: NumberSet
        let places: Set<Place>
    }

    private let entries: [History<Model>.Entry]
    /// For each operation that hasn't ended the one before it that is equal.
    private let twins: [Int?]
    private var steps: [Step] = []
    private var seen: Set<Situation> = []

    init(_ entries: [History<Model>.Entry], _ order: StepOrder) {
        self.entries = entries
        twins = twinsOfPending(entries)
        var changes: [(step: Int, time: Int, change: Change)] = []
        for (index, entry) in entries.enumerated() {
            guard let (begin, end) = entry.steps else { continue }
            changes.append((begin, entry.begin, .begins(index)))
            if let end, let time = entry.end { changes.append((end, time, .ends(index))) }
        }
        changes.sort { $0.time < $1.time }
        var numbers: [Int] = []
        for (number, _, change) in changes {
            if numbers.last != number {
                let before = NumberSet(numbers.indices.lazy.filter { order.mustPrecede(numbers[$0], number) })
                steps.append(Step(before: before))
                numbers.append(number)
            }
            steps[steps.count - 1].changes.append(change)
        }
    }

    mutating func exists(from model: Model) -> Bool {
        explains(Situation(taken: NumberSet(), begun: NumberSet(), places: [Place(model: model)]))
    }

    /// Whether all that can come next is explained.
    private mutating func explains(_ situation: Situation) -> Bool {
        guard seen.insert(situation).inserted else { return true }
        for index in steps.indices where !situation.taken.contains(index) {
            guard steps[index].before.isSubset(of: situation.taken) else { continue }
            var (taken, begun, places) = (situation.taken, situation.begun, situation.places)
            taken.insert(index)
            for change in steps[index].changes {
                switch change {
                case .begins(let operation):
                    begun.insert(operation)
                    places = reachable(from: places, begun)
                case .ends(let operation): places = places.filter { $0.done.contains(operation) }
                }
            }
            if places.isEmpty { return false }
            guard explains(Situation(taken: taken, begun: begun, places: places)) else { return false }
        }
        return true
    }

    private func hasFreeTwin(_ operation: Int, _ done: NumberSet, _ begun: NumberSet) -> Bool {
        var twin = twins[operation]
        while let one = twin {
            if begun.contains(one), !done.contains(one) { return true }
            twin = twins[one]
        }
        return false
    }

    /// What can come of `places` if any of the operations have had their effect that have begun.
    private func reachable(from places: Set<Place>, _ begun: NumberSet) -> Set<Place> {
        var all = places
        var new = Array(places)
        while let place = new.popLast() {
            for index in entries.indices where begun.contains(index) && !place.done.contains(index) {
                // Of equal ones that haven't ended, the first that has begun comes first.
                if hasFreeTwin(index, place.done, begun) { continue }
                var next = place
                guard let result = next.model.apply(entries[index].operation) else { continue }
                if entries[index].end != nil, result != entries[index].result { continue }
                next.done.insert(index)
                if all.insert(next).inserted { new.append(next) }
            }
        }
        return all
    }
}
