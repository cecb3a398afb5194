import FieldWorks
import Synchronization

enum Philosophers {
    private static let seats = 5

    static let works = [
        Work("philosophers", "Mutex", 5_000_000) { count in
            let forks = Forks()
            return try await dine(count) { seat, meals in
                let next = (seat + 1) % seats
                var eaten = 0
                for _ in 0..<meals { forks.withBoth(min(seat, next), max(seat, next)) { eaten += 1 } }
                return eaten
            }
        },
        Work("philosophers", "actor", 200_000) { count in
            let table = Table(seats)
            return try await dine(count) { seat, meals in
                var eaten = 0
                for _ in 0..<meals {
                    await table.takeForks(seat)
                    eaten += 1
                    await table.putBackForks(seat)
                }
                return eaten
            }
        },
    ]

    private static func dine(
        _ count: Int,
        eat: @escaping @concurrent @Sendable (_ seat: Int, _ meals: Int) async -> Int
    ) async throws -> Outcome {
        let share = count / seats
        let start = ContinuousClock.now
        let meals = await withTaskGroup(of: Int.self) { group in
            for seat in 0..<seats { group.addTask { await eat(seat, share) } }
            return await group.reduce(0, +)
        }
        return try Outcome(share * seats, start.elapsed, "the meals", meals, wanted: share * seats)
    }
}

/// Forks are locks, taken in the order of their numbers: so there is no deadlock.
private final class Forks: Sendable {
    private let first = Mutex(())
    private let second = Mutex(())
    private let third = Mutex(())
    private let fourth = Mutex(())
    private let fifth = Mutex(())

    func withBoth(_ lower: Int, _ upper: Int, eat: () -> Void) { with(lower) { with(upper, eat: eat) } }

    @inline(__always)
    private func with(_ number: Int, eat: () -> Void) {
        switch number {
        case 0: first.withLock { _ in eat() }
        case 1: second.withLock { _ in eat() }
        case 2: third.withLock { _ in eat() }
        case 3: fourth.withLock { _ in eat() }
        default: fifth.withLock { _ in eat() }
        }
    }
}

/// Hands out both forks at once.
private actor Table {
    private var isFree: [Bool]
    private var waiting: [(seat: Int, philosopher: CheckedContinuation<Void, Never>)] = []

    init(_ seats: Int) { isFree = [Bool](repeating: true, count: seats) }

    func takeForks(_ seat: Int) async {
        if take(seat) { return }
        await withCheckedContinuation { waiting.append((seat, $0)) }
    }

    func putBackForks(_ seat: Int) {
        isFree[seat] = true
        isFree[next(seat)] = true
        waiting.removeAll { (seat, philosopher) in
            guard take(seat) else { return false }
            philosopher.resume()
            return true
        }
    }

    private func take(_ seat: Int) -> Bool {
        guard isFree[seat], isFree[next(seat)] else { return false }
        isFree[seat] = false
        isFree[next(seat)] = false
        return true
    }

    private func next(_ seat: Int) -> Int { (seat + 1) % isFree.count }
}
