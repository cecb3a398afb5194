import ChemActors

/// A barber cuts one customer's hair at a time; the others wait on a few chairs, and who finds none goes away again.
///
///     enter & chairs → waits on a chair; or is turned away at once, if none is free
///     barber() & waiting & chairs → a chair is free again; cutting(customer)
///     cutting(customer) → the customer is answered; barber()
///
/// The barber sleeps while his reaction lacks a `waiting` customer. Nobody has to wake him.
enum Barber {
    enum Visit: Sendable {
        case served, turnedAway
    }

    static func define(chairs count: Int, witness: Witness<BarberLedger>) -> FastMolecule<Int, Visit> {
        Join.define("barber shop") { join in
            /// How many chairs are free.
            let chairs = join.state("chairs", count)
            let enter = join.fast("enter", of: Int.self, returning: Visit.self)
            let waiting = join.slow("waiting", of: Reply<Int, Visit>.self, order: .oldestFirst)
            let barber = join.slow("barber")
            let cutting = join.slow("cutting", of: Reply<Int, Visit>.self)

            join.when(enter, updating: chairs) { chairs, customer in
                guard chairs > 0 else {
                    witness.saw(.turnedAway(customer.value))
                    return customer(.turnedAway)
                }
                chairs -= 1
                witness.saw(.satDown(customer.value))
                waiting(customer)
            }
            join.when(barber, waiting, updating: chairs) { chairs, _, customer in
                chairs += 1
                witness.saw(.begun(customer.value))
                cutting(customer)
            }
            join.when(cutting) { customer in
                witness.saw(.done(customer.value))
                customer(.served)
                barber()
            }

            barber()
            return enter
        }
    }
}

/// Who sits where.
struct BarberLedger: Ledger {
    enum Event: Sendable {
        case satDown(Int), turnedAway(Int), begun(Int), done(Int)
    }

    let chairs: Int
    private var waiting: [Int] = []
    private var inHand: Int?
    private(set) var served = 0
    private(set) var turnedAway = 0
    private var seats: Invariant
    private var refusals = Invariant("who is turned away has found all chairs taken")
    private var order = Invariant("customers are served in the order in which they sat down")
    private var cuts = Invariant("the barber cuts one customer's hair at a time")

    init(chairs: Int) {
        self.chairs = chairs
        seats = Invariant("no more than \(chairs) wait")
    }

    mutating func record(_ event: Event) {
        switch event {
        case .satDown(let who):
            waiting.append(who)
            seats.look(waiting.count <= chairs ? nil : "\(waiting)")
        case .turnedAway(let who):
            refusals.look(waiting.count == chairs ? nil : "\(who), while \(waiting) waited")
            turnedAway += 1
        case .begun(let who):
            order.look(waiting.first == who ? nil : "\(who), while \(waiting) waited")
            waiting.removeAll { $0 == who }
            cuts.look(inHand == nil ? nil : "\(who) while \(inHand ?? 0) was on the chair")
            inHand = who
        case .done(let who):
            cuts.look(inHand == who ? nil : "\(who) was done, not begun")
            inHand = nil
            served += 1
        }
    }

    var checks: [Check] {
        [
            seats.check, order.check, cuts.check, refusals.check,
            Check("nobody waits any more", holds: waiting.isEmpty && inHand == nil),
        ]
    }
}

extension Gallery {
    static let barber = Example(
        "barber",
        "barber shop: a few chairs to wait on, and customers who go away when all are taken",
        from: "Dijkstra; Little Book of Semaphores 5.2"
    ) { stage, _, machine in
        let customers = stage.pick(full: 5000, small: 200)
        let witness = Witness(BarberLedger(chairs: 4))
        let enter = Barber.define(chairs: 4, witness: witness)
        let served = try await withThrowingTaskGroup(of: Barber.Visit.self) { group in
            for customer in 0..<customers { group.addTask { try await enter(customer) } }
            return try await group.reduce(0) { $1 == .served ? $0 + 1 : $0 }
        }
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [
            Check("customers who say they were served", served, is: ledger.served),
            Check("served and turned away", ledger.served + ledger.turnedAway, is: customers),
        ]
    }
}
