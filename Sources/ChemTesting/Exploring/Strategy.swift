/// Which schedules ``explore(_:timeMayPass:allowing:sourceLocation:_:)`` runs.
public struct Strategy: Sendable {
    enum Kind: Sendable {
        case canonical
        case random(Int, seed: UInt64)
        case seeds(ClosedRange<Int>)
        case priorities(Int, depth: Int, seed: UInt64)
        case uniform(Int, seed: UInt64)
        case deviations(Int, limit: Int)
        case exhaustive(Sharing, limit: Int)
        case replay(Schedule)
        /// One after the other.
        case several([Strategy])
        /// It explores nothing, and why.
        case flawed(String)
    }

    let kind: Kind

    /// Whether it runs all schedules that matter, each once, if these aren't too many.
    var isExhaustive: Bool { if case .exhaustive = kind { true } else { false } }

    /// A strategy that a test fails with.
    private static func nothing(_ what: String) -> Strategy {
        Strategy(kind: .flawed("the strategy of this test explores nothing: it says \(what)"))
    }

    /// The canonical schedule only: a test of what happens, with a clock that jumps.
    public static let once = Strategy(kind: .canonical)

    /// So many schedules, each choice at random.
    ///
    /// - Parameters:
    ///   - runs: How many, at least 1.
    ///   - seed: What the choices depend on, and nothing else.
    /// - Returns: the strategy.
    public static func random(_ runs: Int = 1_000, seed: UInt64 = 1) -> Strategy {
        if runs < 1 { return nothing("\(runs) runs") }
        return Strategy(kind: .random(runs, seed: seed))
    }

    /// One schedule for each seed, whose choices depend on nothing else.
    ///
    /// - Parameter seeds: The seeds.
    /// - Returns: the strategy.
    public static func seeds(_ seeds: ClosedRange<Int>) -> Strategy { Strategy(kind: .seeds(seeds)) }

    /// So many schedules, each of which prefers some tasks and definitions to others, and changes its mind at `depth -
    /// 1` steps.
    ///
    /// That finds what needs one of them to be slow for long, which a choice at random at each step hardly ever does:
    /// of n tasks and definitions and k steps, a mistake that shows if `depth` steps come in a certain order is found
    /// by one run in n · kᵈᵉᵖᵗʰ⁻¹ at least. This is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi
    /// and Nagarakatte, 2010).
    ///
    /// - Parameters:
    ///   - runs: How many, at least 1.
    ///   - depth: How many steps have to come in a certain order, at least 1. Most mistakes need no more than 3.
    ///   - seed: What the choices depend on, and nothing else.
    /// - Returns: the strategy.
    public static func pct(_ runs: Int = 1_000, depth: Int = 3, seed: UInt64 = 1) -> Strategy {
        if runs < 1 { return nothing("\(runs) runs") }
        if depth < 1 { return nothing("a depth of \(depth)") }
        return Strategy(kind: .priorities(runs, depth: depth, seed: seed))
    }

    /// So many schedules, all orders of the steps being about as likely.
    ///
    /// A choice at random at each step favours orders in which all make progress at one pace. This one weighs tasks and
    /// definitions by how many steps they have left, as it has seen in the runs before (Zhao, Wolff, Mathur and
    /// Roychoudhury, 2025).
    ///
    /// - Parameters:
    ///   - runs: How many, at least 1.
    ///   - seed: What the choices depend on, and nothing else.
    /// - Returns: the strategy.
    public static func uniform(_ runs: Int = 1_000, seed: UInt64 = 1) -> Strategy {
        if runs < 1 { return nothing("\(runs) runs") }
        return Strategy(kind: .uniform(runs, seed: seed))
    }

    /// All schedules that deviate from the canonical one at so many steps at most, those with fewer first.
    ///
    /// So what is found first is as short as possible. This is iterative delay bounding (Emmi, Qadeer and Rakamarić,
    /// 2011). There are O(steps ^ count) of them.
    ///
    /// - Parameters:
    ///   - count: How many deviations, 0 or more. Most mistakes need no more than 3.
    ///   - limit: How many schedules at most.
    /// - Returns: the strategy.
    public static func deviations(upTo count: Int = 3, limit: Int = 10_000) -> Strategy {
        if count < 0 || limit < 1 { return nothing("\(limit) schedules with \(count) deviations") }
        return Strategy(kind: .deviations(count, limit: limit))
    }

    /// Some schedules of each kind, one after the other: a quarter deviates at up to three steps, as
    /// ``deviations(upTo:limit:)`` does, and a quarter each is ``random(_:seed:)``, ``pct(_:depth:seed:)`` and
    /// ``uniform(_:seed:)``.
    ///
    /// What one of them hardly ever finds, another one finds soon. What it doesn't find may be there all the same: only
    /// ``exhaustive(sharing:limit:)`` says more.
    ///
    /// - Parameters:
    ///   - runs: How many schedules at most, at least 4.
    ///   - seed: What the choices depend on, and nothing else.
    /// - Returns: the strategy.
    public static func mixed(_ runs: Int = 1_000, seed: UInt64 = 1) -> Strategy {
        if runs < 4 { return nothing("\(runs) runs of four kinds") }
        let count = runs / 4
        return Strategy(
            kind: .several([
                .deviations(limit: count), .random(count, seed: seed), .pct(count, seed: seed),
                .uniform(count, seed: seed),
            ])
        )
    }

    /// All orders of steps that there are, or so many at most: then the test fails, since it would claim too much. What
    /// may come in the middle of a step is among them, as far as ``Sharing`` says.
    ///
    /// Of schedules that differ only in the order of steps that don't depend on each other, one is run. Two reactions
    /// depend on each other if both take the same copy, or one takes what the other one injects, or reads a state that
    /// the other one changes. So eight senders into one soup need one schedule, and not 40,320.
    ///
    /// - Parameters:
    ///   - sharing: What steps have in common besides molecules.
    ///   - limit: How many schedules at most.
    /// - Returns: the strategy.
    public static func exhaustive(sharing: Sharing = .tasks, limit: Int = 100_000) -> Strategy {
        if limit < 1 { return nothing("\(limit) schedules") }
        return Strategy(kind: .exhaustive(sharing, limit: limit))
    }

    /// The schedule that a failure has printed.
    public static func replay(_ schedule: Schedule) -> Strategy { Strategy(kind: .replay(schedule)) }

    /// The schedule that a failure has printed, such as `chem1:7f3a:12.1,40.2`.
    ///
    /// - Throws: ``InvalidSchedule`` if `token` isn't one.
    public static func replay(_ token: String) throws(InvalidSchedule) -> Strategy { .replay(try Schedule(token)) }
}
