import ChemBase
import Foundation
import Synchronization
import Testing

@testable import ChemActors

/// Who holds which lock while waiting for another: seen by a test that holds a lock itself.
@Suite("Locks, held by the test", .endsInTime, .serialized, .blocksThreads)
struct LockingTests {
    private func define(_ name: String, _ body: @escaping @Sendable () -> Void) -> (job: SlowMolecule<Void>, join: Join)
    {
        let (job, join) = Join.define(name) { join in
            let job = join.slow("job")
            join.when(job) { _ in body() }
            return (job, join.definition)
        }
        return (job, join)
    }

    /// Polls until `condition` holds, for at most `seconds`, and keeps its thread.
    private static func poll(seconds: Double, _ condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            if ContinuousClock.now > deadline { return condition() }
        }
        return true
    }

    @Test("While somebody is in a soup for long, the monitor looks after the others, and workers elsewhere come and go")
    func monitorPassesBy() async throws {
        let held = define("held") {}
        let looked = define("looked at") {}
        let ran = Flag()
        let elsewhere = define("elsewhere") { ran.raise() }
        // Workers as the monitor sees them.
        nonisolated(unsafe) let records = UnsafeMutablePointer<WorkerRecord>.allocate(capacity: 2)
        records.initialize(to: WorkerRecord(held.join, handsOn: false))
        (records + 1).initialize(to: WorkerRecord(looked.join, handsOn: false))
        let areAdded = Flag()

        let entry = held.join.soup.enter()
        Thread.detachNewThread {
            Monitor.shared.add(records)
            Monitor.shared.add(records + 1)
            areAdded.raise()
        }
        let hasLooked = Self.poll(seconds: 30) { areAdded.isRaised && records[1].isOverdue.load(ordering: .relaxed) }
        elsewhere.job()
        let hasRun = Self.poll(seconds: 30) { ran.isRaised }
        entry.leaveUnchanged()

        #expect(hasLooked)
        #expect(hasRun)
        #expect(await Patience.until { areAdded.isRaised })
        Monitor.shared.remove(records)
        Monitor.shared.remove(records + 1)
        records.deinitialize(count: 2)
        records.deallocate()
        try await elsewhere.join.quiescence()
        withExtendedLifetime((held, looked)) {}
    }

    @Test("A body is not long because its worker has waited for the lock of the soup")
    func waitingIsNotLong() async throws {
        // One try is enough, but the system may take the core from any of them, and then the body is long indeed.
        var wasShort = false
        for _ in 0..<1_000 where !wasShort {
            let (hasBegun, isHeld) = (Flag(), Flag())
            let (job, join) = define("measured") {
                hasBegun.raise()
                _ = Self.poll(seconds: 0.01) { isHeld.isRaised }
            }
            let before = join.soup.memory.pointee.lock.waitCount
            job()
            guard Self.poll(seconds: 10, { hasBegun.isRaised }) else { continue }
            let entry = join.soup.enter()
            isHeld.raise()
            // The body has ended when its worker waits. From then on, for longer than a long body takes.
            _ = Self.poll(seconds: 0.01) { join.soup.memory.pointee.lock.waitCount != before }
            let end = ContinuousClock.now + .microseconds(100)
            while ContinuousClock.now < end {}
            entry.leaveUnchanged()
            try await join.quiescence()
            let look = join.soup.enter()
            wasShort = look.contents.started == 1 && !look.contents.reactions[0].isLong
            look.leaveUnchanged()
        }
        #expect(wasShort)
    }

    @Test("The main thread has left a definition before it goes back to the one whose body it was called in")
    @MainActor
    func mainThreadLeavesFirst() async throws {
        let outcome = Guarded<Bool?>(nil)
        let isHeld = Flag()
        let outer = Guarded<Join?>(nil)
        let inner = Guarded<Join?>(nil)
        let note = Join.define("inner", on: MainActor.self) { join in
            inner.withLock { [definition = join.definition] in $0 = definition }
            let note = join.slow("note")
            join.when(note) { _ in
                guard let outer = outer.now, let inner = inner.now else { return }
                Thread.detachNewThread {
                    // From here on the main thread can't enter the outer soup.
                    let entry = outer.soup.enter()
                    let before = outer.soup.memory.pointee.lock.waitCount
                    isHeld.raise()
                    let waits = Self.poll(seconds: 30) { outer.soup.memory.pointee.lock.waitCount != before }
                    let isFree = Self.poll(seconds: 10) { inner.soup.memory.pointee.lock.lockIfAvailable() }
                    if isFree { inner.soup.memory.pointee.lock.unlock() }
                    entry.leaveUnchanged()
                    outcome.withLock { $0 = waits && isFree }
                }
                isHeld.block()
            }
            return note
        }
        let ask = Join.define("outer") { join in
            outer.withLock { [definition = join.definition] in $0 = definition }
            let ask = join.fast("ask")
            join.answer(ask) { _ in note() }
            return ask
        }
        #expect(try ask.tryCall(()) != nil)
        #expect(await Patience.until { outcome.now != nil })
        #expect(outcome.now == true)
    }

    @Test("A scope that is cancelled while a bounded molecule is declared leaves it its capacity, in 200 races")
    func boundedAgainstCancellation() async throws {
        for round in 0..<200 {
            let made = Guarded<Join?>(nil)
            let (isHeld, wasCancelled) = (Flag(), Signal())
            let scope = Task(executorPreference: QueueExecutor()) {
                try await withChemicalMachine(.init(reporter: { _ in })) { _ in
                    let buffer = Join.define("buffer") { join in
                        made.withLock { [definition = join.definition] in $0 = definition }
                        isHeld.block()
                        // Waits for the lock, and so does the cancellation: from the first of several entries on, each
                        // of them is as likely to be next.
                        let buffer = join.bounded("item", of: Int.self, capacity: 3)
                        join.when(buffer, join.slow("never")) { _, _ in }
                        return buffer
                    }
                    await wasCancelled.wait()
                    withExtendedLifetime(buffer) {}
                }
            }
            Thread.detachNewThread {
                guard Self.poll(seconds: 60, { made.now != nil }), let join = made.now else { return }
                func waits() -> UInt32 { join.soup.memory.pointee.lock.waitCount }
                let entry = join.soup.enter()
                let before = waits()
                isHeld.raise()
                _ = Self.poll(seconds: 10) { waits() != before }
                Thread.detachNewThread {
                    scope.cancel()
                    wasCancelled.send()
                }
                _ = Self.poll(seconds: 10) { waits() &- before >= 2 }
                entry.leaveUnchanged()
            }
            #expect(await scope.wasCancelled)
            let join = try #require(made.now)
            let rooms = join.statistics.molecules["item.room"]?.present ?? 0
            #expect(rooms == 0 || rooms == 3, "round \(round)")
        }
    }
}
