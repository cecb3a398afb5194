import ChemActors

/// A fork that is taken and put back by itself.
///
///     take & free → an answer
private struct Fork: Sendable {
    let take: FastMolecule<Void, Void>
    let free: SlowMolecule<Void>

    init(_ name: String) {
        (take, free) = Join.define("fork \(name)") { join in
            let take = join.fast("take")
            let free = join.slow("free")
            join.answer(take, with: free) { _, _ in }
            free()
            return (take, free)
        }
    }

    private init(take: FastMolecule<Void, Void>, free: SlowMolecule<Void>) {
        (self.take, self.free) = (take, free)
    }
}

extension Gallery {
    /// What happens if philosophers take one fork after the other, instead of both or none.
    ///
    /// When each has one, nobody gets a second one any more. The machine says so, and that it is a circle. A fork from
    /// outside lets all of them eat.
    static let greedy = Example(
        "greedy",
        "philosophers who take one fork after the other: they hang, and the machine says why",
        from: "Dijkstra",
        recorder: .flight
    ) { stage, screen, machine in
        let count = stage.philosophers
        let forks = Philosopher.forks(of: count).map { Fork($0) }
        let (sit, hasEaten) = Join.define("greedy") { join in
            let sit = join.slow("sit", of: Int.self)
            let hasOne = join.fast("hasOne")
            let (eaten, hasEaten) = (join.slow("eaten"), join.fast("hasEaten"))

            join.when(sit) { seat in
                let (left, right) = (forks[(seat + count - 1) % count], forks[seat])
                try await left.take()
                try await hasOne()
                try await right.take()
                eaten()
                left.free()
                right.free()
            }
            .produces(forks.map(\.free))
            .produces(eaten)
            join.when(count, of: hasOne) { replies in for reply in replies { reply() } }
            join.answer(hasEaten, with: eaten) { _, _ in }
            return (sit, hasEaten)
        }
        sit.inject(contentsOf: 0..<count)
        // Each has a fork, and waits for another one.
        while machine.explainStuck().calls.count(where: { $0.molecule.hasPrefix("fork") }) < count {
            try Task.checkCancellation()
            await Task.yield()
        }
        let report = machine.explainStuck()
        screen.leave("\(report)".split(separator: "\n").map { "  \($0)" })
        var checks = [
            Check("calls that wait", report.calls.count, is: count),
            Check("calls that are explained by a circle", report.calls.count { $0.isInCircle }, is: count),
        ]
        // Beside them sit some who take both forks at once, for whoever looks.
        if stage.isWatched {
            let table = Table(
                of: count,
                pace: Pace(step: .milliseconds(100), seed: stage.seed),
                witness: Witness(DinnerLedger(philosophers: count, goal: 0)),
                show: { _ in }
            )
            try await Task.sleep(for: .seconds(stage.seconds))
            table.definition.deactivate()
        }
        forks[0].free()
        for _ in 0..<count { try await hasEaten() }
        try await machine.quiescence()
        checks.append(Check("calls that wait after a fork has come from outside", machine.census().waitingCalls, is: 0))
        return checks
    }
}

extension StuckReport.Call {
    fileprivate var isInCircle: Bool { causes.contains { cause in cause.roots.contains { $0.hasSuffix("cycle") } } }
}
