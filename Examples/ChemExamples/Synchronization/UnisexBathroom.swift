import ChemActors

/// A bathroom for women and for men, but never for both at once, and for no more than three.
///
///     womanEnters & stall & vacant() → women(1)
///     womanEnters & stall & women(n) → women(n + 1)
///     womanLeaves & women(n) → stall; women(n - 1), or vacant() after the last one
///
/// and the same for men. One copy of `vacant`, `women` or `men` exists, and its name says who may come in.
///
/// Women may keep men waiting for as long as there are always new ones. Where that matters, both have to pass a
/// turnstile first.
struct Bathroom: Sendable {
    /// Who comes in and goes out again.
    struct Door: Sendable {
        /// Waits until there is room.
        let enter: FastMolecule<Int, Void>
        let leave: FastMolecule<Int, Void>
    }

    /// The doors of women and of men.
    let doors: [Door]

    init(stalls: Int, witness: Witness<BathroomLedger>) {
        doors = Join.define("bathroom") { join in
            let stall = join.slow("stall")
            let vacant = join.slow("vacant")
            let doors = BathroomLedger.names.indices.map { kind in
                let name = BathroomLedger.names[kind]
                let inside = join.slow(name, of: Int.self)
                let enter = join.fast("\(name) enter", of: Int.self)
                let leave = join.fast("\(name) leave", of: Int.self)

                join.answer(enter, with: stall, vacant) { who, _, _ in
                    witness.saw(.entered(kind, who))
                    inside(1)
                }
                join.answer(enter, with: stall, inside) { who, _, count in
                    witness.saw(.entered(kind, who))
                    inside(count + 1)
                }
                join.answer(leave, with: inside) { who, count in
                    witness.saw(.left(kind, who))
                    stall()
                    if count > 1 { inside(count - 1) } else { vacant() }
                }
                return Door(enter: enter, leave: leave)
            }
            for _ in 0..<stalls { stall() }
            vacant()
            return doors
        }
    }

    private init(doors: [Door]) {
        self.doors = doors
    }
}

/// Who is inside.
struct BathroomLedger: Ledger {
    static let names = ["women", "men"]

    enum Event: Sendable {
        case entered(Int, Int)
        case left(Int, Int)
    }

    let stalls: Int
    private var inside: [Set<Int>] = [[], []]
    private(set) var visits = [0, 0]
    private var apart = Invariant("women and men are never inside together")
    private var room: Invariant
    private var doors = Invariant("who enters was outside, who leaves was inside")

    init(stalls: Int) {
        self.stalls = stalls
        room = Invariant("no more than \(stalls) are inside")
    }

    mutating func record(_ event: Event) {
        switch event {
        case .entered(let kind, let who):
            let isNew = inside[kind].insert(who).inserted
            doors.look(isNew ? nil : "\(Self.names[kind]): \(who) entered twice")
            visits[kind] += 1
        case .left(let kind, let who):
            let wasInside = inside[kind].remove(who) != nil
            doors.look(wasInside ? nil : "\(Self.names[kind]): \(who) left twice")
        }
        apart.look(inside[0].isEmpty || inside[1].isEmpty ? nil : "\(inside[0].count) women, \(inside[1].count) men")
        room.look(inside[0].count + inside[1].count <= stalls ? nil : "\(inside[0].count + inside[1].count)")
    }

    var checks: [Check] {
        [apart.check, room.check, doors.check, Check("inside at the end", inside[0].count + inside[1].count, is: 0)]
    }
}

extension Gallery {
    static let bathroom = Example(
        "bathroom",
        "unisex bathroom: three at a time, never women and men together",
        from: "Little Book of Semaphores 6.2"
    ) { stage, _, machine in
        let (people, rounds) = (6, stage.pick(full: 500, small: 20))
        let witness = Witness(BathroomLedger(stalls: 3))
        let bathroom = Bathroom(stalls: 3, witness: witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for door in bathroom.doors {
                for who in 0..<people {
                    group.addTask {
                        for _ in 0..<rounds {
                            try await door.enter(who)
                            await Task.yield()
                            try await door.leave(who)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [Check("visits", ledger.visits, is: [people * rounds, people * rounds])]
    }
}
