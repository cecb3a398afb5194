import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// How many are inside, and whether that was ever wrong.
private struct Inside {
    var readers = 0
    var writers = 0
    var isWrong = false

    mutating func change(readers: Int = 0, writers: Int = 0, limits: (readers: Int, writers: Int)) {
        self.readers += readers
        self.writers += writers
        if self.readers < 0 || self.writers < 0 || self.readers > limits.readers || self.writers > limits.writers
            || (self.readers > 0 && self.writers > 0)
        {
            isWrong = true
        }
    }
}

@Suite("ReadWriteLock, condition", .endsInTime)
struct ReadWriteLockTests {
    @Test(arguments: [0, 0.5])
    func with4ReadersAnd2WritersIn101RandomRequestsNeverTooManyAndNeverBothWith100Seeds(_ chance: Double) async {
        await with100Seeds { seed, dice in
            let lock = ReadWriteLock(readers: 4, writers: 2)
            let inside = Locked(Inside())
            let jobs: [@concurrent @Sendable () async throws -> Void] = (0..<101).map { _ in
                request(lock, reads: dice.flip(), pause: dice.roll(0...2), limits: (4, 2), inside)
            }
            let results = await storm(jobs, dice: &dice, cancelling: chance)
            #expect(results.allSatisfy { $0.value != nil || $0.wasCancelled }, "seed \(seed)")
            #expect(chance > 0 || results.allSatisfy { $0.value != nil }, "seed \(seed)")
            #expect(!inside.value.isWrong, "seed \(seed)")
            // Nobody is left inside, and nobody has kept the turn.
            try await lock.withWriteLock {}
            try await lock.withReadLock {}
        }
    }

    private func request(
        _ lock: ReadWriteLock,
        reads: Bool,
        pause: Int,
        limits: (readers: Int, writers: Int),
        _ inside: Locked<Inside>
    ) -> @concurrent @Sendable () async throws -> Void {
        {
            if reads {
                try await lock.withReadLock {
                    inside.update { $0.change(readers: 1, limits: limits) }
                    await yield(pause)
                    inside.update { $0.change(readers: -1, limits: limits) }
                }
            } else {
                try await lock.withWriteLock {
                    inside.update { $0.change(writers: 1, limits: limits) }
                    await yield(pause)
                    inside.update { $0.change(writers: -1, limits: limits) }
                }
            }
        }
    }

    @Test func readersShareAndAReaderThatComesAfterAWriterWaitsBehindIt() async throws {
        try await withChemicalMachine { machine in
            let lock = ReadWriteLock()
            let order = Locked<[String]>([])
            let leave = Latch(count: 1)
            let readers = (0..<2).map { _ in
                Task {
                    try await lock.withReadLock {
                        order.update { $0.append("reader") }
                        try await leave.wait()
                    }
                }
            }
            try await eventually { order.value.count == 2 }
            try await machine.waits(for: 2)
            let writer = Task { try await lock.withWriteLock { order.update { $0.append("writer") } } }
            try await machine.waits(for: 3)
            let late = Task { try await lock.withReadLock { order.update { $0.append("late") } } }
            try await machine.waits(for: 4)
            leave.countDown()
            for task in readers + [writer, late] { try await task.value }
            #expect(order.value == ["reader", "reader", "writer", "late"])
        }
    }

    @Test func whereAWriterGivesUpTheReadersBehindItGoOn() async throws {
        try await withChemicalMachine { machine in
            let lock = ReadWriteLock()
            let leave = Latch(count: 1)
            let reader = Task { try await lock.withReadLock { try await leave.wait() } }
            try await machine.waits(for: 1)
            let writer = Task { try await lock.withWriteLock {} }
            try await machine.waits(for: 2)
            let late = Task { try await lock.withReadLock {} }
            try await machine.waits(for: 3)
            writer.cancel()
            #expect(await writer.result.wasCancelled)
            try await late.value
            leave.countDown()
            try await reader.value
        }
    }

    @Test func noReadersAreRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ReadWriteLock(readers: 0)
        }
        expectMessage(result, "a lock can't have 0 readers", "ReadWriteLockTests.swift")
    }

    @Test func noWritersAreRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ReadWriteLock(writers: 0)
        }
        expectMessage(result, "a lock can't have 0 writers", "ReadWriteLockTests.swift")
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ReadWriteLock(readers: -3, writers: 1)
        }
        expectMessage(negative, "a lock can't have -3 readers", "ReadWriteLockTests.swift")
    }

    // MARK: Condition

    @Test func whoWaitsGoesOnWhenTheConditionHolds() async throws {
        let number = Condition(0)
        let waiter = Task { try await number.wait { $0 >= 3 } }
        let taker = Task {
            try await number.update(when: { $0 >= 5 }) { $0 -= 5 }
        }
        for _ in 0..<5 { try await number.update { $0 += 1 } }
        try await taker.value
        try await number.update { $0 = 3 }
        #expect(try await waiter.value >= 3)
        #expect(try await number.wait { _ in true } == 3)
    }

    @Test func aChangeThatThrowsIsAChange() async throws {
        struct Broken: Error {}
        try await withChemicalMachine { machine in
            let number = Condition(0)
            let waiter = Task { try await number.wait { $0 == 1 } }
            try await machine.waits(for: 1)
            await #expect(throws: Broken.self) {
                try await number.update { number in
                    number = 1
                    throw Broken()
                }
            }
            #expect(try await waiter.value == 1)
        }
    }

    @Test func whatIsTakenWasThereInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let stock = Condition(0)
            let jobs: [@concurrent @Sendable () async throws -> Int] = (0..<16).map { index in
                let amount = dice.roll(1...3)
                if index % 2 == 0 {
                    return {
                        try await stock.update { $0 += amount }
                        return amount
                    }
                }
                if index % 4 == 1 {
                    return {
                        let seen = try await stock.wait { $0 >= amount }
                        #expect(seen >= amount, "seed \(seed)")
                        return 0
                    }
                }
                return {
                    try await stock.update(when: { $0 >= amount }) { $0 -= amount }
                    return -amount
                }
            }
            let results = await storm(jobs, dice: &dice, cancelling: 1)
            #expect(results.allSatisfy { $0.value != nil || $0.wasCancelled }, "seed \(seed)")
            let rest = results.reduce(0) { $0 + ($1.value ?? 0) }
            #expect(rest >= 0, "seed \(seed)")
            let now = try await stock.wait { _ in true }
            #expect(now == rest, "seed \(seed)")
        }
    }
}
