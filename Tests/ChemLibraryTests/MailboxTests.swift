import ChemActors
import ChemLibrary
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// What ADBActors promises, statement by statement.
@Suite("Mailbox actor", .endsInTime)
struct MailboxTests {
    typealias Log = Mailboxes.Log
    typealias Gate = Mailboxes.Gate
    typealias Broken = Mailboxes.Broken

    enum Sum: Sendable {
        case add(Int)
        case total(ReplyTo<Int>)
    }

    static func makeSum(_ options: MailboxOptions = MailboxOptions()) -> MailboxActor<Sum> {
        MailboxActor(state: 0, options: options) { (sum, message: Sum, _) in
            switch message {
            case .add(let n): sum += n
            case .total(let reply): reply(sum)
            }
        }
    }

    @Test func aToldMessageIsHandledAndAQuestionAnswered() async throws {
        let actor = Self.makeSum().start()
        for n in 1...100 { actor.tell(.add(n)) }
        #expect(try await actor.ask(Sum.total) == 5050)
    }

    @Test func a1And15TenThousandActorsAreAliveAndHaveTenThousandNames() async throws {
        let log = Log<Int>()
        let actors = (0..<10_000).map { _ in
            MailboxActor(state: 0) { (_, n: Int, _) in log.add(n) }.start()
        }
        #expect(Set(actors.map(\.uuid)).count == 10_000)
        #expect(Set(actors).count == 10_000)
        for (n, actor) in actors.enumerated() { actor.tell(n) }
        #expect(try await Set(log.first(10_000)).count == 10_000)
    }

    /// Two threads, and no more.
    private final class TwoThreads: TaskExecutor {
        private let queues = [DispatchQueue(label: "one"), DispatchQueue(label: "two")]
        private let jobs = Atomic<Int>(0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let number = jobs.add(1, ordering: .relaxed).newValue
            queues[number % 2].async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func a15TenThousandActorsLiveOnTwoThreadsAlsoWhileTheirHandlersAreSuspended() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(executor: TwoThreads()))
        let (inside, done) = (Log<Int>(), Log<Int>())
        let door = Latch(count: 1)
        let actors = (0..<10_000).map { number in
            MailboxActor(state: 0, options: MailboxOptions(machine: machine)) { (_, n: Int, _) async throws in
                inside.add(n)
                try await door.wait()
                done.add(n)
            }.start()
        }
        for (n, actor) in actors.enumerated() { actor.tell(n) }
        #expect(try await Set(inside.first(10_000)).count == 10_000)
        #expect(try await done.all().isEmpty)
        door.countDown()
        #expect(try await Set(done.first(10_000)).count == 10_000)
    }

    @Test func a1TheNameOfAnActorStaysTheSame() async throws {
        let actor = MailboxActor(state: 0) { (_, reply: ReplyTo<String>, context) in
            reply("\(context.uuid) \(context.description) \(context.actor.uuid)")
        }.start()
        let uuid = actor.uuid
        #expect(try await actor.ask { $0 } == "\(uuid) \(actor) \(uuid)")
        #expect(actor.uuid == uuid)
    }

    @Test func a2TheDescriptionIsClassAddressAndName() throws {
        let actor = MailboxActor(Passing())
        let parts = "\(actor)".split(separator: " ")
        #expect(parts.count == 3)
        #expect(parts[0] == "Passing")
        #expect(parts[1].hasPrefix("0x"))
        #expect(parts[2] == actor.uuid.uuidString)
        let named = MailboxActor(state: 0, options: MailboxOptions(name: "A")) { (_, _: Int, _) in }
        #expect("\(named)".hasPrefix("A 0x"))
    }

    /// A behavior with a state of its own, in place of a subclass.
    struct Passing: MailboxBehavior {
        enum Message: Sendable {
            case next(WeakMailboxActor<Message>)
            case passItOn(Letter)
        }
        struct Letter: Sendable {
            var text: String
            var log: Log<String>
        }
        var next: WeakMailboxActor<Message>?
        var passed = 0

        mutating func receive(_ message: sending Message, in context: MailboxContext<Passing, Message>) async throws {
            switch message {
            case .next(let actor): next = actor
            case .passItOn(let letter):
                passed += 1
                letter.log.add("\(passed) \(letter.text)")
                next?.tell(.passItOn(letter))
            }
        }
    }

    @Test func a3AndA4ATypeOfItsOwnHasHandlersAndMessagesWithFields() async throws {
        let log = Log<String>()
        let actor = MailboxActor(Passing()).start()
        actor.tell(.passItOn(Passing.Letter(text: "a", log: log)))
        actor.tell(.passItOn(Passing.Letter(text: "b", log: log)))
        #expect(try await log.first(2) == ["1 a", "2 b"])
    }

    @Test func a5TellingNeverWaitsAlsoWhileTheHandlerDoes() async throws {
        let gate = Gate()
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (_, n: Int, _) async throws in
            try await gate.pass()
            log.add(n)
        }.start()
        func tellAll() { for n in 0..<1000 { actor.tell(n) } }  // synchronous: it can't wait
        tellAll()
        #expect(try await log.all().isEmpty)
        for _ in 0..<1000 { gate.open() }
        #expect(try await log.first(1000) == Array(0..<1000))
    }

    @Test func a6WhatTheSenderChangesLaterIsInvisible() async throws {
        let log = Log<[Int]>()
        let actor = MailboxActor(state: 0) { (_, numbers: [Int], _) in log.add(numbers) }
        var numbers = [1]
        actor.tell(numbers)
        numbers.append(2)
        actor.tell(numbers)
        actor.start()
        #expect(try await log.first(2) == [[1], [1, 2]])
    }

    /// A message that is no `Sendable`: it has to be sent away.
    final class Draft {
        var text = ""
        var reply: ReplyTo<String>?
    }

    @Test func a6AMessageThatIsNotSendableIsSentAway() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: 0) { (_, draft: sending Draft, _) in log.add(draft.text + "!") }.start()
        let draft = Draft()
        draft.text = "hello"
        actor.tell(draft)  // using `draft` below this line doesn't compile
        #expect(try await log.first(1) == ["hello!"])
    }

    @Test func a6AHandlerMaySendOnAMessageThatIsNotSendable() async throws {
        let log = Log<String>()
        let last = MailboxActor(state: 0) { (_, draft: sending Draft, _) in log.add(draft.text) }.start()
        let first = MailboxActor(state: 0) { (_, draft: sending Draft, _) in
            draft.text += "!"
            last.tell(draft)
        }.start()
        let draft = Draft()
        draft.text = "hello"
        first.tell(draft)
        #expect(try await log.first(1) == ["hello!"])
    }

    class Base: @unchecked Sendable {}
    final class Derived: Base, @unchecked Sendable {}

    @Test func a7AnUnknownMessageIsADeadLetterAndTheActorGoesOn() async throws {
        let lost = Log<String>()
        let log = Log<String>()
        let office = DeadLetters { lost.add("\($0.reason) \($0.message)") }
        let actor = MailboxActor(state: 0, options: MailboxOptions(deadLetters: office)) { on in
            on.message(Derived.self) { _, _, _ in log.add("derived") }
            on.message(Base.self) { _, _, _ in log.add("base") }
            on.message(String.self) { _, text, _ in log.add(text) }
        }.start()
        actor.tell("one")
        actor.tell(2)
        actor.tell(Derived())
        actor.tell(Base())
        actor.tell(3.5)
        actor.tell("six")
        #expect(try await log.first(4) == ["one", "derived", "base", "six"])
        #expect(try await lost.first(2) == ["unknown 2", "unknown 3.5"])
        #expect(office.count == 2)
        actor.stop(.drain)
        try await actor.termination()
        #expect(actor.statistics.unknown == 2)
        #expect(actor.statistics.processed == 4)
    }
}
