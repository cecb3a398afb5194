import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What an idle actor costs, and how actors end.
extension MailboxTests {
    @Test func a11AnIdleActorRunsNothing() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: 1))
        let actor = Self.makeSum(MailboxOptions(machine: machine)).start()
        actor.tell(.add(1))
        #expect(try await actor.ask(Sum.total) == 1)
        try await machine.quiescence()  // nothing runs, nothing is possible
        #expect(machine.statistics.running == 0)
        _ = actor
    }

    @Test func a12CancellingAnIdleActorCompletesAtOnce() async throws {
        let actor = Self.makeSum().start()
        #expect(try await actor.ask(Sum.total) == 0)
        actor.cancel()
        #expect(try await actor.termination().word == "cancelled")
        #expect(actor.isTerminating)
    }

    @Test func a12CancellingAnIdleActorNeedsNoFurtherMessageToEndIt() async throws {
        for seed in 0..<50 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let log = Log<String>()
            let actor = Self.makeSum(MailboxOptions(machine: machine)).start()
            actor.watch { log.add($0.word) }
            #expect(try await actor.ask(Sum.total) == 0)
            try await machine.quiescence()
            actor.cancel()
            // Nothing else happens to the actor, and when all is quiet it has ended.
            try await machine.quiescence()
            #expect(try await log.all() == ["cancelled"], "seed \(seed)")
        }
    }

    @Test func a12CancellingAnActorThatWasNotStartedCompletesToo() async throws {
        let actor = Self.makeSum()
        for _ in 0..<3 { actor.tell(.add(1)) }
        actor.cancel()
        actor.start()
        #expect(try await actor.termination().word == "cancelled")
        try await drained(actor)
        try await eventually { actor.statistics.dropped == 3 }
        #expect(actor.statistics.processed == 0)
    }

    @Test func a12CancellingStopsAfterTheCurrentMessageAndCountsTheRest() async throws {
        for seed in 0..<50 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let gate = Gate()
            let log = Log<Int>()
            let office = DeadLetters()
            let options = MailboxOptions(deadLetters: office, machine: machine)
            let actor = MailboxActor(state: 0, options: options) { (_, n: Int, _) async in
                try? await gate.pass()
                log.add(n)
            }.start()
            for n in 0..<10 { actor.tell(n) }
            try await gate.arrived()
            actor.cancel()
            gate.open()
            #expect(try await actor.termination().word == "cancelled", "seed \(seed)")
            #expect(actor.tell(11) == false)
            try await drained(actor)
            #expect(try await log.all() == [0], "seed \(seed)")
            // The last one has left the mailbox, and is counted next.
            try await eventually { office.count == 10 && actor.statistics.dropped == 10 }
        }
    }

    @Test func a12CancellingCancelsTheTaskOfAHandlerThatSuspends() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: 0) { (_, _: Int, context) async throws in
            log.add("begun")
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                log.add("\(type(of: error)) \(context.isCancelled) \(Task.isCancelled)")
            }
        }.start()
        actor.tell(1)
        _ = try await log.first(1)
        actor.cancel()
        try await actor.termination()
        #expect(try await log.all() == ["begun", "CancellationError true true"])
    }

    @Test func a12CancelIsNotStarvedByAFloodOfUrgentMessages() async throws {
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (count, n: Int, context) in
            count += 1
            if count == 1 { log.add(n) }
            context.actor.tell(n, priority: .urgent)  // never runs dry
            context.actor.tell(n)
        }.start()
        actor.tell(1)
        _ = try await log.first(1)
        actor.cancel()
        #expect(try await actor.termination().word == "cancelled")
    }
}
