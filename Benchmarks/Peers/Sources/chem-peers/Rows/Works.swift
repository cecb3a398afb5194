import Synchronization

/// What is done in each row, whatever it is done with, and what has to come out.
enum Works {
    static func triple(_ number: Int) -> Int { number &* 3 }
    static func isEven(_ number: Int) -> Bool { number & 1 == 0 }
    static func increment(_ number: Int) -> Int { number &+ 1 }
    static func double(_ number: Int) -> Int { number &* 2 }

    /// `0..<count`, tripled, the odd ones left out, added up.
    static func mapFilter(_ count: Int) -> Int { (0..<count).lazy.map(triple).filter(isEven).reduce(0, &+) }

    /// `0..<count`, each ten times incremented, added up.
    static func chain(_ count: Int) -> Int { (0..<count).reduce(0) { $0 &+ $1 &+ 10 } }

    /// Pairs of `0..<count` and `0..<count`, both added up.
    static func pairs(_ count: Int) -> Int { (0..<count).reduce(0) { $0 &+ 2 &* $1 } }

    /// `0..<count`, incremented on one way, doubled on the other, both added up.
    static func diamond(_ count: Int) -> Int { (0..<count).reduce(0) { $0 &+ increment($1) &+ double($1) } }
}

/// What a sink has received.
final class Received: Sendable {
    private let sum = Atomic(0)
    private let count = Atomic(0)
    private let last = Atomic(0)

    /// By several threads at once.
    func addAtomically(_ number: Int) { sum.wrappingAdd(number, ordering: .relaxed) }

    /// By one thread at a time.
    func add(_ number: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ number, ordering: .relaxed)
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        last.store(number, ordering: .relaxed)
    }

    var total: Int { sum.load(ordering: .relaxed) }
    var times: Int { count.load(ordering: .relaxed) }
    var latest: Int { last.load(ordering: .relaxed) }
}

/// Runs both at once and awaits them.
func together(_ one: @escaping @Sendable () async -> Void, _ other: @escaping @Sendable () async -> Void) async {
    await withDiscardingTaskGroup { group in
        group.addTask { await one() }
        group.addTask { await other() }
    }
}
