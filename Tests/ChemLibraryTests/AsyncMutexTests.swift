import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What a task sees that has the lock.
private struct Visits {
    var count = 0
    var isInside = false
}

/// A value that takes no memory.
private enum Command { case stop }

@Suite("AsyncMutex", .endsInTime)
struct AsyncMutexTests {
    @Test func theValueMayBeOneThatTakesNoMemory() async throws {
        let mutex = AsyncMutex(Command.stop)
        #expect(try await mutex.withLock { $0 } == .stop)
        #expect(try await mutex.withLock { $0 } == .stop)
    }

    @Test func theValueIsChangedByOneTaskAtATimeAlsoAcrossAwait() async throws {
        let mutex = AsyncMutex(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        try await mutex.withLock { value in
                            let before = value
                            await Task.yield()
                            value = before + 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await mutex.withLock { $0 } == 400)
    }

    @Test func afterAnErrorTheValueStaysAsTheBodyHasLeftItAndTheLockIsFree() async throws {
        struct Broken: Error {}
        let mutex = AsyncMutex([1])
        await #expect(throws: Broken.self) {
            try await mutex.withLock { value in
                value.append(2)
                throw Broken()
            }
        }
        #expect(throws: Broken.self) {
            try mutex.withLockIfFree { value in
                value.append(3)
                throw Broken()
            }
        }
        #expect(mutex.withLockIfFree { $0 } == [1, 2, 3])
    }

    @Test func whileItIsTakenOthersDontGetIt() async throws {
        let mutex = AsyncMutex(1)
        try await mutex.withLock { value in
            #expect(mutex.withLockIfFree { $0 } == nil)
            let late = await Task { try await mutex.withLock(within: .milliseconds(1)) { $0 } }.result
            #expect(late.timedOut)
            value = 2
        }
        #expect(mutex.withLockIfFree { $0 } == 2)
        #expect(try await mutex.withLock(within: .zero) { $0 } == 2)
    }

    @Test func anOptionalValueIsNoReasonToThinkThatItIsTaken() async throws {
        let mutex = AsyncMutex<Int?>(nil)
        #expect(mutex.withLockIfFree { $0 == nil } == true)
    }

    @Test func anArrayIsChangedWhereItLies() async throws {
        let mutex = AsyncMutex(Array(0..<1_000))
        let address = { @Sendable (array: inout [Int]) in
            array.withUnsafeMutableBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
        let first = try await mutex.withLock { address(&$0) }
        for _ in 0..<10 { #expect(try await mutex.withLock { address(&$0) } == first) }
    }

    @Test func withoutAValueItOnlyExcludes() async throws {
        let mutex = AsyncMutex<Void>()
        #expect(try await mutex.withLock { 5 } == 5)
    }

    @Test func waitersGetItInTheOrderInWhichTheyCame() async throws {
        try await withChemicalMachine { machine in
            let mutex = AsyncMutex([Int]())
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await mutex.withLock { _ in
                    for number in 0..<20 {
                        group.addTask { try await mutex.withLock { $0.append(number) } }
                        try await machine.waits(for: number + 1)
                    }
                    #expect(mutex.withLockIfFree { $0 } == nil)
                }
                try await group.waitForAll()
            }
            #expect(try await mutex.withLock { $0 } == Array(0..<20))
        }
    }

    @Test func everyCompletedChangeIsThereAndNoOtherInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let mutex = AsyncMutex(Visits())
            let jobs: [@concurrent @Sendable () async throws -> Void] = (0..<16).map { _ in
                visit(mutex, pause: dice.roll(0...2))
            }
            let results = await storm(jobs, dice: &dice)
            let done = results.filter { $0.value != nil }.count
            for case .failure(let error) in results where !(error is CancellationError) {
                Issue.record("seed \(seed): \(error)")
            }
            #expect(count(mutex) == done, "seed \(seed)")
        }
    }

    private func count(_ mutex: AsyncMutex<Visits>) -> Int? { mutex.withLockIfFree { $0.count } }

    /// One change that takes a while.
    private func visit(_ mutex: AsyncMutex<Visits>, pause: Int) -> @concurrent @Sendable () async throws -> Void {
        {
            try await mutex.withLock { value in
                #expect(!value.isInside)
                value.isInside = true
                let before = value.count
                await yield(pause)
                value.count = before + 1
                value.isInside = false
            }
        }
    }
}
