@testable import ChemBase
import Foundation
import Synchronization
import TestSupport
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
        records.initialize(to: WorkerRecord(held.join, handsOn: false, nil))
        (records + 1).initialize(to: WorkerRecord(looked.join, handsOn: false, nil))
        let areAdded = Flag()

        let (hasLooked, hasRun) = await onThread {
            let entry = held.join.soup.enter()
            Thread.detachNewThread {
                Monitor.shared.add(records)
                Monitor.shared.add(records + 1)
                areAdded.raise()
            }
            let hasLooked = Self.poll(seconds: 300) {
                areAdded.isRaised && records[1].isOverdue.load(ordering: .relaxed)
            }
            elsewhere.job()
            // A worker is a task, which comes behind those of all other tests.
            let hasRun = Self.poll(seconds: 800) { ran.isRaised }
            entry.leaveUnchanged()
            return (hasLooked, hasRun)
        }

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
        // One try is enough, but the system may take the core from the body, and then it is long indeed.
        var wasShort = false
        for _ in 0..<1_000 where !wasShort {
            let made = Guarded<Join?>(nil)
            let waitsBefore = Guarded<UInt32?>(nil)
            // The body itself takes the lock of its soup, so that its worker waits as soon as it has ended, and nothing
            // depends on how fast another thread is.
            let (job, join) = define("measured") {
                guard let join = made.now else { return }
                join.soup.memory.pointee.lock.lock()
                let count = join.soup.memory.pointee.lock.waitCount
                waitsBefore.withLock { $0 = count }
            }
            made.withLock { $0 = join }
            job()
            let hasWaited = await onThread {
                guard Self.poll(seconds: 30, { waitsBefore.now != nil }) else { return false }
                let hasWaited = Self.poll(seconds: 30) { join.soup.memory.pointee.lock.waitCount != waitsBefore.now }
                // For longer than a long body takes.
                let end = ContinuousClock.now + .microseconds(100)
                while ContinuousClock.now < end {}
                join.soup.memory.pointee.lock.unlock()
                return hasWaited
            }
            try #require(hasWaited)
            try await join.quiescence()
            made.withLock { $0 = nil }
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

    @Test("Who clears while a bounded molecule is declared, or ends its scope, finds all of its room or none to refill")
    func roomOfBounded() async throws {
        var found = 0
        for round in 0..<50 {
            let rooms = Guarded<Int?>(nil)
            let made = Guarded<Join?>(nil)
            let (isWatched, isOver) = (Flag(), Flag())
            Thread.detachNewThread {
                guard Self.poll(seconds: 60, { made.now != nil }), let join = made.now else { return }
                // In and out, so that whoever declares has to wait each time: what clearing would find in between.
                while !isOver.isRaised, rooms.now == nil {
                    let entry = join.soup.enter()
                    isWatched.raise()
                    for slot in entry.contents.slots where slot.name == "item.room" {
                        guard let slot = slot as? SlowSlot<Void>, slot.refill != nil else { continue }
                        let present = slot.present(entry)
                        rooms.withLock { $0 = present }
                    }
                    pauseBriefly(500)
                    entry.leaveUnchanged()
                }
            }
            let buffer = Join.define("buffer") { join in
                made.withLock { [definition = join.definition] in $0 = definition }
                isWatched.block()
                let buffer = join.bounded("item", of: Int.self, capacity: 3)
                join.when(buffer, join.slow("never")) { _, _ in }
                return buffer
            }
            _ = Self.poll(seconds: 1) { rooms.now != nil }
            isOver.raise()
            if let rooms = rooms.now {
                found += 1
                #expect(rooms == 3, "round \(round)")
            }
            withExtendedLifetime(buffer) {}
        }
        #expect(found > 0)
    }

    @Test("While a snapshot of very many waiting calls is made, the soup is free")
    func snapshotHoldsNobodyUp() async throws {
        let count = heavy(100_000, debug: 20_000)
        let (ask, item, join) = Join.define("crowd") { join in
            let ask = join.fast("ask", order: .oldestFirst)
            let item = join.slow("item")
            join.answer(ask, with: item) { _, _ in }
            return (ask, item, join.definition)
        }
        let calls = (0..<count).map { _ in Task { try await ask() } }
        try await ControlProbe.until("all wait") { join.statistics.waitingCalls == count }
        let looks = Guarded((free: 0, taken: 0))
        let isMaking = Guarded(false)
        let (isOver, isDone) = (Flag(), Signal())
        Thread.detachNewThread {
            while !isOver.isRaised {
                pauseBriefly(2_000)
                guard isMaking.now else { continue }
                let isFree = join.soup.memory.pointee.lock.lockIfAvailable()
                if isFree { join.soup.memory.pointee.lock.unlock() }
                // Only if it is still the same snapshot that is being made.
                guard isMaking.now else { continue }
                looks.withLock { if isFree { $0.free += 1 } else { $0.taken += 1 } }
            }
            isDone.send()
        }
        for _ in 0..<1_000 where looks.withLock({ $0.free + $0.taken }) < 1_000 {
            isMaking.withLock { $0 = true }
            _ = join.snapshot()
            isMaking.withLock { $0 = false }
        }
        isOver.raise()
        await isDone.wait()
        #expect(looks.now.free > looks.now.taken, "\(looks.now)")
        for _ in 0..<count { item() }
        for call in calls { try await call.value }
    }
}
