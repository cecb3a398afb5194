import ChemActors

extension Gallery {
    static let philosophers = Example(
        "philosophers",
        "dining philosophers: start, stop and restart; neighbours never eat together",
        from: "Dijkstra; DinPhil5 of CocoaJoin"
    ) { stage, screen, machine in
        let count = stage.philosophers
        let goal = stage.isWatched ? 1 : stage.pick(full: 1000, small: 5)
        let view = await DinnerView(philosophers: count, on: screen, isWatched: stage.isWatched)
        let dinner = Dinner(
            philosophers: count,
            atLeast: goal,
            pace: stage.isWatched ? Pace(step: .milliseconds(250), seed: stage.seed) : .none,
            show: { view.show($0) }
        )

        var checks: [Check] = []
        for (round, title) in ["the dinner has started", "the dinner has started anew"].enumerated() {
            await view.announce(title, isFresh: true)
            let seating = try await dinner.start()
            let live = machine.snapshot().filter { $0.definition == "table" }
            checks.append(Check("dinner \(round + 1): tables", live.map(\.phase.rawValue), is: ["running"]))

            if stage.isWatched { try await Task.sleep(for: .seconds(stage.seconds / 2)) }
            try await seating.witness.completed()
            try await dinner.stop()
            await view.announce("the dinner is stopped, and all is quiet", isFresh: false)

            // The table is quiet; what it has told its witness may still be on the way.
            try await machine.quiescence()
            let ledger = try await seating.witness.account()
            checks += ledger.checks.map { Check("dinner \(round + 1): \($0.statement)", holds: $0.holds) }
            checks.append(Check("dinner \(round + 1): all forks are back when it is stopped", holds: ledger.isOver))
            checks.append(
                Check(
                    "dinner \(round + 1): bodies that run when it is stopped",
                    seating.definition.statistics.running,
                    is: 0
                )
            )
        }
        if stage.isWatched && screen.style == .inPlace { await screen.leave(view.picture.lines) }
        checks.append(Check("changes that came to the screen too late", await view.late, is: 0))
        checks.append(Check("neighbours who eat together on the screen", await view.clashes, is: 0))
        checks.append(Check("changes on the screen", await view.shown, isAtLeast: 2 * count))
        return checks
    }
}
