import ChemActors
import TestSupport
import Testing

/// How scopes end: by errors, by cancellation, and when nothing can go on.
@Suite(.endsInTime)
struct ScopeEndTests {
    typealias Flaw = Small.Flaw

    // MARK: Errors and cancellation

    /// What makes the scope end, with the error that it then throws.
    enum Cause: CaseIterable, Sendable { case closure, body, cancellation }

    @Test(arguments: Cause.allCases)
    func anErrorCancelsReactionsAndAnswersAllWaitingCallers(_ cause: Cause) async throws {
        let callers = Record<Task<CallError.Code?, Never>>()
        let ended = Record<Bool>()
        let scope = Task {
            try await withChemicalMachine(.silent) { machine in
                let (call, partner, definition) = Small.meeting()
                for _ in 0..<10_000 { callers.append(Task { await Small.codeOf(call) }) }
                for _ in 0..<3 {
                    Small.inBody {
                        try? await Task.sleep(for: .seconds(600))
                        ended.append(Task.isCancelled)
                    }
                }
                #expect(await Patience.until { definition.statistics.waitingCalls == 10_000 })
                #expect(await Patience.until { machine.statistics.running == 3 })
                switch cause {
                case .closure: throw Flaw(number: 1)
                case .body:
                    Small.inBody { throw Flaw(number: 1) }
                    // Goes on until its next call throws.
                    try await Patience.end { _ = try await call() }
                case .cancellation:
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                withExtendedLifetime(partner) {}
            }
        }
        let outcome = await scope.result
        switch cause {
        case .closure, .body: #expect(throws: Flaw(number: 1)) { try outcome.get() }
        case .cancellation: #expect(throws: CancellationError.self) { try outcome.get() }
        }
        #expect(ended.all == [true, true, true])
        var codes: [CallError.Code?: Int] = [:]
        for caller in callers.all { codes[await caller.value, default: 0] += 1 }
        #expect(codes == [.deactivated: 10_000])
    }

    @Test(arguments: Cause.allCases)
    func waitingInjectorsAndConsumersOfStreamsHearOfItToo(_ cause: Cause) async throws {
        let injectors = Record<Task<CallError.Code?, Never>>()
        let consumers = Record<Task<Int, Never>>()
        let scope = Task {
            try await withChemicalMachine(.silent) { _ in
                let (full, empty, definition) = Join.define("shelf") { join in
                    let full = join.bounded("full", of: Int.self, capacity: 1)
                    let empty = join.slow("empty", of: Int.self, order: .oldestFirst)
                    let never = join.slow("never")
                    join.when(full, never) { _, _ in never() }
                    return (full, join.stream(of: empty), join.definition)
                }
                try await full.inject(0)
                for n in 0..<10_000 {
                    injectors.append(
                        Task {
                            do { try await full.inject(n) } catch { return (error as? CallError)?.code }
                            return nil
                        }
                    )
                    consumers.append(
                        Task {
                            var count = 0
                            for await _ in empty { count += 1 }
                            return count
                        }
                    )
                }
                #expect(await Patience.until { definition.statistics.waitingCalls == 20_000 })
                switch cause {
                case .closure: throw Flaw(number: 1)
                case .body:
                    Small.inBody { throw Flaw(number: 1) }
                    try await full.inject(1)
                case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        let outcome = await scope.result
        switch cause {
        case .closure, .body: #expect(throws: Flaw(number: 1)) { try outcome.get() }
        case .cancellation: #expect(throws: CancellationError.self) { try outcome.get() }
        }
        var codes: [CallError.Code?: Int] = [:]
        for injector in injectors.all { codes[await injector.value, default: 0] += 1 }
        #expect(codes == [.deactivated: 10_000])
        for consumer in consumers.all { #expect(await consumer.value == 0) }
    }

    @Test func theFirstErrorIsRethrown() async throws {
        let second = Record<Void>()
        let isSleeping = Flag()
        await #expect(throws: Flaw(number: 1)) {
            try await withChemicalMachine(.silent) { _ in
                Small.inBody {
                    isSleeping.raise()
                    try? await Task.sleep(for: .seconds(600))
                    second.append(())
                    throw Flaw(number: 2)
                }
                // What has not begun by the first error never does.
                #expect(await Patience.until { isSleeping.isRaised })
                Small.inBody { throw Flaw(number: 1) }
                #expect(await Patience.until { second.count == 1 })
                throw Flaw(number: 3)
            }
        }
    }

    @Test func anErrorThatACallerGetsDoesNotEndTheScope() async throws {
        let value = try await withChemicalMachine(.silent) { _ in
            let (fail, failLater, ask) = Join.define("failing") { join in
                let fail = join.fast("fail", returning: Int.self)
                let failLater = join.fast("failLater", returning: Int.self)
                let ask = join.fast("ask", returning: Int.self)
                join.answer(fail) { _ in throw Flaw(number: 1) }
                join.answer(failLater) { _ in
                    await Task.yield()
                    throw Flaw(number: 2)
                }
                join.when(ask) { _ in throw Flaw(number: 3) }
                return (fail, failLater, ask)
            }
            await #expect(throws: Flaw(number: 1)) { try await fail() }
            await #expect(throws: Flaw(number: 2)) { try await failLater() }
            await #expect(throws: Flaw(number: 3)) { try await ask() }
            return 5
        }
        #expect(value == 5)
    }

    @Test(arguments: [false, true])
    func anErrorAfterTheAnswerEndsTheScope(_ isAsynchronous: Bool) async throws {
        let answer = Record<Int>()
        await #expect(throws: Flaw(number: 7)) {
            try await withChemicalMachine(.silent) { _ in
                let ask = Join.define("hasty") { join in
                    let ask = join.fast("ask", returning: Int.self)
                    if isAsynchronous {
                        join.when(ask) { caller in
                            caller(1)
                            await Task.yield()
                            throw Flaw(number: 7)
                        }
                    } else {
                        join.when(ask) { caller in
                            caller(1)
                            throw Flaw(number: 7)
                        }
                    }
                    return ask
                }
                answer.append(try await ask())
            }
        }
        #expect(answer.all == [1])
    }

    @Test func inputsThatArePutBackDoNotEndTheScopeUntilTheLimit() async throws {
        for limit in [2, 5] {
            let attempts = Tally()
            let value = try await withChemicalMachine(.silent) { _ in
                Join.define("stubborn") { join in
                    join.failurePolicy = .putBack(after: .nanoseconds(1), limit: limit)
                    let job = join.slow("job")
                    join.when(job) { _ in
                        attempts.add()
                        if attempts.value < 3 { throw Flaw(number: 3) }
                    }
                    job()
                }
                return 5
            }
            #expect(value == 5)
            #expect(attempts.value == 3)
        }
        await #expect(throws: Flaw(number: 3)) {
            try await withChemicalMachine(.silent) { _ in
                Join.define("hopeless") { join in
                    join.failurePolicy = .putBack(after: .nanoseconds(1), limit: 2)
                    let job = join.slow("job")
                    join.when(job) { _ in throw Flaw(number: 3) }
                    job()
                }
            }
        }
    }

    @Test func cancellationEndsEndlessChemistry() async throws {
        let beats = Record<Void>()
        let scope = Task { try await withChemicalMachine { _ in Self.heartbeat(beats) } }
        #expect(await Patience.until { beats.count > 10 })
        scope.cancel()
        await #expect(throws: CancellationError.self) { try await Patience.end { try await scope.value } }
    }

    @Test func aTaskThatWasCancelledBeforeEntryEndsEndlessChemistry() async throws {
        let stop = Flag()
        let scope = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await withChemicalMachine { _ in Self.heartbeat(Record(), until: stop) }
        }
        await #expect(throws: CancellationError.self) {
            try await Patience.end { try await scope.value }
        }
        stop.raise()
        _ = await scope.result
    }

    @Test func anErrorEndsDefinitionsThatAreMadeMeanwhile() async throws {
        let stop = Flag()
        let scope = Task {
            try await withChemicalMachine(.silent) { machine in
                Join.define("maker") { join in
                    let go = join.slow("go")
                    let definition = join.definition
                    join.when(go) { _ in
                        #expect(await Patience.until { definition.snapshot().phase == .deactivated })
                        Self.heartbeat(Record(), until: stop)
                    }
                    go()
                }
                #expect(await Patience.until { machine.statistics.running == 1 })
                throw Flaw(number: 1)
            }
        }
        await #expect(throws: Flaw(number: 1)) {
            try await Patience.end { try await scope.value }
        }
        stop.raise()
        _ = await scope.result
    }

    private static func heartbeat(_ beats: Record<Void>, until stop: Flag = Flag()) {
        Join.define("heartbeat") { join in
            let beat = join.slow("beat")
            join.when(beat) { _ in
                await Task.yield()
                beats.append(())
                if !stop.isRaised { beat() }
            }
            beat()
        }
    }

    // MARK: Deadlocks

    @Test func aBodyThatNobodyCanAnswerIsTold() async throws {
        for _ in 0..<300 {
            let codes = Record<CallError.Code?>()
            try await Patience.end {
                try await withChemicalMachine { _ in
                    Small.inBody { codes.append(await Small.codeOf(Small.meeting().call)) }
                }
            }
            #expect(codes.all == [.neverAnswerable])
        }
    }

    @Test(arguments: [false, true])
    func aBodyThatWaitsForABodyThatNobodyCanAnswerIsTold(_ isTimed: Bool) async throws {
        for _ in 0..<100 {
            let codes = Record<CallError.Code?>()
            try await Patience.end {
                try await withChemicalMachine { _ in
                    let ask = Join.define("asked") { join in
                        let ask = join.fast("ask", returning: Int.self)
                        let never = Small.meeting().call
                        join.answer(ask) { _ async throws in try await never() }
                        return ask
                    }
                    let outer = Join.define("outer") { join in
                        let outer = join.fast("outer", returning: Int.self)
                        join.answer(outer) { _ async throws in
                            if isTimed { try await ask(within: .seconds(600)) } else { try await ask() }
                        }
                        return outer
                    }
                    Small.inBody { codes.append(await Small.codeOf(outer)) }
                }
            }
            #expect(codes.all == [.neverAnswerable])
        }
    }

    @Test func aBodyThatWaitsForABodyThatSleepsIsNotDisturbed() async throws {
        let answers = Record<Int>()
        for _ in 0..<100 {
            try await Patience.end {
                try await withChemicalMachine { _ in
                    let ask = Join.define("asked") { join in
                        let ask = join.fast("ask", returning: Int.self)
                        join.answer(ask) { _ async throws in
                            try await Task.sleep(for: .microseconds(100))
                            return 1
                        }
                        return ask
                    }
                    Small.inBody { answers.append(try await ask()) }
                }
            }
        }
        #expect(answers.all == Array(repeating: 1, count: 100))
    }

    @Test func bodiesThatWaitForEachOtherAreTold() async throws {
        for _ in 0..<300 {
            let codes = Record<CallError.Code?>()
            try await Patience.end {
                try await withChemicalMachine { _ in
                    let (a, b) = (Small.meeting("a"), Small.meeting("b"))
                    Small.inBody {
                        codes.append(await Small.codeOf(a.call))
                        b.partner(1)
                    }
                    Small.inBody {
                        codes.append(await Small.codeOf(b.call))
                        a.partner(1)
                    }
                }
            }
            #expect(codes.all == [.neverAnswerable, .neverAnswerable])
        }
    }

    /// What a body does before it helps another one that waits.
    enum Delay: CaseIterable, Sendable { case none, yields, sleeps, child, call, reaction }

    @Test(arguments: Delay.allCases)
    func aBodyThatWillBeAnsweredIsNotDisturbed(_ delay: Delay) async throws {
        let codes = Record<CallError.Code?>()
        for _ in 0..<100 {
            try await Patience.end {
                try await withChemicalMachine { _ in
                    let (call, partner, _) = Small.meeting()
                    let other = Small.meeting("other")
                    Small.inBody("waits") { codes.append(await Small.codeOf(call)) }
                    switch delay {
                    case .none: Small.inBody { partner(1) }
                    case .yields:
                        Small.inBody {
                            for _ in 0..<20 { await Task.yield() }
                            partner(1)
                        }
                    case .sleeps:
                        Small.inBody {
                            try await Task.sleep(for: .milliseconds(1))
                            partner(1)
                        }
                    case .child:
                        Small.inBody {
                            await withTaskGroup { group in
                                group.addTask { try? await Task.sleep(for: .milliseconds(1)) }
                            }
                            partner(1)
                        }
                    case .call:
                        Small.inBody("second") {
                            _ = try await other.call()
                            partner(1)
                        }
                        Small.inBody("third") {
                            try await Task.sleep(for: .milliseconds(1))
                            other.partner(1)
                        }
                    case .reaction:
                        Join.define("steps") { join in
                            let step = join.slow("step", of: Int.self)
                            join.when(step) { n in if n == 0 { partner(1) } else { step(n - 1) } }
                            step(100)
                        }
                    }
                }
            }
        }
        #expect(codes.count == 100)
        #expect(codes.all.count { $0 != nil } == 0)
    }

    @Test func aWaitDuringTheClosureIsAnOrdinaryWait() async throws {
        let codes = Record<CallError.Code?>()
        try await withChemicalMachine { machine in
            let (call, partner, definition) = Small.meeting()
            Small.inBody { codes.append(await Small.codeOf(call)) }
            #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
            for _ in 0..<100 { await Task.yield() }
            #expect(machine.snapshot().flatMap(\.waitingCalls).map(\.molecule) == ["call"])
            partner(1)
            try await machine.quiescence()
            #expect(codes.all == [nil])
        }
    }

    @Test(.blocksThreads) func aDeadlockIsNoticedWhenACallInTheCallingTaskWasTheLastToEnd() async throws {
        let codes = Record<CallError.Code?>()
        let isInside = Flag()
        let mayEnd = Flag()
        try await Patience.end {
            try await withChemicalMachine { machine in
                let inline = Join.define("inline") { join in
                    let inline = join.fast("call")
                    join.answer(inline) { _ in
                        isInside.raise()
                        mayEnd.block()
                    }
                    return inline
                }
                Small.inBody { codes.append(await Small.codeOf(Small.meeting().call)) }
                #expect(await Patience.until { machine.statistics.waitingCalls == 1 })
                Task.detached { try await inline() }
                #expect(await Patience.until { isInside.isRaised })
                Task.detached {
                    // The scope's closure has returned by then, or else the scope looks later and nothing is tested.
                    try await Task.sleep(for: .milliseconds(100))
                    mayEnd.raise()
                }
            }
        }
        #expect(codes.all == [.neverAnswerable])
    }

    @Test func aTaskThatABodyHasLeftBehindDoesNotCountAsItsBody() async throws {
        // A task started by a task that a body has started may lie where the task of the body, which has ended, lay in
        // memory.
        let codes = Record<CallError.Code?>()
        for _ in 0..<200 {
            try await Patience.end {
                try await withChemicalMachine { machine in
                    let (call, partner, definition) = Small.meeting()
                    let hasEnded = Flag()
                    Small.inBody("leaves a task behind") {
                        Task {
                            _ = await Patience.until { hasEnded.isRaised }
                            for _ in 0..<4 { Task { codes.append(await Small.codeOf(call)) } }
                        }
                    }
                    try await machine.quiescence()
                    Small.inBody("will answer") {
                        _ = await Patience.until { definition.statistics.molecules["call"]?.injected == 4 }
                        for _ in 0..<50 { await Task.yield() }
                        for n in 0..<4 { partner(n) }
                    }
                    hasEnded.raise()
                }
            }
        }
        #expect(await Patience.until { codes.count == 800 })
        #expect(codes.all.count { $0 == .neverAnswerable } == 0)
    }

    /// A body that waits for a call which nobody can answer.
    private func stuck(_ codes: Record<CallError.Code?>, in machine: ChemicalMachine) async {
        let (call, partner, definition) = Small.meeting("stuck")
        Small.inBody("waits") {
            codes.append(await Small.codeOf(call))
            withExtendedLifetime(partner) {}
        }
        #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
    }

    @Test(arguments: [false, true])
    func aPutBackThatMakesNothingPossibleLetsTheScopeEnd(isPaused: Bool) async throws {
        for _ in 0..<20 {
            let codes = Record<CallError.Code?>()
            let handle = Record<Join>()
            let resumer = Task {
                guard isPaused, await Patience.until({ handle.count == 1 }) else { return }
                let definition = handle.all[0]
                // The scope's closure has returned, and the time of the put-back has come.
                for _ in 0..<20 { await Task.yield() }
                try await MachineClock(.shared).sleep(for: .milliseconds(10))
                definition.resume()
            }
            try await Patience.end {
                try await withChemicalMachine(.init(reporter: { _ in })) { machine in
                    await stuck(codes, in: machine)
                    let (ask, job, definition) = Join.define("failing") { join in
                        join.failurePolicy = .putBack(after: .milliseconds(5))
                        let (ask, job) = (join.fast("ask"), join.slow("job"))
                        join.when(ask, job) { _, _ in throw Flaw() }
                        return (ask, job, join.definition)
                    }
                    job()
                    await #expect(throws: Flaw.self) { try await ask() }
                    if isPaused {
                        definition.pause()
                        handle.append(definition)
                    }
                }
            }
            #expect(codes.all == [.neverAnswerable])
            try await resumer.value
        }
    }

    @Test func theEndIsNoticedWhicheverComesLastTheReturnOrTheCall() async throws {
        // Each of the two looks whether the other has happened: one of them has to see it.
        for _ in 0..<heavy(5_000, debug: 1_000) {
            let codes = Record<CallError.Code?>()
            try await Patience.end {
                try await withChemicalMachine { _ in
                    let (call, partner, _) = Small.meeting()
                    Small.inBody {
                        codes.append(await Small.codeOf(call))
                        withExtendedLifetime(partner) {}
                    }
                }
            }
            #expect(codes.all == [.neverAnswerable])
        }
    }
}
