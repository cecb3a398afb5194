import ChemActors

/// A sushi bar has five seats. Who comes while one is free sits down; but once all five are taken, they belong to a
/// party, and who comes then waits until all five have left.
///
///     arrive & open(n) → open(n + 1), or party(5) with the fifth
///     leave & open(n) → open(n - 1)
///     leave & party(n) → party(n - 1), or open(0) after the last one
///
/// There is one copy of `open` or `party`. Nobody arrives at a party, since no reaction says so.
struct SushiBar: Sendable {
    /// Waits for a seat.
    let arrive: FastMolecule<Int, Void>
    let leave: FastMolecule<Int, Void>

    init(seats: Int, witness: Witness<SushiLedger>) {
        (arrive, leave) = Join.define("sushi bar") { join in
            let open = join.slow("open", of: Int.self)
            let party = join.slow("party", of: Int.self)
            let arrive = join.fast("arrive", of: Int.self)
            let leave = join.fast("leave", of: Int.self)

            join.answer(arrive, with: open) { who, taken in
                witness.saw(.satDown(who))
                if taken + 1 == seats { party(seats) } else { open(taken + 1) }
            }
            join.answer(leave, with: open) { who, taken in
                witness.saw(.left(who))
                open(taken - 1)
            }
            join.answer(leave, with: party) { who, taken in
                witness.saw(.left(who))
                if taken == 1 { open(0) } else { party(taken - 1) }
            }

            open(0)
            return (arrive, leave)
        }
    }

    private init(arrive: FastMolecule<Int, Void>, leave: FastMolecule<Int, Void>) {
        self.arrive = arrive
        self.leave = leave
    }
}

/// Who sits at the bar.
struct SushiLedger: Ledger {
    enum Event: Sendable {
        case satDown(Int)
        case left(Int)
    }

    let seats: Int
    private var sitting: Set<Int> = []
    private var isParty = false
    private(set) var visits = 0
    private(set) var parties = 0
    private var room: Invariant
    private var privacy = Invariant("nobody joins a party")
    private var leaving = Invariant("who leaves was sitting")

    init(seats: Int) {
        self.seats = seats
        room = Invariant("no more than \(seats) sit at the bar")
    }

    mutating func record(_ event: Event) {
        switch event {
        case .satDown(let who):
            privacy.look(isParty ? "customer \(who)" : nil)
            sitting.insert(who)
            visits += 1
            room.look(sitting.count <= seats ? nil : "\(sitting.count)")
            if sitting.count == seats {
                isParty = true
                parties += 1
            }
        case .left(let who):
            let sat = sitting.remove(who) != nil
            leaving.look(sat ? nil : "customer \(who)")
            if sitting.isEmpty { isParty = false }
        }
    }

    var checks: [Check] {
        [room.check, privacy.check, leaving.check, Check("customers at the end", sitting.count, is: 0)]
    }
}

extension Gallery {
    static let sushiBar = Example(
        "sushibar",
        "sushi bar: five seats, and nobody joins a party of five",
        from: "Reek; Little Book of Semaphores 7.1"
    ) { stage, _, machine in
        let (customers, visits) = (12, stage.pick(full: 500, small: 20))
        let witness = Witness(SushiLedger(seats: 5))
        let bar = SushiBar(seats: 5, witness: witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for who in 0..<customers {
                group.addTask {
                    for _ in 0..<visits {
                        try await bar.arrive(who)
                        await Task.yield()
                        try await bar.leave(who)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [
            Check("visits", ledger.visits, is: customers * visits),
            Check("parties", ledger.parties, isAtLeast: 1),
        ]
    }
}
