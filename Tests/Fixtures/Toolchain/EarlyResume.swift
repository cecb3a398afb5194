// Shows why ThreadSanitizer reports a race now and then where there is none (Swift 6.3.1), without ChemActors:
//
//     swiftc -g -sanitize=thread -parse-as-library -swift-version 6 Tests/Fixtures/Toolchain/EarlyResume.swift -o early-resume
//     for _ in 1 2 3 4 5 6 7 8 9 10; do ./early-resume; done
//
// A task waits in a checked continuation for a job, which another task makes and hands over. Mostly the waiting task
// has suspended by then, and the runtime tells the sanitizer that resuming it comes before what it does next. Where it
// is resumed before it has suspended, it goes on without being told so, and the sanitizer takes its look at the job for
// a race with the making of the job:
//
//     Read of size 8 by thread T1: closure in Main.main(), at `sum &+= job.number`
//     Previous write of size 8 by thread T3: Job.init(_:), closure in Main.main()
//
// About one of ten runs reports it, of 400,000 jobs each. Below the program's own functions both stacks have only the
// loop of the executor in them, as every stack has.

import Synchronization

final class Job: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

/// Jobs that wait for a worker, or workers that wait for a job.
final class Exchange: @unchecked Sendable {
    // Checked by hand: both lists are touched under the lock.
    private let word = Atomic<Int>(0)
    private var jobs: [Job] = []
    private var idle: [CheckedContinuation<Job, Never>] = []

    private func lock() { while !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {} }
    private func unlock() { word.store(0, ordering: .releasing) }

    func put(_ job: Job) {
        lock()
        if let worker = idle.popLast() {
            unlock()
            worker.resume(returning: job)
        } else {
            jobs.append(job)
            unlock()
        }
    }

    func next() async -> Job {
        await withCheckedContinuation { continuation in
            lock()
            if let job = jobs.popLast() {
                unlock()
                continuation.resume(returning: job)
            } else {
                idle.append(continuation)
                unlock()
            }
        }
    }
}

@main
enum EarlyResume {
    static func main() async {
        let exchange = Exchange()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var sum = 0
                    for _ in 0..<100_000 {
                        let job = await exchange.next()
                        sum &+= job.number
                    }
                    return sum
                }
                group.addTask {
                    for number in 0..<100_000 {
                        exchange.put(Job(number))
                        if number.isMultiple(of: 64) { await Task.yield() }
                    }
                    return 0
                }
            }
            var total = 0
            for await sum in group { total &+= sum }
            print(total)
        }
    }
}
