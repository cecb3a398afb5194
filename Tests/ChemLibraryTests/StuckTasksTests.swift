import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Tasks that hold what others wait for: no reaction's body has it, and yet it is known where it was taken.
@Suite("Why tasks are stuck that use the library", .endsInTime)
struct StuckTasksTests {
    /// Runs tasks that get stuck, and returns what is said of them as soon as so many calls wait and it says this.
    private func stuck(
        _ calls: Int,
        saying text: String,
        _ start: @Sendable () -> [Task<Void, any Error>]
    ) async throws -> StuckReport {
        let configuration = ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .flight)
        return try await withChemicalMachine(configuration) { machine in
            let tasks = start()
            try await eventually {
                let report = machine.explainStuck()
                return report.calls.count == calls && "\(report)".contains(text)
            }
            let report = machine.explainStuck()
            for task in tasks { task.cancel() }
            machine.deactivate()
            for task in tasks { _ = await task.result }
            return report
        }
    }

    private func here(_ line: Int) -> String { "ChemLibraryTests/StuckTasksTests.swift:\(line)" }

    /// Whether a line of the report has all of these parts.
    private func says(_ report: StuckReport, _ parts: String...) -> Bool {
        "\(report)".split(separator: "\n").contains { line in parts.allSatisfy { line.contains($0) } }
    }

    @Test func twoTasksWithTwoMutexesInDifferentOrderAreACycle() async throws {
        let line = #line + 4
        let report = try await stuck(2, saying: "this is a cycle") {
            let (a, b) = (AsyncMutex(name: "a"), AsyncMutex(name: "b"))
            let both = Barrier(parties: 2)
            let first = Task {
                try await a.withLock {
                    try await both.arrive()
                    try await b.withLock {}
                }
            }
            let second = Task {
                try await b.withLock {
                    try await both.arrive()
                    try await a.withLock {}
                }
            }
            return [first, second]
        }
        #expect(says(report, "the last 'free' for the call at \(here(line + 1))", "whose task waits in b.lock"))
        #expect(says(report, "the last 'free' for the call at \(here(line + 7))", "whose task waits in a.lock"))
        #expect("\(report)".ranges(of: "this is a cycle").count == 1, "\(report)")
    }

    @Test func aMutexThatItsOwnTaskLocksAgainIsACycle() async throws {
        let line = #line + 3
        let report = try await stuck(1, saying: "this is a cycle") {
            let mutex = AsyncMutex(name: "mutex")
            return [Task { try await mutex.withLock { try await mutex.withLock {} } }]
        }
        #expect(says(report, "for the call at \(here(line)), whose task waits in mutex.lock", "this is a cycle"))
    }

    @Test func whoReadsAndWantsToWriteWaitsForItself() async throws {
        let line = #line + 3
        let report = try await stuck(1, saying: "this is a cycle") {
            let lock = ReadWriteLock(name: "index")
            return [Task { try await lock.withReadLock { try await lock.withWriteLock {} } }]
        }
        #expect(says(report, "the last 'nobody' for the call at \(here(line)), whose task waits in index.write.enter"))
    }

    @Test func theLineIsNamedThatHasTakenTheLastPermit() async throws {
        let line = #line + 5
        let report = try await stuck(1, saying: "lacks permit") {
            let semaphore = AsyncSemaphore(permits: 1, name: "connections")
            let (isTaken, stays) = (Latch(count: 1), AsyncStream<Never>.makeStream())
            let holder = Task {
                try await semaphore.withPermit {
                    isTaken.countDown()
                    for await _ in stays.stream {}
                }
            }
            let waiting = Task {
                try await isTaken.wait()
                try await semaphore.withPermit {}
            }
            return [holder, waiting]
        }
        #expect(says(report, "has taken the last 'permit' for the call at \(here(line)), and nobody has made another"))
    }

    /// The holder of the other permit may put it back.
    @Test func whoWaitsWithOneOfTwoPermitsIsNoCycle() async throws {
        let line = #line + 11
        let report = try await stuck(1, saying: "lacks permit") {
            let semaphore = AsyncSemaphore(permits: 2, name: "connections")
            let (isTaken, stays) = (Latch(count: 1), AsyncStream<Never>.makeStream())
            let holder = Task {
                try await semaphore.acquire()
                isTaken.countDown()
                for await _ in stays.stream {}
            }
            let waiting = Task {
                try await isTaken.wait()
                try await semaphore.acquire()
                try await semaphore.acquire()
            }
            return [holder, waiting]
        }
        #expect(says(report, "has taken the last 'permit' for the call at \(here(line))"), "\(report)")
        #expect(!"\(report)".contains("cycle"), "\(report)")
    }

    /// Whoever sends takes room, and those who receive give it back.
    @Test func whatOthersMakeIsNoCycle() async throws {
        let report = try await stuck(2, saying: "lacks countDown") {
            let (orders, isReady) = (JoinChannel<Int>(capacity: 1, name: "orders"), Latch(count: 1, name: "ready"))
            let producer = Task {
                for order in 0..<3 { try await orders.send(order) }
                isReady.countDown()
            }
            let consumer = Task {
                try await isReady.wait()
                for try await _ in orders {}
            }
            return [producer, consumer]
        }
        #expect(says(report, "makes 'room', and lacks receive"))
        #expect(says(report, "makes 'isOpen', and lacks countDown"))
        #expect(!"\(report)".contains("cycle"), "\(report)")
    }

    @Test func aPromiseThatNobodyKeepsLacksWhoSetsIt() async throws {
        let report = try await stuck(1, saying: "lacks isSet") {
            let promise = JoinPromise<Int>(name: "page")
            return [
                Task {
                    _ = try await promise.future.value()
                    extendLifetime(promise)
                }
            ]
        }
        #expect(says(report, "set & unset", "makes 'isSet', and lacks set"))
        #expect(says(report, "nobody has called 'set'"))
    }

    private enum Question: Sendable {
        case ask(ReplyTo<Int>, MailboxActor<Question>)
        case answer(ReplyTo<Int>)
    }

    @Test func mailboxActorsThatAskEachOtherAreACycle() async throws {
        let line = #line + 5
        let report = try await stuck(3, saying: "this is a cycle") {
            func actor(_ name: String, asks other: MailboxActor<Question>?) -> MailboxActor<Question> {
                MailboxActor(state: 0, options: MailboxOptions(name: name)) { (_, question: Question) in
                    switch question {
                    case .ask(let reply, let back): reply(try await (other ?? back).ask { .ask($0, back) })
                    case .answer(let reply): reply(1)
                    }
                }.start()
            }
            let second = actor("second", asks: nil)
            let first = actor("first", asks: second)
            return [Task { _ = try await first.ask { .ask($0, first) } }]
        }
        #expect(says(report, "handle", "of 'first' runs: its body waits in second.ask, called at \(here(line))"))
        #expect(says(report, "of 'second' runs: its body waits in first.ask", "called at \(here(line))"))
        #expect(says(report, "this is a cycle"))
    }
}
