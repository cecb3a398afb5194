import ChemActors

/// The dining philosophers, as in CocoaJoin's `DinPhil5`, for any number of them.
///
/// Philosophers A, B, C, D, E sit around a table, with the forks AB, BC, CD, DE, EA between them. For each of them
/// there are two reactions; those of B are
///
///     thinkingB → a while, state(B is hungry), hungryB
///     hungryB & forkAB & forkBC → state(B eats), a while, state(B thinks), thinkingB, forkAB, forkBC
///
/// and for all of them one more, on the main actor:
///
///     state(change) & screen() → it is shown, screen()
///
/// `state` has room for a few copies only, so that philosophers in a hurry wait for whoever looks at them.
///
/// Each fork is one molecule, so neighbours can't eat together. A reaction takes both forks or none, so nobody
/// holds one while waiting for the other, and there is no deadlock to be avoided.
struct Table: Sendable {
    let definition: Join
    let thinking: [SlowMolecule<Int>]

    /// Seats philosophers, who begin to think at once, and go on until the definition is deactivated.
    init(
        of count: Int,
        pace: Pace,
        witness: Witness<DinnerLedger>,
        show: @escaping @MainActor @Sendable (Change) -> Void
    ) {
        (definition, thinking) = Join.define("table") { join in
            let letters = (0..<count).map { Philosopher.name($0, of: count) }
            // The molecules carry how often their philosopher has eaten; a fork carries its own name.
            let thinking = letters.map { join.slow("thinking\($0)", of: Int.self) }
            let hungry = letters.map { join.slow("hungry\($0)", of: Int.self) }
            let forkNames = Philosopher.forks(of: count)
            let forks = forkNames.map { join.slow("fork\($0)", of: String.self) }
            let state = join.bounded("state", of: Change.self, capacity: 2 * count, order: .oldestFirst)
            let screen = join.slow("screen")

            // When the dinner is stopped, nobody waits for room any more (`try?`), and what is injected is ignored.
            for seat in 0..<count {
                let (left, right) = (forks[(seat + count - 1) % count], forks[seat])

                join.when(thinking[seat]) { meals in
                    await pace.think(seat, meals)
                    try? await state.inject(Change(seat, .isHungry, meals: meals))
                    hungry[seat](meals)
                }
                join.when(hungry[seat], left, right) { meals, leftFork, rightFork in
                    witness.saw(.took(seat, [leftFork, rightFork]))
                    try? await state.inject(Change(seat, .eats, meals: meals))
                    await pace.eat(seat, meals)
                    // Before the forks are back: nobody sees neighbours eat together.
                    try? await state.inject(Change(seat, .thinks, meals: meals + 1))
                    witness.saw(.putBack(seat, [leftFork, rightFork]))
                    thinking[seat](meals + 1)
                    left(leftFork)
                    right(rightFork)
                }
            }
            // The one copy of `screen` keeps the changes in their order: without it, each would be a task of its own.
            join.when(state, screen, on: MainActor.self) { change, _ in
                show(change)
                screen()
            }

            screen()
            for (fork, name) in zip(forks, forkNames) { fork(name) }
            for (seat, philosopher) in thinking.enumerated() {
                _ = state.tryInject(Change(seat, .thinks, meals: 0))
                philosopher(0)
            }
            return (join.definition, thinking)
        }
    }

    private init(definition: Join, thinking: [SlowMolecule<Int>]) {
        self.definition = definition
        self.thinking = thinking
    }
}

/// Starts, stops and restarts dinners: at most one at a time.
///
///     start & closed() → open(a fresh table)
///     stop & open(table) → table is deactivated; stopping(stop)
///     quiet() & stopping(stop) → closed(); an answer to `stop`
///
/// `quiet` comes from the table itself, when the last of its bodies has ended. A restart is a stop and a start.
struct Dinner: Sendable {
    /// Begins a dinner; while there is one, waits for its end.
    let start: FastMolecule<Void, Seating>
    /// Ends the dinner, and answers when nobody thinks or eats any more; while there is none, waits for one.
    let stop: FastMolecule<Void, Void>

    /// Nothing is served yet.
    init(
        philosophers: Int,
        atLeast goal: Int,
        pace: Pace,
        show: @escaping @MainActor @Sendable (Change) -> Void
    ) {
        (start, stop) = Join.define("dinner") { join in
            let start = join.fast("start", returning: Seating.self)
            let stop = join.fast("stop")
            let closed = join.slow("closed")
            let open = join.slow("open", of: Table.self)
            let stopping = join.slow("stopping", of: Reply<Void, Void>.self)
            let quiet = join.slow("quiet")

            join.answer(start, with: closed) { _, _ in
                let witness = Witness(DinnerLedger(philosophers: philosophers, goal: goal))
                let table = Table(of: philosophers, pace: pace, witness: witness, show: show)
                open(table)
                return Seating(definition: table.definition, witness: witness)
            }
            join.when(stop, open) { reply, table in
                stopping(reply)
                table.definition.deactivate(signalling: quiet.exported)
            }
            join.when(quiet, stopping) { _, reply in
                closed()
                reply()
            }

            closed()
            return (start, stop)
        }
    }

    private init(start: FastMolecule<Void, Seating>, stop: FastMolecule<Void, Void>) {
        self.start = start
        self.stop = stop
    }
}

/// One dinner, from its start to its stop. Holding it doesn't keep the dinner going.
struct Seating: Sendable {
    let definition: Join
    let witness: Witness<DinnerLedger>
}

/// How long philosophers think and eat.
struct Pace: Sendable {
    /// The time for one step, or nil to take none.
    let step: Duration?
    let seed: UInt64

    /// As fast as possible.
    static let none = Pace(step: nil, seed: 0)

    func think(_ seat: Int, _ meals: Int) async { await pause(seat, meals, salt: 1) }

    func eat(_ seat: Int, _ meals: Int) async { await pause(seat, meals, salt: 2) }

    /// Between one and four steps. Cut short when the dinner is stopped.
    private func pause(_ seat: Int, _ meals: Int, salt: UInt64) async {
        guard let step else { return }
        var numbers = SeededNumbers(seed: seed &+ UInt64(seat) &* 7919 &+ UInt64(meals) &* 104_729 &+ salt)
        try? await Task.sleep(for: step * Int.random(in: 2...8, using: &numbers) / 2)
    }
}
