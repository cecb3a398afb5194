import ChemBase

/// Tasks of which each does the same as the others, so that they could change their names.
package enum AlikeTasks {
    /// Has the tasks that `body` makes begin in the order in which it makes them, in the runs of an exhaustive search:
    /// any other order would be one of these with other names.
    ///
    /// That is so only if they do exactly the same, and if nobody tells them from each other afterwards.
    package static func make(_ body: () throws -> Void) rethrows {
        guard let control = Interception.control else { return try body() }
        control.beginLikeness()
        defer { control.likeness = nil }
        try body()
    }
}

extension Control {
    fileprivate func beginLikeness() {
        likeness = likenesses
        likenesses += 1
    }

    /// Whether no task like that of `one` has to begin before it. Requires the lock.
    func isFirst(_ one: Ready) -> Bool {
        guard let likeness = one.likeness else { return true }
        return !ready.contains { $0.likeness == likeness && $0.number < one.number }
    }

    /// Now that `one` begins, the next task that is like it may begin.
    func beginNext(after one: Ready) {
        lock.withLock {
            guard let next = ready.firstIndex(where: { $0.likeness == one.likeness }) else { return }
            ready[next].cause = surveyor?.step ?? -1
        }
    }
}
