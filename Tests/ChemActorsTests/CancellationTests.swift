import ChemActors
import TestSupport
import Testing

/// Calls whose task is cancelled, and replies that are answered twice, late, elsewhere or never.
@Suite("Cancellation and replies", .serialized)
struct CancellationTests {
    struct Broken: Error {}

    @Test(
        "A call of a cancelled task throws without entering the soup",
        .endsInTime,
        arguments: Path.allCases
    )
    func cancelledBefore(path: Path) async throws {
        let (call, partner, definition) = path.sum()
        partner(1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await call(1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await definition.quiescence()
        #expect(try await call(1) == 2, "the partner is still there")
    }

    @Test("Cancelling a chain of calls, each made by the body that answers the one before, takes no stack", .endsInTime)
    func deepChain() async throws {
        let (descend, turn, reached) = Join.define("depths") { join in
            let descend = join.fast("descend", of: Int.self, returning: Int.self)
            let turn = join.fast("turn", returning: Int.self)
            let (bottom, never) = (join.slow("bottom"), join.slow("never"))
            let reached = join.fast("reached")
            join.answer(descend) { depth in
                if depth > 0 { return try await descend(depth - 1) + 1 }
                bottom()
                return try await turn()
            }
            join.answer(turn, with: never) { _, _ in 0 }
            join.answer(reached, with: bottom) { _, _ in }
            return (descend, turn, reached)
        }
        let task = Task { try await descend(20_000) }
        try await reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        extendLifetime(turn)
    }

    @Test("Each attempt of a body sees that its caller has given up", .endsInTime, arguments: [false, true])
    func retriedBody(isAsynchronous: Bool) async throws {
        let seen = Shared<[Bool]>([])
        let isFirst = Record<Void>()
        let (call, definition) = ChemicalMachine(.silent).define("retried") { join in
            join.failurePolicy = .retry(3, backOff: .milliseconds(300))
            let call = join.fast("call")
            if isAsynchronous {
                join.answer(call) { _ async throws in
                    seen.update { $0.append(Task.isCancelled) }
                    isFirst.append(())
                    await Task.yield()
                    throw Broken()
                }
            } else {
                join.answer(call) { _ in
                    seen.update { $0.append(Task.isCancelled) }
                    isFirst.append(())
                    throw Broken()
                }
            }
            return (call, join.definition)
        }
        let caller = Task { try await call() }
        try await until { isFirst.count > 0 }
        caller.cancel()
        let before = seen.value.count
        await #expect(throws: (any Error).self) { try await caller.value }
        try await definition.quiescence()
        let attempts = seen.value
        #expect(attempts.count == 4 && attempts.dropFirst(max(2, before)).allSatisfy { $0 }, "\(attempts)")
    }

    @Test(
        "A call cancelled while it waits is withdrawn: a later partner stays",
        .endsInTime,
        arguments: Path.allCases
    )
    func cancelledWhileWaiting(path: Path) async throws {
        let (call, partner, definition) = path.sum()
        let callers = Callers()
        let task = Task { try await callers.call { try await call(1) } }
        let timed = Task { try await callers.call { try await call(1, within: .seconds(600)) } }
        await callers.suspended(2)
        task.cancel()
        timed.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await timed.value }
        partner(5)
        try await definition.quiescence()
        #expect(try await call(1) == 6)
    }

    @Test(
        "A call cancelled while its reaction runs gets the answer, and the reply tells the body",
        .endsInTime
    )
    func cancelledWhileReacting() async throws {
        let replies = Shared<[Reply<Void, Int>]>([])
        let call = Join.define { join in
            let call = join.fast("call", returning: Int.self)
            join.when(call) { reply in replies.update { $0.append(reply) } }
            return call
        }
        let callers = Callers()
        let cancelled = Task { try await callers.call { try await call() } }
        // The reaction may have begun before the caller suspends, and a cancellation is seen at once from then on.
        await callers.suspended(1)
        let reply = try await replies.first()
        #expect(!reply.isCancelled)
        cancelled.cancel()
        #expect(reply.isCancelled)
        reply(1)
        #expect(try await cancelled.value == 1)

        // On a busy machine the time may be up before a worker comes. Then once more.
        var lateReply: Reply<Void, Int>?
        while lateReply == nil {
            replies.update { $0 = [] }
            let hasEnded = Shared(false)
            let late = Task {
                defer { hasEnded.update { $0 = true } }
                return try await call(within: .seconds(1))
            }
            try await until { hasEnded.value || !replies.value.isEmpty }
            guard let reply = replies.value.first else { continue }
            lateReply = reply
            try await until { reply.isCancelled }
            reply(2)
            #expect(try await late.value == 2, "a reaction that has started is waited for")
        }
    }

    @Test(
        "Cancellation races with the reaction: withdrawn and reacted are called",
        .endsInTime,
        arguments: Path.allCases
    )
    func race(path: Path) async throws {
        let rounds = heavy(100_000, debug: 5_000) / Path.allCases.count
        let reacted = Shared(0)
        let (call, partner, definition) = path.defineHandled("race") { (x: Int, y: Int) in
            reacted.update { $0 += 1 }
            return x - y
        }
        var answered = 0
        var withdrawn = 0
        let callers = Callers()
        for round in 0..<rounds {
            let task = Task { try await callers.call { try await call(round) } }
            if round % 2 == 0 { await callers.suspended(round + 1) }
            if round % 4 < 2 {
                Task { task.cancel() }
                partner(0)
            } else {
                Task { partner(0) }
                task.cancel()
            }
            do {
                let answer = try await task.value
                if answer == round { answered += 1 } else { Issue.record("round \(round) got \(answer)") }
            } catch is CancellationError {
                withdrawn += 1
            }
        }
        #expect(answered + withdrawn == rounds)
        // The partner of each withdrawn call is still there, or on its way.
        for _ in 0..<withdrawn { #expect(try await call(1, within: .seconds(600)) == 1) }
        try await definition.quiescence()
        #expect(reacted.value == rounds)
        await #expect(throws: CallError.self) { try await call(1, within: .milliseconds(1)) }
    }

    @Test(
        "Cancelling half of 10,000 waiting calls leaves the others",
        .endsInTime,
        arguments: [Join.Order.random, .oldestFirst]
    )
    func cancelHalf(order: Join.Order) async throws {
        let count = heavy(10_000, debug: 2_000)
        let (call, partner) = Join.define { join in
            let call = join.fast("call", of: Int.self, returning: Int.self, order: order)
            let partner = join.slow("partner")
            join.answer(call, with: partner) { n, _ in n }
            return (call, partner)
        }
        let callers = Callers()
        let tasks = (0..<count).map { n in Task { try await callers.call { try await call(n) } } }
        await callers.suspended(count)
        let cancelled = Set((0..<count).shuffled().prefix(count / 2))
        for n in cancelled { tasks[n].cancel() }
        for n in cancelled { #expect(await tasks[n].wasCancelled) }
        for _ in 0..<(count - cancelled.count) { partner() }
        for n in 0..<count where !cancelled.contains(n) { #expect(try await tasks[n].value == n) }
    }

    @Test("A body in the calling task sees the caller's task-locals")
    func taskLocals() async throws {
        let call = Join.define { join in
            let call = join.fast("call", returning: Int.self)
            join.answer(call) { _ in Self.number }
            return call
        }
        #expect(try await Self.$number.withValue(5) { try await call() } == 5)
    }
    @TaskLocal static var number = 0

    // MARK: Replies

    @Test("A second answer changes nothing and is reported", .endsInTime, arguments: [false, true])
    func answeredTwice(isAsync: Bool) async throws {
        let log = EventLog()
        let (call, definition) = logging(log).define("twice") { join in
            let call = join.fast("call", returning: Int.self)
            let body: @Sendable (Reply<Void, Int>) -> Void = { reply in
                reply(1)
                reply(2)
                reply.fail(Broken())
            }
            if isAsync {
                join.when(call, fileID: "Home/Twice.swift", line: 7) { reply async throws in body(reply) }
            } else {
                join.when(call, fileID: "Home/Twice.swift", line: 7) { body($0) }
            }
            // It gets no reply.
            join.answer(call, with: join.slow("other")) { _, _ in 2 }
            return (call, join.definition)
        }
        #expect(try await call() == 1)
        try await definition.quiescence()
        #expect(
            log.all.map(\.description)
                == Array(
                    repeating: "twice: a call of 'call' was answered a second time by the reaction call "
                        + "(Home/Twice.swift:7); the second answer had no effect",
                    count: 2
                )
        )
    }

    enum Silence: CaseIterable { case returns, returnsLater, drops, throwing, throwingLater, cancelled, noise }

    @Test(
        "A reaction that never answers resumes its caller with an error",
        .endsInTime,
        arguments: Silence.allCases
    )
    func neverAnswered(silence: Silence) async throws {
        let log = EventLog()
        let (call, definition) = logging(log).define("silent") { join in
            let call = join.fast("call", returning: Int.self)
            let parked = join.slow("parked", of: Reply<Void, Int>.self)
            join.when(parked) { _ in }
            switch silence {
            case .returns: join.when(call) { _ in }
            case .returnsLater: join.when(call) { _ async throws in await Task.yield() }
            case .drops: join.when(call) { parked($0) }
            case .throwing: join.when(call) { _ in throw Broken() }
            case .throwingLater:
                join.when(call) { _ async throws in
                    await Task.yield(); throw Broken()
                }
            case .cancelled:
                join.when(call) { _ async throws in
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await Task.sleep(for: .seconds(60))
                }
            case .noise: join.when(call) { reply in Task { _ = reply.value } }
            }
            return (call, join.definition)
        }
        for _ in 0..<100 {
            do {
                _ = try await call()
                Issue.record("answered")
            } catch {
                switch silence {
                case .returns, .returnsLater, .drops, .noise:
                    #expect((error as? CallError)?.code == .unanswered)
                    #expect("\(error)".contains("without answering it: call (\(#fileID):"), "\(error)")
                case .throwing, .throwingLater: #expect(error is Broken)
                case .cancelled: #expect(error is CancellationError)
                }
            }
        }
        try await definition.quiescence()
        try await until { log.all.count >= 100 }
        #expect(log.all.count == 100, "each is reported once")
        #expect(log.all.allSatisfy { "\($0)".contains("call (\(#fileID):") }, "with the reaction and its line")
    }

    @Test("An answer before the end of the body resumes the caller while the body goes on", .endsInTime)
    func answerBeforeEnd() async throws {
        let ended = Shared(false)
        let (wait, open) = Join.define { join in
            let wait = join.fast("wait")
            let open = join.slow("open")
            join.answer(wait, with: open) { _, _ in }
            return (wait, open)
        }
        let (call, definition) = Join.define { join in
            let call = join.fast("call", returning: Int.self)
            join.when(call) { reply async throws in
                reply(1)
                try await wait()
                ended.update { $0 = true }
            }
            return (call, join.definition)
        }
        #expect(try await call() == 1)
        #expect(!ended.value)
        open()
        try await definition.quiescence()
        #expect(ended.value)
    }

    @Test("A body that has answered may throw: the caller keeps the answer", .endsInTime)
    func answerThenThrow() async throws {
        let log = EventLog()
        let (call, definition) = logging(log).define { join in
            let call = join.fast("call", returning: Int.self)
            join.when(call) { reply in
                reply(1)
                throw Broken()
            }
            return (call, join.definition)
        }
        for _ in 0..<100 { #expect(try await call() == 1) }
        try await definition.quiescence()
        #expect(log.count { if case .failedReaction = $0.kind { true } else { false } } == 100)
        #expect(log.all.count == 100, "and no second answer")
        #expect(log.all.allSatisfy { !$0.isKnownToCaller && $0.isMishap }, "nobody was told of the error")
    }

    @Test("A reply on a molecule is answered by another reaction", .endsInTime)
    func carriedReply() async throws {
        let (call, go) = Join.define { join in
            let call = join.fast("call", of: Int.self, returning: Int.self)
            let parked = join.slow("parked", of: Reply<Int, Int>.self)
            let go = join.slow("go", of: Int.self)
            join.when(call) { parked($0) }
            join.when(parked, go) { reply, n in reply(reply.value * n) }
            return (call, go)
        }
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for x in 0..<500 { group.addTask { (x, try await call(x)) } }
            for _ in 0..<500 { go(3) }
            for try await (x, answer) in group { #expect(answer == 3 * x) }
        }
    }

    @Test(
        "A reply outlives its definition: answered later, or unanswered when its last copy goes",
        .endsInTime,
        arguments: [false, true]
    )
    func replyOutlives(isAnswered: Bool) async throws {
        let log = EventLog()
        let replies = Shared<[Reply<Int, Int>]>([])
        let local = Shared<(FastMolecule<Int, Int>, SlowMolecule<Void>)?>(nil)
        let machine = logging(log)
        var name: FastMolecule<Int, Int>? = machine.define("gone") { join in
            let call = join.fast("call", of: Int.self, returning: Int.self)
            let nudge = join.slow("nudge")
            join.when(call) { reply in replies.update { $0.append(reply) } }
            join.when(nudge) { _ in }
            local.update { $0 = (call, nudge) }
            return call
        }
        let caller = Task { [local = local.value!.0] in try await local(20) }
        _ = try await replies.first()
        #expect(name != nil)
        name = nil
        // One nudge after the other: more than a worker gets done would keep the definition from being quiet.
        while !log.all.contains(where: { if case .ignoredInjection = $0.kind { true } else { false } }) {
            try await machine.quiescence()
            local.value!.1()
        }
        local.update { $0 = nil }
        if isAnswered {
            replies.update { $0[0]($0[0].value * 2) }
            #expect(try await caller.value == 40)
        } else {
            replies.update { $0 = [] }
            let error = await #expect(throws: CallError.self) { try await caller.value }
            #expect(error?.code == .unanswered && error?.molecule == "gone.call")
        }
    }

    private func logging(_ log: EventLog) -> ChemicalMachine {
        ChemicalMachine(.init(reporter: { log.add($0) }, patience: nil))
    }
}
