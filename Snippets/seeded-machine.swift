// Equal seeds, equal runs: a machine on a serial executor.

// snippet.show
import ChemActors
import Dispatch

/// Runs one job after the other.
final class OneByOne: TaskExecutor {
    private let queue = DispatchQueue(label: "one by one")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The order in which the numbers 1 to 20 leave a soup.
func shuffle(seed: UInt64) async throws -> [Int] {
    let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: seed, executor: OneByOne()))
    let (number, draw) = machine.define("urn") { join in
        let number = join.slow("number", of: Int.self)
        let draw = join.fast("draw", returning: Int.self)
        join.answer(draw, with: number) { _, n in n }
        return (number, draw)
    }
    number.inject(contentsOf: 1...20)
    var order: [Int] = []
    for _ in 1...20 { order.append(try await draw()) }
    return order
}

print(try await shuffle(seed: 42) == shuffle(seed: 42))  // true
print(try await shuffle(seed: 42) == shuffle(seed: 43))  // false
// snippet.hide
let (one, other) = (try await shuffle(seed: 42), try await shuffle(seed: 42))
precondition(one == other)
