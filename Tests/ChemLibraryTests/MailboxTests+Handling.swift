import ChemActors
import ChemLibrary
import Synchronization
import TestSupport
import Testing

/// In which order messages are handled, what is kept of them, and what handlers need.
extension MailboxTests {
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
}
