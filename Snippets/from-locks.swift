// What locks and semaphores do, and the chemistry that does it across suspension points.

import ChemActors
import ChemLibrary
import Foundation
import Synchronization

@concurrent func fetch(_ page: Int) async -> Int {
    await Task.yield()
    return page
}

// snippet.semaphore-before
let slots = DispatchSemaphore(value: 2)
let fetched = Mutex(0)
DispatchQueue.concurrentPerform(iterations: 6) { page in
    slots.wait()  // holds up a thread; in a task, one of the few that all tasks share
    fetched.withLock { $0 += page }
    slots.signal()
}
// snippet.end
precondition(fetched.withLock { $0 } == 15)

// snippet.semaphore-after
let permits = AsyncSemaphore(permits: 2)
let sum = try await withThrowingTaskGroup(of: Int.self) { group in
    for page in 0..<6 {
        group.addTask { try await permits.withPermit { await fetch(page) } }  // holds no thread
    }
    var sum = 0
    for try await page in group { sum += page }
    return sum
}
print(sum)  // 15
// snippet.end
precondition(sum == 15)

// snippet.condition-before
final class Inbox: @unchecked Sendable {
    private let condition = NSCondition()
    private var messages: [String] = []

    func put(_ message: String) {
        condition.lock()
        messages.append(message)
        condition.signal()  // forgotten, somebody waits for ever
        condition.unlock()
    }

    func take() -> String {
        condition.lock()
        defer { condition.unlock() }
        while messages.isEmpty { condition.wait() }
        return messages.removeFirst()
    }
}
// snippet.end
let inbox = Inbox()
inbox.put("hello")
precondition(inbox.take() == "hello")

// snippet.condition-after
let (put, take) = Join.define("inbox") { join in
    let put = join.slow("put", of: String.self, order: .oldestFirst)
    let take = join.fast("take", returning: String.self)
    join.answer(take, with: put) { _, message in message }  // whoever can go on is told
    return (put, take)
}
put("hello")
print(try await take())  // hello
// snippet.end

// snippet.two-before
final class Purse: Sendable {
    let coins = Mutex(100)

    func give(_ amount: Int, to other: Purse) {
        coins.withLock { own in
            other.coins.withLock { others in  // two who give to each other wait for ever
                own -= amount
                others += amount
            }
        }
    }
}
// snippet.end
let (mine, yours) = (Purse(), Purse())
mine.give(30, to: yours)
precondition(mine.coins.withLock { $0 } == 70)

// snippet.two-after
struct Purses: JoinDefinition {
    let give = FastMolecule<Int, Void>()
    let giveBack = FastMolecule<Int, Void>()
    let coins = FastMolecule<Void, [Int]>()
    private let mine = StateMolecule(100)
    private let yours = StateMolecule(100)

    func react(in join: inout Join.Builder) {
        // Both, or neither: there is no order to keep.
        join.answer(give, updating: mine, yours) { mine, yours, amount in
            mine -= amount
            yours += amount
        }
        join.answer(giveBack, updating: yours, mine) { yours, mine, amount in
            yours -= amount
            mine += amount
        }
        join.answer(coins, reading: mine, yours) { mine, yours, _ in [mine, yours] }
    }
}

let purses = Join.make(Purses())
async let given: Void = purses.give(30)
async let givenBack: Void = purses.giveBack(10)
_ = try await (given, givenBack)
print(try await purses.coins())  // [80, 120]
// snippet.end
let coins = try await purses.coins()
precondition(coins == [80, 120])

// snippet.stay
let hits = Mutex(0)
DispatchQueue.concurrentPerform(iterations: 100) { _ in hits.withLock { $0 += 1 } }
print(hits.withLock { $0 })  // 100
// snippet.end
precondition(hits.withLock { $0 } == 100)
