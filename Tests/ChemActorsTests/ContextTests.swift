import ChemActors
import TestSupport
import Testing

/// What a body sees of the task that calls: its task-local values, its priority and its cancellation.
@Suite("The context of a body")
struct ContextTests {
    @TaskLocal static var caller = "nobody"

    /// Where calls come from, and what runs the definition.
    enum Place: CaseIterable {
        case task, actor, mainActor, scope, executor
    }

    /// Runs `body` in such a place, with a machine for definitions.
    private func inside(_ place: Place, _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void) async throws
    {
        switch place {
        case .task: try await body(ChemicalMachine())
        case .actor: try await Caller().run { try await body(ChemicalMachine()) }
        case .mainActor: try await Task { @MainActor in try await body(ChemicalMachine()) }.value
        case .scope: try await withChemicalMachine { machine in try await body(machine) }
        case .executor: try await body(ChemicalMachine(.init(executor: BlockingExecutor())))
        }
    }

    private actor Caller {
        func run(_ body: @Sendable () async throws -> Void) async throws { try await body() }
    }

    /// What a body has seen.
    private struct Sight: Hashable, Sendable {
        var caller = ContextTests.caller
        var isCancelled = Task.isCancelled
    }

    // MARK: Task-local values

    @Test(
        "An answer body sees the task-local values of its caller, at once and after waiting",
        .endsInTime,
        arguments: Place.allCases
    )
    func answerSeesCaller(_ place: Place) async throws {
        try await inside(place) { machine in
            let (atOnce, suspending, take, takeSuspending, put) = machine.define("answers") { join in
                let atOnce = join.fast("atOnce", returning: String.self)
                let suspending = join.fast("suspending", returning: String.self)
                let take = join.fast("take", returning: String.self)
                let takeSuspending = join.fast("takeSuspending", returning: String.self)
                let put = join.slow("put")
                join.answer(atOnce) { _ in Self.caller }
                join.answer(suspending) { _ in
                    await Task.yield()
                    return Self.caller
                }
                join.answer(take, with: put) { _, _ in Self.caller }
                join.answer(takeSuspending, with: put) { _, _ in
                    await Task.yield()
                    return Self.caller
                }
                return (atOnce, suspending, take, takeSuspending, put)
            }
            for round in 1...20 {
                try await Self.$caller.withValue("me \(round)") {
                    let answers = [try await atOnce(), try await suspending()]
                    #expect(answers == ["me \(round)", "me \(round)"])
                }
                for waiting in [take, takeSuspending] {
                    let callers = Callers()
                    let answers = (0..<3).map { number in
                        Self.$caller.withValue("caller \(number)") {
                            Task { try await callers.call { (number, try await waiting()) } }
                        }
                    }
                    await callers.suspended(3)
                    Self.$caller.withValue("injector") { for _ in 0..<3 { put() } }
                    for answer in answers {
                        let (number, seen) = try await answer.value
                        #expect(seen == "caller \(number)")
                    }
                }
            }
        }
    }

    @Test(
        "A body that takes a reply sees nothing of those who call, whoever comes last",
        .endsInTime,
        arguments: [false, true]
    )
    func replySeesNobody(isAsynchronous: Bool) async throws {
        let (left, right) = Join.define("meeting") { join in
            let left = join.fast("left", returning: Sight.self)
            let right = join.fast("right", returning: Sight.self)
            if isAsynchronous {
                join.when(left, right) { one, other in
                    await Task.yield()
                    one(Sight())
                    other(Sight())
                }
            } else {
                join.when(left, right) { one, other in
                    one(Sight())
                    other(Sight())
                }
            }
            return (left, right)
        }
        for _ in 1...200 {
            try await Self.$caller.withValue("me") {
                async let one = left()
                async let other = right()
                let seen = try await (one, other)
                #expect(seen.0.caller == "nobody")
                #expect(seen.1.caller == "nobody")
            }
        }
    }

    @Test("A body that takes a reply doesn't see that its caller is cancelled, nor its priority", .endsInTime)
    func replyIsHiddenFromCancellation() async throws {
        let seen = Shared<[Sight]>([])
        let priorities = Shared<[TaskPriority]>([])
        let (give, take) = Join.define("meeting") { join in
            let give = join.fast("give")
            let take = join.fast("take")
            join.when(give, take) { one, other in
                withUnsafeCurrentTask { $0?.cancel() }  // Cancels whatever task this is: none that calls.
                seen.update { $0.append(Sight()) }
                priorities.update { $0.append(Task.currentPriority) }
                one()
                other()
            }
            return (give, take)
        }
        for _ in 1...100 {
            try await Task(priority: .background) {
                async let one: Void = give()
                async let other: Void = take()
                _ = try await (one, other)
                #expect(!Task.isCancelled)
            }.value
        }
        #expect(seen.value.count == 100)
        #expect(!priorities.value.contains(.background))
    }

    @Test("With two callers in a reaction, its body has the context of the one that it answers", .endsInTime)
    func answerOfTwo() async throws {
        let (ask, help) = Join.define("pair") { join in
            let ask = join.fast("ask", returning: String.self)
            let help = join.fast("help", returning: String.self)
            join.answer(ask, with: help) { _, helper in
                helper(Self.caller)
                return Self.caller
            }
            return (ask, help)
        }
        for round in 1...200 {
            let callers = Callers()
            func asking() -> Task<String, any Error> {
                Self.$caller.withValue("asker") { Task { try await callers.call { try await ask() } } }
            }
            func helping() -> Task<String, any Error> {
                Self.$caller.withValue("helper") { Task { try await callers.call { try await help() } } }
            }
            // Either may come last, and run the reaction.
            let first = round.isMultiple(of: 2) ? asking() : helping()
            await callers.suspended(1)
            let second = round.isMultiple(of: 2) ? helping() : asking()
            #expect(try await first.value == "asker")
            #expect(try await second.value == "asker")
        }
    }

    @Test("A body that is tried again sees its caller each time", .endsInTime, arguments: [false, true])
    func retries(isAsynchronous: Bool) async throws {
        struct Again: Error {}
        let seen = Shared<[String]>([])
        let ask = Join.define("retry") { join in
            join.failurePolicy = .retry(3, backOff: .milliseconds(1))
            let ask = join.fast("ask", returning: Int.self)
            let attempt: @Sendable () throws -> Int = {
                try seen.update { seen in
                    seen.append(Self.caller)
                    guard seen.count == 4 else { throw Again() }
                    return seen.count
                }
            }
            if isAsynchronous {
                join.answer(ask) { _ in
                    await Task.yield()
                    return try attempt()
                }
            } else {
                join.answer(ask) { _ in try attempt() }
            }
            return ask
        }
        let attempts = try await Self.$caller.withValue("me") { try await ask() }
        #expect(attempts == 4)
        #expect(seen.value == ["me", "me", "me", "me"])
    }

    @Test("What an answer body starts sees its caller too; a reaction that it makes possible doesn't", .endsInTime)
    func whatABodyStarts() async throws {
        let (seen, sees) = Join.define("log") { join in
            let entry = join.slow("entry", of: String.self)
            let see = join.slow("see")
            let seen = join.fast("seen", returning: String.self)
            join.when(see) { _ in entry(Self.caller) }
            join.answer(seen, with: entry) { _, text in text }
            return (seen, see)
        }
        let ask = Join.define("ask") { join in
            let ask = join.fast("ask", returning: String.self)
            join.answer(ask) { _ in
                sees()
                return await Task { Self.caller }.value
            }
            return ask
        }
        try await Self.$caller.withValue("me") {
            let answer = try await ask()
            #expect(answer == "me")
            let other = try await seen()
            #expect(other == "nobody")
        }
    }

    // MARK: Cancellation

    @Test(
        "A cancelled caller cancels the asynchronous body of its answer, and gets what that makes of it",
        .endsInTime,
        arguments: Place.allCases,
        [false, true]
    )
    func cancelledCaller(_ place: Place, waitsFirst: Bool) async throws {
        try await inside(place) { machine in
            let began = ControlProbe.Gate()
            let (work, start) = machine.define("work") { join in
                let work = join.fast("work", returning: String.self)
                let start = join.slow("start")
                join.answer(work, with: start) { _, _ in
                    began.open()
                    while !Task.isCancelled { await Task.yield() }
                    return "half of it"
                }
                return (work, start)
            }
            let callers = Callers()
            if !waitsFirst { start() }
            let task = Task { try await callers.call { try await work() } }
            if waitsFirst {
                await callers.suspended(1)
                start()
            }
            await began.pass()
            task.cancel()
            let result = try await task.value
            #expect(result == "half of it")
        }
    }

    @Test("Deactivating cancels the body of an answer and not its caller", .endsInTime)
    func deactivated() async throws {
        let began = ControlProbe.Gate()
        let (work, definition) = Join.define("work") { join in
            let work = join.fast("work", returning: String.self)
            join.answer(work) { _ in
                began.open()
                while !Task.isCancelled { await Task.yield() }
                return "stopped"
            }
            return (work, join.definition)
        }
        let task = Task {
            let answer = try await work()
            return (answer, Task.isCancelled)
        }
        await began.pass()
        definition.deactivate()
        let (answer, isCancelled) = try await task.value
        #expect(answer == "stopped")
        #expect(!isCancelled)
    }

    // MARK: Time limits

    @Test("A limit that covers the body ends the call while the body runs, and cancels the body", .endsInTime)
    func limitCoversBody() async throws {
        let ended = ControlProbe.Gate()
        let (work, total, definition) = Join.define("work") { join in
            let work = join.fast("work", returning: String.self)
            let total = join.fast("total", returning: Int.self)
            let count = join.state("count", 0)
            join.answer(work, updating: count) { count, _ in
                count += 1
                while !Task.isCancelled { await Task.yield() }
                ended.open()
                throw CancellationError()
            }
            join.answer(total, reading: count) { count, _ in count }
            return (work, total, join.definition)
        }
        let error = await #expect(throws: CallError.self) {
            try await work(within: .milliseconds(5), coveringBody: true)
        }
        #expect(error?.code == .timedOut)
        #expect(!Task.isCancelled)
        await ended.pass()
        try await definition.quiescence()
        // The state is back, as the body has left it.
        #expect(try await total() == 1)
        #expect(definition.statistics.isBalanced)
    }

    @Test("A limit that covers the body tells the reply, and a late answer is no mishap", .endsInTime)
    func limitCoversReply() async throws {
        let events = Shared<[String]>([])
        let machine = ChemicalMachine(
            .init(reporter: { event in events.update { $0.append("\(event)") } }, patience: nil)
        )
        let (ask, definition) = machine.define("ask") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.when(ask) { reply in
                while !reply.isCancelled { await Task.yield() }
                reply(1)
            }
            return (ask, join.definition)
        }
        let error = await #expect(throws: CallError.self) {
            _ = try await ask(within: .milliseconds(5), coveringBody: true)
        }
        #expect(error?.code == .timedOut)
        try await definition.quiescence()
        #expect(events.value == [])
    }

    @Test("Without that, the caller waits for the body", .endsInTime)
    func limitOfTheWaitOnly() async throws {
        let mayEnd = ControlProbe.Gate()
        let work = Join.define("work") { join in
            let work = join.fast("work", returning: Int.self)
            join.answer(work) { _ in
                await mayEnd.pass()
                return 7
            }
            return work
        }
        let task = Task { try await work(within: .milliseconds(1)) }
        // Another call of the same machine with the same limit times out after it.
        let never = Join.define("never") { join in
            let never = join.fast("never")
            let partner = join.slow("partner")
            join.answer(never, with: partner) { _, _ in }
            return never
        }
        await #expect(throws: CallError.self) { try await never(within: .milliseconds(20)) }
        mayEnd.open()
        #expect(try await task.value == 7)
    }

    // MARK: Priority

    @Test(
        "The body of an answer has the priority of its caller, at once and after waiting",
        .endsInTime,
        arguments: [false, true]
    )
    func priority(isAsynchronous: Bool) async throws {
        let (ask, start) = Join.define("ask") { join in
            let ask = join.fast("ask", returning: TaskPriority.self)
            let start = join.slow("start")
            if isAsynchronous {
                join.answer(ask, with: start) { _, _ in
                    await Task.yield()
                    return Task.currentPriority
                }
            } else {
                join.answer(ask, with: start) { _, _ in Task.currentPriority }
            }
            return (ask, start)
        }
        for priority in [TaskPriority.high, .medium] {
            start()
            let atOnce = try await Task(priority: priority) { try await ask() }.value
            #expect(atOnce == priority)
            let callers = Callers()
            let waiting = Task(priority: priority) { try await callers.call { try await ask() } }
            await callers.suspended(1)
            start()
            #expect(try await waiting.value >= priority)
        }
    }
}
