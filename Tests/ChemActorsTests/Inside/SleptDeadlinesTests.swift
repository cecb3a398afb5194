import TestSupport
import Testing

@testable import ChemActors

/// Deadlines after the system has slept: the continuous clock has gone on, and that of the timer hasn't.
@Suite("Deadlines after a sleep of the system", .endsInTime)
struct SleptDeadlinesTests {
    private final class Passing: Deadline, @unchecked Sendable {
        // Checked by hand: set before it's added.
        private let hasPassed: Signal

        init(at time: ContinuousClock.Instant, ticket: UInt64, _ hasPassed: Signal) {
            self.hasPassed = hasPassed
            super.init(at: time, ticket: ticket)
        }

        override func pass() -> Duration? {
            hasPassed.send()
            return nil
        }
    }

    @Test("A new deadline has those pass that are overdue, and passes in time")
    func afterSleep() async throws {
        let slept = Guarded(Duration.zero)
        let deadlines = Deadlines(on: nil, clock: { .now + slept.now })
        let (early, late) = (Signal(), Signal())
        deadlines.add(Passing(at: deadlines.now + .seconds(3_600), ticket: 1, early))
        #expect(deadlines.count == 1)
        slept.withLock { $0 = .seconds(7_200) }
        deadlines.add(Passing(at: deadlines.now + .milliseconds(20), ticket: 2, late))
        await early.wait()
        await late.wait()
        #expect(deadlines.count == 0)
    }

    @Test("None passes early, however far away it is", arguments: [3_600, 1 << 33])
    func notEarly(seconds: Int) async throws {
        let deadlines = Deadlines(on: nil)
        let (soon, later) = (Signal(), Signal())
        deadlines.add(Passing(at: deadlines.now + .seconds(seconds), ticket: 1, later))
        let time = deadlines.now + .milliseconds(10)
        deadlines.add(Passing(at: time, ticket: 2, soon))
        await soon.wait()
        #expect(deadlines.now >= time)
        #expect(deadlines.count == 1)
    }

    @Test("One that is due passes while others are added without a pause", .blocksThreads)
    func busy() async throws {
        let deadlines = Deadlines(on: nil)
        let hasPassed = Signal()
        let isOver = Guarded(false)
        deadlines.add(Passing(at: deadlines.now + .milliseconds(20), ticket: 0, hasPassed))
        async let adding: Void = onThread {
            while !isOver.now {
                let deadline = Passing(at: deadlines.now + .seconds(3_600), ticket: 1, Signal())
                deadlines.add(deadline)
                deadlines.remove(deadline)
            }
        }
        await hasPassed.wait()
        isOver.withLock { $0 = true }
        await adding
        #expect(deadlines.count == 0)
    }
}
