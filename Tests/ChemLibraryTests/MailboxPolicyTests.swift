import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Capacity, priority, questions, statistics.
@Suite("Mailbox policies", .endsInTime)
struct MailboxPolicyTests {
    typealias Log = Mailboxes.Log
    typealias Gate = Mailboxes.Gate
    typealias Broken = Mailboxes.Broken

    private func makeLogging(
        _ capacity: MailboxCapacity,
        seed: Int,
        _ log: Log<Int>,
        _ office: DeadLetters
    ) -> (MailboxActor<Int>, ChemicalMachine) {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
        let options = MailboxOptions(capacity: capacity, deadLetters: office, machine: machine)
        return (MailboxActor(state: 0, options: options) { (_, n: Int, _) in log.add(n) }, machine)
    }

    /// An actor that was started, and is in the handler of its first message, 0, until the gate is opened.
    private func makeStanding(
        _ capacity: MailboxCapacity,
        seed: Int,
        _ log: Log<Int>,
        _ office: DeadLetters
    ) async throws -> (MailboxActor<Int>, Gate, ChemicalMachine) {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
        let options = MailboxOptions(capacity: capacity, deadLetters: office, machine: machine)
        let gate = Gate()
        let actor = MailboxActor(state: 0, options: options) { (_, n: Int) async throws in
            if n == 0 { try? await gate.pass() } else { log.add(n) }
        }.start()
        actor.tell(0)
        try await gate.arrived()
        return (actor, gate, machine)
    }

    @Test func boundedAndSuspendTheSenderParksAtTheEleventh() async throws {
        for seed in 0..<50 {
            let log = Log<Int>()
            let (actor, gate, _) = try await makeStanding(
                .bounded(10, whenFull: .suspend),
                seed: seed,
                log,
                DeadLetters()
            )
            for n in 1...10 { try await actor.send(n) }
            #expect(actor.statistics.depth == 10)
            let parked = Task { try await actor.send(11) }
            while actor.statistics.waitingSenders < 1 { await Task.yield() }
            #expect(actor.tell(12) == false)
            gate.open()
            try await parked.value
            #expect(try await log.first(11) == Array(1...11), "seed \(seed)")
            #expect(actor.statistics.dropped == 1)
        }
    }

    @Test func boundedAndSuspendACancelledSenderIsWithdrawn() async throws {
        let log = Log<Int>()
        let (actor, gate, _) = try await makeStanding(.bounded(1, whenFull: .suspend), seed: 1, log, DeadLetters())
        try await actor.send(1)
        let parked = Task { try await actor.send(2) }
        while actor.statistics.waitingSenders < 1 { await Task.yield() }
        parked.cancel()
        guard case .failure(let error) = await parked.result else { throw Broken() }
        #expect(error is CancellationError)
        #expect(await Mailboxes.code { try await actor.send(3, within: .milliseconds(1)) } == .timedOut)
        gate.open()
        try await actor.send(4)
        #expect(try await log.first(2) == [1, 4])
    }

    @Test func boundedAndSuspendASenderThatWaitsIsReleasedWhenTheActorEnds() async throws {
        let office = DeadLetters()
        let (actor, gate, machine) = try await makeStanding(
            .bounded(1, whenFull: .suspend),
            seed: 1,
            Log<Int>(),
            office
        )
        try await actor.send(1)
        let parked = (2...4).map { n in Task { try await actor.send(n) } }
        while actor.statistics.waitingSenders < 3 { await Task.yield() }
        actor.cancel()
        gate.open()
        for task in parked { _ = await task.result }
        #expect(await Mailboxes.code { try await actor.send(5) } == .terminated)
        try await machine.quiescence()
        #expect(office.count == 5)
    }

    @Test func boundedAndDropNewestKeepsTheFirstTen() async throws {
        for seed in 0..<50 {
            let log = Log<Int>()
            let office = DeadLetters()
            let (actor, _) = makeLogging(.bounded(10, whenFull: .dropNewest), seed: seed, log, office)
            for n in 1...20 { #expect(actor.tell(n) == (n <= 10)) }
            for n in 21...25 { try await actor.send(n) }  // dropped without a word, as the policy says
            actor.start()
            actor.stop(.drain)
            try await actor.termination()
            #expect(try await log.all() == Array(1...10), "seed \(seed)")
            #expect(office.count == 15)
            #expect(actor.statistics.dropped == 15)
        }
    }

    @Test func boundedAndDropOldestKeepsTheLastTen() async throws {
        for seed in 0..<50 {
            let log = Log<Int>()
            let office = DeadLetters()
            let (actor, machine) = makeLogging(.bounded(10, whenFull: .dropOldest), seed: seed, log, office)
            for n in 1...25 { actor.tell(n) }
            try await machine.quiescence()
            #expect(actor.statistics.depth == 10)
            actor.start()
            actor.stop(.drain)
            try await actor.termination()
            #expect(try await log.all() == Array(16...25), "seed \(seed)")
            #expect(office.count == 15)
        }
    }

    @Test func boundedAndDropOldestDropsAlsoWhileTheHandlerIsSuspended() async throws {
        for seed in 0..<50 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let log = Log<Int>()
            let gate = Gate()
            let options = MailboxOptions(capacity: .bounded(2, whenFull: .dropOldest), machine: machine)
            let actor = MailboxActor(state: 0, options: options) { (_, n: Int, _) async throws in
                try await gate.pass()
                log.add(n)
            }.start()
            actor.tell(0)
            try await gate.arrived()
            for n in 1...5 { actor.tell(n) }
            while actor.statistics.dropped < 3 { await Task.yield() }
            for _ in 0..<3 { gate.open() }
            #expect(try await log.first(3) == [0, 4, 5], "seed \(seed)")
        }
    }

    @Test func boundedAndFailTellsTheSender() async throws {
        let log = Log<Int>()
        let (actor, _) = makeLogging(.bounded(10, whenFull: .fail), seed: 1, log, DeadLetters())
        for n in 1...10 { try await actor.send(n) }
        #expect(await Mailboxes.code { try await actor.send(11) } == .full)
        #expect(actor.tell(12) == false)
        actor.start()
        #expect(try await log.first(10) == Array(1...10))
    }

    @Test func urgentMessagesComeFirstInTheirOrder() async throws {
        for seed in 0..<100 {
            let log = Log<Int>()
            let (actor, _) = makeLogging(.unbounded, seed: seed, log, DeadLetters())
            for n in 0..<10 { actor.tell(n) }
            for n in 100..<105 { actor.tell(n, priority: .urgent) }
            actor.start()
            #expect(try await log.first(15) == Array(100..<105) + Array(0..<10), "seed \(seed)")
        }
    }

    @Test func urgentMessagesOvertakeThoseThatWaitBehindASuspendedHandler() async throws {
        for seed in 0..<50 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let log = Log<Int>()
            let gate = Gate()
            let actor = MailboxActor(state: 0, options: MailboxOptions(machine: machine)) {
                (_, n: Int, _) async throws in
                if n == 0 { try await gate.pass() }
                log.add(n)
            }.start()
            for n in 0..<5 { actor.tell(n) }
            try await gate.arrived()
            actor.tell(100, priority: .urgent)
            actor.tell(101, priority: .urgent)
            gate.open()
            #expect(try await log.first(7) == [0, 100, 101, 1, 2, 3, 4], "seed \(seed)")
        }
    }

    @Test func stopAndDrainHandlesEverythingAndNothingMore() async throws {
        for seed in 0..<50 {
            let log = Log<Int>()
            let office = DeadLetters()
            let (actor, machine) = makeLogging(.unbounded, seed: seed, log, office)
            for n in 0..<100 { actor.tell(n) }
            actor.stop(.drain)
            #expect(actor.tell(100) == false)
            actor.start()
            #expect(try await actor.termination().word == "stopped")
            #expect(try await log.all() == Array(0..<100), "seed \(seed)")
            try await machine.quiescence()
            #expect(office.count == 1)
        }
    }

    @Test func stopAndDrainWaitsForRoomInAFullMailbox() async throws {
        for seed in 0..<50 {
            let log = Log<Int>()
            let (actor, gate, _) = try await makeStanding(
                .bounded(3, whenFull: .suspend),
                seed: seed,
                log,
                DeadLetters()
            )
            for n in 1...3 { try await actor.send(n) }
            let parked = Task { try await actor.send(4) }
            while actor.statistics.waitingSenders < 1 { await Task.yield() }
            actor.stop(.drain)
            gate.open()
            try await actor.termination()
            try await parked.value
            #expect(try await log.all() == Array(1...4), "seed \(seed)")
        }
    }

    @Test func stopNowHandlesOnlyTheCurrentMessage() async throws {
        let gate = Gate()
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (_, n: Int, _) async in
            try? await gate.pass()
            log.add(n)
        }.start()
        for n in 0..<10 { actor.tell(n) }
        try await gate.arrived()
        actor.stop(.now)
        gate.open()
        #expect(try await actor.termination().word == "stopped")
        #expect(try await log.all() == [0])
    }

    @Test func aHandlerStopsItsActor() async throws {
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (_, n: Int, context) in
            log.add(n)
            if n == 2 { context.stop() }
        }
        for n in 0..<5 { actor.tell(n) }
        actor.start()
        #expect(try await actor.termination().word == "stopped")
        #expect(try await log.all() == [0, 1, 2])
    }

    @Test func urgentMessagesOfSeveralSendersKeepTheOrderOfEachWith100Seeds() async throws {
        for seed in 0..<100 {
            let log = Log<Int>()
            let (actor, _) = makeLogging(.unbounded, seed: seed, log, DeadLetters())
            actor.start()
            await withDiscardingTaskGroup { group in
                for sender in 0..<4 {
                    group.addTask {
                        for n in 0..<10 {
                            actor.tell(sender * 100 + n, priority: .urgent)
                            actor.tell(sender * 100 + 50 + n)
                        }
                    }
                }
            }
            let handled = try await log.first(80)
            for sender in 0..<4 {
                let mine = handled.filter { $0 / 100 == sender }.map { $0 % 100 }
                #expect(mine.filter { $0 < 50 } == Array(0..<10), "seed \(seed)")
                #expect(mine.filter { $0 >= 50 } == Array(50..<60), "seed \(seed)")
            }
        }
    }

    @Test func aMailboxWithoutRoomIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MailboxCapacity.bounded(0, whenFull: .suspend)
        }
        expectMessage(result, "a bounded mailbox needs a capacity of at least 1, not 0", "MailboxPolicyTests.swift")
    }

    // MARK: Questions

    enum Question: Sendable {
        case now(ReplyTo<Int>)
        case later(ReplyTo<Int>)
        case never(ReplyTo<Int>)
        case badly(ReplyTo<Int>)
        case answer(Int)
        case hasKept(ReplyTo<Bool>)
        case isAbandoned(ReplyTo<Bool>)
    }

    private func makeOracle() -> MailboxActor<Question> {
        MailboxActor(state: ReplyTo<Int>?.none) { (kept, question: Question, _) in
            switch question {
            case .now(let reply): reply(1)
            case .later(let reply): kept = reply
            case .never: break
            case .badly(let reply): reply.fail(Broken(number: 7))
            case .answer(let n):
                kept?(n)
                kept = nil
            case .hasKept(let reply): reply(kept != nil)
            case .isAbandoned(let reply): reply(kept?.isAbandoned ?? false)
            }
        }
    }

    @Test func aQuestionIsAnsweredAtOnceOrLaterOrBadlyOrNotAtAll() async throws {
        for _ in 0..<100 {
            let actor = makeOracle().start()
            #expect(try await actor.ask(Question.now) == 1)
            async let later = actor.ask(Question.later)
            let answering = Task {
                while !Task.isCancelled {
                    actor.tell(.answer(2))
                    await Task.yield()
                }
            }
            #expect(try await later == 2)
            answering.cancel()
            await #expect(throws: Broken(number: 7)) { try await actor.ask(Question.badly) }
            #expect(await Mailboxes.code { try await actor.ask(Question.never) } == .unanswered)
        }
    }

    @Test func aQuestionWhoseTimeIsUpLeavesNothingBehind() async throws {
        let actor = makeOracle().start()
        #expect(await Mailboxes.code { try await actor.ask(within: .milliseconds(1), Question.later) } == .timedOut)
        #expect(try await actor.ask(Question.isAbandoned))
        actor.tell(.answer(3))  // nobody waits: ignored
        #expect(try await actor.ask(Question.now) == 1)
        #expect(actor.statistics.waitingAskers == 0)
    }

    @Test func aQuestionMayWaitForATimeThatNoClockCanTell() async throws {
        let actor = makeOracle().start()
        let asker = Task { try await actor.ask(within: .seconds(Int64.max), Question.later) }
        while try await !actor.ask(Question.hasKept) { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        actor.tell(.answer(1))
        #expect(try await asker.value == 1)
    }

    @Test func whoAsksAnActorThatWasNotStartedHearsSoAndDoesNotWait() async throws {
        let actor = makeOracle()
        #expect(await Mailboxes.code { try await actor.ask(Question.now) } == .notStarted)
        #expect(await Mailboxes.code { try await actor.ask(within: .seconds(600), Question.now) } == .notStarted)
        #expect(actor.statistics.waitingAskers == 0)
        #expect(actor.statistics.depth == 0)  // nothing was sent
        actor.start()
        #expect(try await actor.ask(Question.now) == 1)
    }

    @Test func whoWouldWaitForRoomInAnActorThatWasNotStartedHearsSo() async throws {
        let log = Log<Int>()
        let (actor, _) = makeLogging(.bounded(2, whenFull: .suspend), seed: 1, log, DeadLetters())
        for n in 1...2 { try await actor.send(n) }
        #expect(await Mailboxes.code { try await actor.send(3) } == .notStarted)
        #expect(await Mailboxes.code { try await actor.send(3, within: .seconds(600)) } == .notStarted)
        actor.start()
        try await actor.send(4)
        #expect(try await log.first(3) == [1, 2, 4])
    }

    @Test func anErrorSaysWhichActorAndWhy() async throws {
        let (actor, line) = (
            MailboxActor(state: 0, options: MailboxOptions(name: "A")) { (_, reply: ReplyTo<Int>) in }, #line
        )
        let subject = "The actor 'A' (\(#fileID):\(line))"
        do {
            _ = try await actor.ask { $0 }
            Issue.record("it was answered")
        } catch let error as MailboxError {
            #expect(error.code.description == "notStarted")
            #expect(error.actor == "\(actor)")
            #expect("\(error)" == "\(subject) was not started: call 'start()' before waiting for it.")
        }
        actor.start()
        do {
            _ = try await actor.ask { $0 }
            Issue.record("it was answered")
        } catch let error as MailboxError {
            #expect("\(error)" == "\(subject) has let go of the question without answering it.")
        }
    }

    @Test func aHandlerThatWaitsForItsOwnActorHearsSo() async throws {
        let results = Log<MailboxError.Code?>()
        let options = MailboxOptions(capacity: .bounded(1, whenFull: .suspend))
        let actor = MailboxActor(state: 0, options: options) { (_, question: ReplyTo<Int>?, context) async throws in
            let me = context.actor
            guard let question else { return }
            results.add(await Mailboxes.code { _ = try await me.ask { $0 } })
            results.add(await Mailboxes.code { _ = try await me.ask(within: .seconds(600)) { $0 } })
            me.tell(nil)  // the mailbox is full now
            results.add(await Mailboxes.code { try await me.send(nil) })
            question(5)
        }.start()
        #expect(try await actor.ask { $0 } == 5)
        #expect(try await results.all() == [.deadlock, .deadlock, .deadlock])
        // Nothing was sent, and other tasks may ask as before.
        #expect(try await actor.ask { $0 } == 5)
        // One that is ending says that it is.
        let end = Log<MailboxError.Code?>()
        let last = MailboxActor(state: 0) { (_, _: ReplyTo<Int>?, context) async throws in
            context.actor.stop(.drain)
            end.add(await Mailboxes.code { _ = try await context.actor.ask { $0 } })
        }.start()
        last.tell(nil)
        try await last.termination()
        #expect(try await end.all() == [.terminated])
    }

    @Test func aHandlerThatThrowsIsReported() async throws {
        struct Crash: Error {}
        let events = Log<String>()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { event in if event.isMishap { events.add("\(event)") } })
        )
        let options = MailboxOptions(name: "A", restarts: RestartLimit(1, within: .seconds(600)), machine: machine)
        let (now, line) = (MailboxActor(state: 0, options: options) { (_, _: Int) in throw Crash() }, #line)
        // Before it starts, so that the third is still there when it ends.
        for n in 1...3 { now.tell(n) }
        try await now.start().termination()
        let sentence = "A: the reaction handler (\(#fileID):\(line)) threw: Crash()"
        let end =
            "A (\(#fileID):\(line)) has failed once more, and may be restarted 1 time within 600.0 seconds, so "
            + "it has ended, and a message that it hadn't handled is lost"
        #expect(try await events.first(3).sorted() == [end, sentence, sentence])
        let late = MailboxActor(state: 0, options: options) { (_, _: Int) async throws in throw Crash() }.start()
        for n in 1...3 { late.tell(n) }
        try await late.termination()
        #expect(try await events.all().count == 6)
    }

    @Test func messagesOfAnActorThatNobodyCanStartAreDeadLetters() async throws {
        for capacity: MailboxCapacity in [
            .unbounded, .bounded(3, whenFull: .suspend), .bounded(3, whenFull: .dropOldest),
        ] {
            let lost = Log<DeadLetter.Reason>()
            let mishaps = Log<String>()
            let machine = ChemicalMachine(.init(reporter: { if $0.isMishap { mishaps.add("\($0)") } }))
            let options = MailboxOptions(
                name: "A",
                capacity: capacity,
                deadLetters: DeadLetters { lost.add($0.reason) },
                machine: machine
            )
            let line = #line + 2
            func tell(_ start: Bool) async throws -> MailboxActor<Int> {
                let actor = MailboxActor(state: 0, options: options) { (sum, n: Int) in sum += n }
                for n in 1...3 { actor.tell(n) }
                // Where the oldest is dropped, a reaction moves each.
                try await machine.quiescence()
                return start ? actor.start() : actor
            }
            _ = try await tell(false)
            #expect(try await lost.all() == [.notStarted, .notStarted, .notStarted])
            let sentence = "A (\(#fileID):\(line)) was never started, so 3 messages are lost: call start()"
            #expect(try await mishaps.all() == [sentence])
            let started = try await tell(true)
            started.stop(.drain)
            try await started.termination()
            #expect(try await lost.all().count == 3)
        }
    }

    @Test func aCancelledAskerIsGone() async throws {
        for _ in 0..<100 {
            let actor = makeOracle().start()
            let asker = Task { try await actor.ask(Question.later) }
            await Task.yield()
            asker.cancel()
            guard case .failure(let error) = await asker.result else { throw Broken() }
            #expect(error is CancellationError)
        }
    }

    @Test func anAskerOfAnActorThatEndsHearsOfIt() async throws {
        for seed in 0..<100 {
            let actor = makeOracle().start()
            let askers = (0..<5).map { _ in Task { try await actor.ask(Question.later) } }
            for _ in 0..<seed % 5 { await Task.yield() }
            actor.cancel()
            for asker in askers {
                // One question replaces the other, which isn't answered then.
                guard case .failure(let error as MailboxError) = await asker.result else { throw Broken(number: seed) }
                #expect([.terminated, .unanswered].contains(error.code), "seed \(seed)")
            }
            #expect(await Mailboxes.code { try await actor.ask(Question.now) } == .terminated)
            let new = makeOracle()
            new.cancel()
            #expect(await Mailboxes.code { try await new.ask(Question.now) } == .terminated)
        }
    }

    @Test func aQuestionThatWasKeptWhenItsActorEndsFails() async throws {
        let actor = makeOracle().start()
        let asker = Task { try await actor.ask(Question.later) }
        while try await !actor.ask(Question.hasKept) { await Task.yield() }
        actor.cancel()
        guard case .failure(let error) = await asker.result else { throw Broken() }
        #expect((error as? MailboxError)?.code == .terminated)
    }

    /// An actor with room for one question, which is in the handler of another one until the gate is opened.
    private func makeBusy(
        whenFull overflow: MailboxCapacity.Overflow,
        seed: Int
    ) async throws -> (MailboxActor<ReplyTo<Int>>, Gate, first: Task<Int, any Error>, ChemicalMachine) {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
        let options = MailboxOptions(capacity: .bounded(1, whenFull: overflow), machine: machine)
        let gate = Gate()
        let actor = MailboxActor(state: 0, options: options) { (_, reply: ReplyTo<Int>) async throws in
            try await gate.pass()
            reply(1)
        }.start()
        let first = Task { try await actor.ask { $0 } }
        try await gate.arrived()
        return (actor, gate, first, machine)
    }

    @Test func aQuestionForWhichThereIsNoRoomFails() async throws {
        for overflow in [MailboxCapacity.Overflow.fail, .dropNewest] {
            let (actor, gate, first, _) = try await makeBusy(whenFull: overflow, seed: 1)
            let second = Task { try await actor.ask { $0 } }
            while actor.statistics.depth < 1 { await Task.yield() }
            #expect(await Mailboxes.code { try await actor.ask { $0 } } == .full)
            for _ in 0..<2 { gate.open() }
            #expect(try await first.value == 1)
            #expect(try await second.value == 1)
        }
    }

    @Test func whenItsMachineIsDeactivatedNobodyIsLeftWaiting() async throws {
        for seed in 0..<50 {
            let (actor, gate, first, machine) = try await makeBusy(whenFull: .suspend, seed: seed)
            // One question is with the handler, one lies in the mailbox, another waits for room, and somebody waits for
            // the end.
            let asker = Task { try await actor.ask { $0 } }
            while actor.statistics.depth < 1 { await Task.yield() }
            let parked = Task { try await actor.ask { $0 } }
            while actor.statistics.waitingSenders < 1 { await Task.yield() }
            let watcher = Task { try await actor.termination() }
            for _ in 0..<seed % 5 { await Task.yield() }
            machine.deactivate()
            gate.open()
            _ = await first.result  // its handler may have answered
            for result in [await asker.result, await parked.result] {
                guard case .failure(let error) = result else { throw Broken(number: seed) }
                #expect(error is MailboxError || error is CallError, "seed \(seed)")
            }
            guard case .failure(let error as CallError) = await watcher.result else { throw Broken(number: seed) }
            #expect(error.code == .deactivated, "seed \(seed)")
            #expect(actor.statistics.waitingAskers == 0, "seed \(seed)")
        }
    }

    // MARK: Watching

    @Test func everythingThatAnActorDoesIsTraced() async throws {
        let log = Log<String>()
        let actor = MailboxActor(
            state: 0,
            options: MailboxOptions(name: "A") { event in
                log.add("\(event.kind)")
            }
        ) { (_, n: Int, _) in
            if n == 1 { throw Broken() }
        }
        for n in 0..<3 { actor.tell(n) }
        actor.start()
        actor.stop(.drain)
        actor.tell(3)
        try await actor.termination()
        let words = try await log.first(10).map { String($0.prefix { $0 != "(" }) }
        #expect(words.count == 10)
        #expect(words.count { $0 == "deadLetter" } == 1)
        #expect(
            words.filter { $0 != "deadLetter" } == [
                "started", "received", "handled", "received", "failed", "restarted", "received", "handled",
                "terminated",
            ]
        )
    }
}
