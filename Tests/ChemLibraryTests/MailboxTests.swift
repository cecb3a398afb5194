import ChemActors
import ChemLibrary
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the tests of mailbox actors share.
enum Mailboxes {
    /// The error that `body` throws.
    static func error(_ body: () async throws -> Void) async -> (any Error)? {
        do { try await body() } catch { return error }
        return nil
    }

    /// Collects what happens, from any thread. A definition, so that ThreadSanitizer understands it.
    struct Log<Element: Sendable>: Sendable {
        let add: SlowMolecule<Element>
        private let read: FastMolecule<Void, [Element]>
        private let definition: Join
        private let reached: FastMolecule<Int, [Element]>

        init() {
            (add, read, reached, definition) = Join.define("log") { join in
                let elements = join.state("elements", [Element]())
                let waiting = join.state("waiting", [Reply<Int, [Element]>]())
                let add = join.slow("add", of: Element.self, order: .oldestFirst)
                let read = join.fast("read", returning: [Element].self)
                let reached = join.fast("reached", of: Int.self, returning: [Element].self)
                join.when(add, updating: elements, waiting) { elements, waiting, element in
                    elements.append(element)
                    for reply in waiting where reply.value <= elements.count { reply(elements) }
                    waiting.removeAll { $0.value <= elements.count }
                }
                join.answer(read, reading: elements) { elements, _ in elements }
                join.when(reached, updating: elements, waiting) { elements, waiting, reply in
                    if reply.value <= elements.count { reply(elements) } else { waiting.append(reply) }
                }
                return (add, read, reached, join.definition)
            }
        }

        /// What has been added up to now.
        func all() async throws -> [Element] {
            try await definition.quiescence()
            return try await read()
        }

        /// Waits until there are at least `count` elements.
        func first(_ count: Int) async throws -> [Element] { try await reached(count) }
    }

    /// A door that handlers wait at, suspended.
    struct Gate: Sendable {
        let open: SlowMolecule<Void>
        let pass: FastMolecule<Void, Void>
        let arrived: FastMolecule<Void, Void>

        init() {
            (open, pass, arrived) = Join.define("gate") { join in
                let open = join.slow("open")
                let pass = join.fast("pass", order: .oldestFirst)
                let here = join.slow("here")
                let waiting = join.slow("waiting", of: Reply<Void, Void>.self, order: .oldestFirst)
                let arrived = join.fast("arrived")
                join.when(pass) { reply in
                    here()
                    waiting(reply)
                }
                join.when(waiting, open) { reply, _ in reply() }
                join.answer(arrived, with: here) { _, _ in }
                return (open, pass, arrived)
            }
        }
    }

    struct Broken: Error, Equatable {
        var number = 0
    }

    /// A machine that prints nothing: the handlers of these tests fail on purpose.
    static func quietMachine(_ seed: Int) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed), reporter: { _ in }))
    }

    /// The code of the ``MailboxError`` that `body` throws, or nil if it throws nothing or something else.
    static func code<Value>(of body: () async throws -> Value) async -> MailboxError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? MailboxError)?.code
        }
    }
}

extension MailboxTermination {
    /// A word that tests can compare.
    var word: String {
        switch self {
        case .stopped: "stopped"
        case .cancelled: "cancelled"
        case .failed(let error): "failed \(error)"
        }
    }
}

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

    private static func makeSum(_ options: MailboxOptions = MailboxOptions()) -> MailboxActor<Sum> {
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

    @Test func a8EightSendersOfTenThousandKeepTheirOrder() async throws {
        let each = 10_000
        let log = Log<Bool>()
        let actor = MailboxActor(state: [Int](repeating: 0, count: 8)) { (next, message: (sender: Int, n: Int), _) in
            if next[message.sender] != message.n { log.add(false) }
            next[message.sender] += 1
            if next.allSatisfy({ $0 == each }) { log.add(true) }
        }.start()
        await withDiscardingTaskGroup { group in
            for sender in 0..<8 { group.addTask { for n in 0..<each { actor.tell((sender, n)) } } }
        }
        #expect(try await log.first(1) == [true])
        #expect(actor.statistics.depth == 0)
    }

    @Test func a8AQuestionComesAfterWhatItsSenderHasToldBefore() async throws {
        for seed in 0..<100 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let actor = Self.makeSum(MailboxOptions(machine: machine)).start()
            for round in 1...5 {
                for _ in 0..<20 { actor.tell(.add(1)) }
                #expect(try await actor.ask(Sum.total) == 20 * round, "seed \(seed)")
            }
        }
    }

    @Test func a8AHandlerThatSuspendsNeverOverlaps() async throws {
        let overlaps = Log<Int>()
        let done = Log<Int>()
        let inside = Inside()
        let actor = MailboxActor(state: 0) { (count, n: Int, _) async throws in
            if inside.enter() != 1 { overlaps.add(n) }
            let before = count
            for _ in 0..<3 { await Task.yield() }
            try await Task.sleep(for: .milliseconds(1))
            count = before + 1
            inside.leave()
            done.add(count)
        }.start()
        await withDiscardingTaskGroup { group in
            for n in 0..<4 { group.addTask { for _ in 0..<10 { actor.tell(n) } } }
        }
        #expect(try await done.first(40) == Array(1...40))
        #expect(try await overlaps.all().isEmpty)
    }

    final class Inside: Sendable {
        private let count = Atomic<Int>(0)
        func enter() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
        func leave() { count.subtract(1, ordering: .acquiringAndReleasing) }
    }

    /// Something whose end is told.
    final class Payload: Sendable {
        private let gone: SlowMolecule<Int>
        let number: Int
        init(_ number: Int, _ gone: SlowMolecule<Int>) {
            self.number = number
            self.gone = gone
        }
        deinit { gone(number) }
    }

    @Test func a9AMessageIsReleasedWhenItsHandlerHasReturned() async throws {
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (_, payload: Payload, _) in log.add(payload.number) }.start()
        for n in 1...3 { actor.tell(Payload(n * 10, log.add)) }
        #expect(try await log.first(6) == [10, 10, 20, 20, 30, 30])
        _ = actor
    }

    @Test func a10MessagesToldBeforeTheStartAreHandledInOrder() async throws {
        for seed in 0..<100 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let log = Log<Int>()
            let actor = MailboxActor(state: 0, options: MailboxOptions(machine: machine)) { (_, n: Int, _) in log.add(n)
            }
            for n in 1...3 { actor.tell(n) }
            try await machine.quiescence()
            #expect(try await log.all().isEmpty, "seed \(seed)")
            #expect(actor.statistics.depth == 3)
            actor.start()
            actor.start()
            #expect(try await log.first(3) == [1, 2, 3], "seed \(seed)")
        }
    }

    @Test func a10AnActorKnowsWhetherItWasStartedAndWhetherItIsGone() async throws {
        let gate = Gate()
        let actor = MailboxActor(state: 0, options: MailboxOptions(name: "A")) { (_, _: Int, context) in
            context.spawn(MailboxActor(state: 0) { (_, _: Int) async in try? await gate.pass() }).tell(0)
        }
        #expect(actor.name == "A")
        #expect(!actor.isExecuting && !actor.isFinished)
        actor.start()
        #expect(actor.isExecuting && !actor.isFinished)
        actor.tell(0)
        try await gate.arrived()
        actor.cancel()
        // Its child is in a handler still.
        #expect(actor.isTerminating && actor.isExecuting && !actor.isFinished)
        gate.open()
        try await actor.termination()
        #expect(!actor.isExecuting && actor.isFinished)
        let other = MailboxActor(state: 0) { (_, _: Int) in }
        other.cancel()
        try await other.termination()
        #expect(!other.isExecuting && other.isFinished)
        #expect(other.name == "MailboxActor<Int>")
    }

    @Test func a3AHandlerNeedsNoContext() async throws {
        let log = Log<String>()
        let one = MailboxActor(state: 0) { (sum, n: Int) in
            sum += n
            log.add("\(sum)")
        }.start()
        let other = MailboxActor(state: "") { (text, word: String) async in
            await Task.yield()
            text += word
            log.add(text)
        }.start()
        for n in 1...3 { one.tell(n) }
        #expect(try await log.first(3) == ["1", "3", "6"])
        for word in ["a", "b"] { other.tell(word) }
        #expect(try await log.first(5).suffix(2) == ["a", "ab"])
    }

    @Test func a14AnActorBecomesOneWhoseHandlersNeedNoContext() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: 0) { (count, word: String, context) in
            log.add("first \(word)")
            if word == "b" {
                context.become { count, word in log.add("then \(word)") }
            } else {
                context.become { count, word async in
                    await Task.yield()
                    log.add("at last \(word)")
                }
            }
        }.start()
        for word in ["a", "b"] { actor.tell(word) }
        #expect(try await log.first(2) == ["first a", "at last b"])
        let other = MailboxActor(state: 0) { (_, word: String, context) in
            context.become { _, word in log.add("then \(word)") }
        }.start()
        for word in ["c", "d"] { other.tell(word) }
        #expect(try await log.first(3)[2] == "then d")
    }

    @Test func a7HandlersOfManyTypesNeedNoContext() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: 0) { on in
            on.message(Int.self) { sum, n in sum += n }
            on.message(String.self) { sum, text in log.add("\(text) \(sum)") }
        }.start()
        for message in [1, "a", 2, "b"] as [any Sendable] { actor.tell(message) }
        #expect(try await log.first(2) == ["a 1", "b 3"])
    }

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
        #expect(actor.statistics.dropped == 3)
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
            #expect(office.count == 10, "seed \(seed)")
            #expect(actor.statistics.dropped == 10)
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

    @Test func a13ARingOfThreePassesAMessageUntilItIsCancelled() async throws {
        let log = Log<Int>()
        let ring = (1...3).map { number in
            MailboxActor(state: MailboxActor<Hop>?.none) { (next, hop: Hop, _) in
                switch hop {
                case .link(let actor): next = actor
                case .pass:
                    log.add(number)
                    next?.tell(.pass)
                }
            }.start()
        }
        for (index, actor) in ring.enumerated() { actor.tell(.link(ring[(index + 1) % 3])) }
        ring[0].tell(.pass)
        _ = try await log.first(100)
        for actor in ring { actor.cancel() }
        for actor in ring { try await actor.termination() }
        let lines = try await log.all()
        #expect(lines.enumerated().allSatisfy { $1 == $0 % 3 + 1 })
        for actor in ring { actor.tell(.pass) }
        for actor in ring { try await drained(actor) }
        #expect(try await log.all().count == lines.count)
    }

    /// The actor of ADBActors' example, which says what it does.
    private struct TestActor: MailboxBehavior {
        enum Message: Sendable {
            case next(MailboxActor<Message>)
            case passItOn
        }
        let log: Log<String>
        var next: MailboxActor<Message>?

        mutating func receive(_ message: sending Message, in context: MailboxContext<TestActor, Message>) async throws {
            switch message {
            case .next(let actor): next = actor
            case .passItOn:
                guard let next else { return }
                log.add("<\(context.description)> passes to <\(next)>")
                next.tell(.passItOn)
            }
        }
    }

    @Test func a2AndA13TheLinesOfTheRingCycleThroughTheThreeActorsUntilTheyAreCancelled() async throws {
        let log = Log<String>()
        let actors = (1...3).map { _ in MailboxActor(TestActor(log: log)) }
        for (index, actor) in actors.enumerated() { actor.tell(.next(actors[(index + 1) % 3])) }
        for actor in actors { actor.start() }
        actors[0].tell(.passItOn)
        _ = try await log.first(100)
        for actor in actors { actor.cancel() }
        for actor in actors { try await actor.termination() }
        let lines = try await log.all()
        for (number, line) in lines.enumerated() {
            #expect(line == "<\(actors[number % 3])> passes to <\(actors[(number + 1) % 3])>")
        }
        for actor in actors { actor.tell(.passItOn) }
        for actor in actors { try await drained(actor) }
        #expect(try await log.all().count == lines.count)
    }

    enum Hop: Sendable {
        case link(MailboxActor<Hop>)
        case pass
    }

    @Test(arguments: [3, 503])
    func a13ARingIsFreedWhenItIsCancelled(_ length: Int) async throws {
        let gone = Log<Int>()
        do {
            let ring = (0..<length).map { number in
                MailboxActor(state: (payload: Payload(number, gone.add), next: MailboxActor<Hop>?.none)) {
                    (state, hop: Hop, _) in
                    if case .link(let actor) = hop { state.next = actor }
                }.start()
            }
            for (index, actor) in ring.enumerated() { actor.tell(.link(ring[(index + 1) % length])) }
            for actor in ring { actor.cancel() }
        }
        #expect(try await Set(gone.first(length)).count == length)
    }

    @Test(arguments: [3, 503])
    func a13ARingOfWeakReferencesIsFreedByItself(_ length: Int) async throws {
        let gone = Log<Int>()
        let arrived = Log<Int>()
        do {
            let ring = (0..<length).map { number in
                MailboxActor(state: (payload: Payload(number, gone.add), next: WeakMailboxActor<WeakHop>?.none)) {
                    (state, hop: WeakHop, _) in
                    switch hop {
                    case .link(let actor): state.next = actor
                    case .pass(0): arrived.add(number)
                    case .pass(let n): state.next?.tell(.pass(n - 1))
                    }
                }.start()
            }
            for (index, actor) in ring.enumerated() { actor.tell(.link(ring[(index + 1) % length].weak)) }
            ring[0].tell(.pass(length * 4))
            #expect(try await arrived.first(1) == [0])
            #expect(ring[0].weak.strong == ring[0])
        }
        #expect(try await Set(gone.first(length)).count == length)
    }

    enum WeakHop: Sendable {
        case link(WeakMailboxActor<WeakHop>)
        case pass(Int)
    }

    @Test func a13ARingOf503CarriesANumberAround() async throws {
        let arrived = Log<Int>()
        let ring = (0..<503).map { number in
            MailboxActor(state: WeakMailboxActor<WeakHop>?.none) { (next, hop: WeakHop, _) in
                switch hop {
                case .link(let actor): next = actor
                case .pass(0): arrived.add(number)
                case .pass(let n): next?.tell(.pass(n - 1))
                }
            }.start()
        }
        for (index, actor) in ring.enumerated() { actor.tell(.link(ring[(index + 1) % 503].weak)) }
        ring[0].tell(.pass(5000))
        #expect(try await arrived.first(1) == [5000 % 503])
        // Weak references don't keep the ring.
        withExtendedLifetime(ring) {}
    }

    @Test func a14AnActorBecomesAnotherOne() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: "") { (_, word: String, context) in
            log.add("first \(word)")
            context.become { (_, word, context) async in
                await Task.yield()
                log.add("then \(word)")
                context.become { _, word, _ in log.add("at last \(word)") }
            }
        }.start()
        for word in ["a", "b", "c", "d"] { actor.tell(word) }
        #expect(try await log.first(4) == ["first a", "then b", "at last c", "at last d"])
    }

    @Test func a14WhatIsPutAsideComesBackBeforeTheMailboxInItsOrder() async throws {
        for seed in 0..<50 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let log = Log<String>()
            let actor = MailboxActor(state: 0, options: MailboxOptions(machine: machine)) {
                (_, word: String, context) in
                if word == "open" {
                    context.unstashAll()
                    context.become { _, word, _ in log.add(word) }
                } else {
                    context.stash(word)
                }
            }
            for word in ["a", "b", "open", "c", "d"] { actor.tell(word) }
            actor.start()
            #expect(try await log.first(4) == ["a", "b", "c", "d"], "seed \(seed)")
        }
    }

    @Test func a14AnActorMakesActorsAndSendsToThem() async throws {
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (_, n: Int, context) in
            let child = context.spawn(MailboxActor(state: 0) { (_, n: Int, _) in log.add(n) })
            child.tell(n)
        }.start()
        for n in 0..<5 { actor.tell(n) }
        #expect(try await log.first(5).sorted() == Array(0..<5))
        actor.cancel()
        try await actor.termination()
    }

    @Test func a16AStorageIsConsistentUnderEightThousandOperations() async throws {
        enum Command: Sendable {
            case put(String, Int)
            case remove(String)
            case get(String, ReplyTo<Int?>)
            case all(ReplyTo<[String: Int]>)
        }
        let storage = MailboxActor(state: [String: Int]()) { (data, command: Command, _) in
            switch command {
            case .put(let key, let value): data[key] = value
            case .remove(let key): data[key] = nil
            case .get(let key, let reply): reply(data[key])
            case .all(let reply): reply(data)
            }
        }.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for n in 0..<1000 {
                        let key = "\(task).\(n % 10)"
                        storage.tell(.put(key, n))
                        if n % 100 == 0 {
                            let seen = try await storage.ask { .get(key, $0) }
                            #expect(seen == n)
                        }
                        if n % 10 == 9 { storage.tell(.remove(key)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try await storage.ask(Command.all)
        #expect(all.count == 72)
        #expect(all.allSatisfy { $0.value >= 990 })
    }

    @Test func a16TheSameStorageIsAJoinDefinition() async throws {
        let (put, remove, get, count) = Join.define("storage") { join in
            let data = join.state("data", [String: Int]())
            let put = join.slow("put", of: (key: String, value: Int).self, order: .oldestFirst)
            let remove = join.slow("remove", of: String.self, order: .oldestFirst)
            let get = join.fast("get", of: String.self, returning: Int?.self)
            let count = join.fast("count", returning: Int.self)
            join.when(put, updating: data) { data, entry in data[entry.key] = entry.value }
            join.when(remove, updating: data) { data, key in data[key] = nil }
            join.answer(get, reading: data) { data, key in data[key] }
            join.answer(count, reading: data) { data, _ in data.count }
            return (put, remove, get, count)
        }
        await withDiscardingTaskGroup { group in
            for task in 0..<8 { group.addTask { for n in 0..<1000 { put(("\(task).\(n % 10)", n)) } } }
        }
        var left = 80
        while left > 0 {
            left = 0
            // The calls answer in this task, and so never leave the thread to who puts.
            await Task.yield()
            for task in 0..<8 {
                for n in 0..<10 where try await get("\(task).\(n)") != 990 + n { left += 1 }
            }
        }
        #expect(try await count() == 80)
        for task in 0..<8 { remove("\(task).0") }
        while try await count() != 72 { await Task.yield() }
    }

    @Test func a17AWorkflowOfIndependentTasksIsDoneByActorsInARow() async throws {
        let log = Log<String>()
        let print = MailboxActor(state: 0) { (_, text: String, _) in log.add(text) }.start()
        let square = MailboxActor(state: 0) { (_, n: Int, _) async in print.tell("\(n * n)") }.start()
        let parse = MailboxActor(state: 0) { (_, text: String, _) in
            if let n = Int(text) { square.tell(n) }
        }.start()
        for n in 1...10 { parse.tell("\(n)") }
        #expect(try await log.first(10) == (1...10).map { "\($0 * $0)" })
    }

    @Test func a17AJobThatWaitsCanBeCancelled() async throws {
        let log = Log<String>()
        let jobs = (0..<3).map { number in
            MailboxActor(state: 0) { (_, _: Int, context) async throws in
                log.add("begun \(number)")
                try await Task.sleep(for: .seconds(600))
            }.start()
        }
        for job in jobs { job.tell(0) }
        _ = try await log.first(3)
        for job in jobs { job.cancel() }
        for job in jobs { #expect(try await job.termination().word == "cancelled") }
    }

    @Test func a17ActorsRunAtTheSameTime() async throws {
        // Each of them waits for the other, which goes well only if both handlers run.
        let (left, right) = Join.define("rendezvous") { join in
            let left = join.fast("left")
            let right = join.fast("right")
            join.when(left, right) { left, right in
                left()
                right()
            }
            return (left, right)
        }
        let log = Log<String>()
        let one = MailboxActor(state: 0) { (_, _: Int, _) async throws in
            try await left()
            log.add("left")
        }.start()
        let other = MailboxActor(state: 0) { (_, _: Int, _) async throws in
            try await right()
            log.add("right")
        }.start()
        one.tell(0)
        other.tell(0)
        #expect(try await Set(log.first(2)) == ["left", "right"])
    }

    /// Waits until an actor that has ended has seen everything that was told.
    private func drained(_ actor: MailboxActor<some Any>) async throws {
        let end = ContinuousClock.now + .seconds(600)
        while actor.statistics.depth > 0, ContinuousClock.now < end { await Task.yield() }
        #expect(actor.statistics.depth == 0)
    }
}
