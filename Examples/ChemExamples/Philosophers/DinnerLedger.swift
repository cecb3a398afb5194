/// Who has which forks.
struct DinnerLedger: Ledger {
    enum Event: Sendable {
        case took(Int, [String])
        case putBack(Int, [String])
    }

    /// How often each must have eaten for the dinner to be complete.
    let goal: Int
    private(set) var meals: [Int]
    private var eating: Set<Int> = []
    private var free: Set<String>
    private var inUse: Set<String> = []
    /// Those who have not eaten often enough.
    private var unsatisfied: Int
    private var neighbours = Invariant("neighbours never eat together")
    private var forks: Invariant
    private var moves = Invariant("forks are taken from the table and put back by who took them")
    private var held: [Int: [String]] = [:]

    init(philosophers: Int, goal: Int) {
        self.goal = goal
        meals = Array(repeating: 0, count: philosophers)
        unsatisfied = goal > 0 ? philosophers : 0
        free = Set(Philosopher.forks(of: philosophers))
        forks = Invariant("forks in use + free = \(philosophers)")
    }

    mutating func record(_ event: Event) {
        switch event {
        case .took(let who, let names):
            for other in [(who + 1) % meals.count, (who + meals.count - 1) % meals.count] {
                neighbours.look(eating.contains(other) ? "\(name(who)) and \(name(other))" : nil)
            }
            let isProper = free.isSuperset(of: names) && held[who] == nil
            moves.look(isProper ? nil : "\(name(who)) took \(names)")
            eating.insert(who)
            held[who] = names
            free.subtract(names)
            inUse.formUnion(names)
        case .putBack(let who, let names):
            moves.look(held[who] == names ? nil : "\(name(who)) put back \(names)")
            eating.remove(who)
            held[who] = nil
            inUse.subtract(names)
            free.formUnion(names)
            meals[who] += 1
            if meals[who] == goal { unsatisfied -= 1 }
        }
        let isBalanced = free.count + inUse.count == meals.count && inUse.count == 2 * eating.count
        forks.look(isBalanced ? nil : "\(inUse.count) in use, \(free.count) free, \(eating.count) eat")
    }

    var isComplete: Bool { unsatisfied == 0 }

    /// Whether nobody eats.
    var isOver: Bool { eating.isEmpty && free.count == meals.count }

    var checks: [Check] {
        [
            neighbours.check, forks.check, moves.check,
            Check("the fewest meals of one philosopher", meals.min() ?? 0, isAtLeast: goal),
        ]
    }

    private func name(_ seat: Int) -> String { Philosopher.name(seat, of: meals.count) }
}
