import ChemActors
import ChemLibrary
import ChemTesting
import TestSupport
import Testing

@testable import Exploring

/// A mailbox actor waits by the clock of its run, and what it reports counts as what any body reports.
@Suite("Mailbox actors in explored tests", .endsInTime)
struct MailboxTimeTests {
    private struct Broken: Error {}

    @Test("A question with a limit times out in virtual time, while its handler waits", .explored(.random(50)))
    func handlerWaits() async throws {
        let actor = MailboxActor(state: 0) { (_, reply: ReplyTo<Int>, _) in
            try await MachineClock().sleep(for: .seconds(100))
            reply(1)
        }.start()
        let clock = MachineClock()
        let start = clock.now
        let error = await #expect(throws: MailboxError.self) { _ = try await actor.ask(within: .seconds(5)) { $0 } }
        #expect(error?.code == .timedOut)
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test("So does one that waits behind another", .explored(.random(50)))
    func waitsBehindAnother() async throws {
        let actor = MailboxActor(state: 0) { (_, reply: ReplyTo<Int>, _) in
            try await MachineClock().sleep(for: .seconds(100))
            reply(1)
        }.start()
        async let first = actor.ask { $0 }
        let error = await #expect(throws: MailboxError.self) { _ = try await actor.ask(within: .seconds(5)) { $0 } }
        #expect(error?.code == .timedOut)
        #expect(try await first == 1)
    }

    @Test("So does one whose reply is kept", .explored(.random(50)))
    func replyIsKept() async throws {
        let actor = MailboxActor(state: [ReplyTo<Int>]()) { (kept, reply: ReplyTo<Int>, _) in kept.append(reply) }
            .start()
        let error = await #expect(throws: MailboxError.self) { _ = try await actor.ask(within: .seconds(5)) { $0 } }
        #expect(error?.code == .timedOut)
    }

    @Test(
        "An actor that fails once an hour is restarted each time, whatever the real time",
        .explored(.once, allowing: .mishaps)
    )
    func restartsInVirtualTime() async throws {
        let actor = MailboxActor(state: 0) { (_, _: Int, _) in throw Broken() }.start()
        for number in 0..<6 {
            #expect(actor.tell(number))
            try await MachineClock().sleep(for: .seconds(3600))
        }
        #expect(actor.statistics.restarts == 6)
        actor.stop(.drain)
        try await actor.termination()
    }

    @Test("An error that a handler throws fails the run")
    func errorOfHandler() async throws {
        let outcome = try await Exploration(.once) { _ in
            let actor = MailboxActor(state: 0) { (_, _: Int, _) in throw Broken() }.start()
            actor.tell(1)
            actor.stop(.drain)
            try await actor.termination()
        }.outcome()
        let failure = "\(try #require(outcome.failed?.failure))"
        #expect(failure.contains("handler") && failure.contains("Broken()"), "\(failure)")
    }
}
