import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Rings of actors.
extension MailboxTests {
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
}
