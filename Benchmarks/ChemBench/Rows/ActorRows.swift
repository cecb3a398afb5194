/// Baselines with an actor, called one call after the other.
enum ActorRows {
    static let all = [
        Row("baseline/actor-call", 200_000, quick: 50_000) { count in try await callInTurn(count) },
        Row("baseline/actor-call-main", 20_000, quick: 5_000) { @MainActor count in try await callInTurn(count) },
        Row("baseline/task-per-message", 100_000, quick: 20_000) { count in
            let tally = Tally()
            let start = ContinuousClock.now
            let tasks = (0..<count).map { _ in Task { await tally.add() } }
            for task in tasks { _ = await task.value }
            let measurement = Measurement.since(start)
            try expect("the messages", await tally.count, is: count)
            return measurement
        },
    ]

    /// Calls an actor, in the isolation of the caller.
    ///
    /// The black hole runs where the caller is. Without something there the optimizer may leave out the way back
    /// between two calls, and what remains is a tenth of what a call costs.
    private static func callInTurn(_ count: Int) async throws -> Measurement {
        let tally = Tally()
        let start = ContinuousClock.now
        for _ in 0..<count { blackHole(await tally.add()) }
        let measurement = Measurement.since(start)
        try expect("the calls", await tally.count, is: count)
        return measurement
    }
}

private actor Tally {
    private(set) var count = 0

    func add() -> Int {
        count += 1
        return count
    }
}
