import ChemBase
import TestSupport
import Testing

@testable import ChemActors

@Suite("The times in a recording", .endsInTime)
struct RecordedTimesTests {
    private struct Shop {
        let order: SlowMolecule<Int>
        let price: FastMolecule<Void, Int>
        let deliver: FastMolecule<Void, Int>
    }

    private func shop(_ machine: ChemicalMachine, _ body: @escaping @Sendable (Int) -> Void = { _ in }) -> Shop {
        let (order, price, deliver) = machine.define("shop") { join in
            let order = join.slow("order", of: Int.self)
            let last = join.state("last", 0)
            let price = join.fast("price", returning: Int.self)
            let (ready, deliver) = (join.slow("ready"), join.fast("deliver", returning: Int.self))
            join.when(order, updating: last) { last, number in
                body(number)
                last = number
            }
            join.answer(price, updating: last) { last, _ in last }
            join.answer(deliver, with: ready) { _, _ in 1 }
            return (order, price, deliver)
        }
        return Shop(order: order, price: price, deliver: deliver)
    }

    private func machine(_ recorder: EventRecorder) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: recorder))
    }

    private func spin(milliseconds: UInt64) {
        let end = Platform.monotonicNanoseconds + milliseconds * 1_000_000
        while Platform.monotonicNanoseconds < end {}
    }

    private func worker(of soup: SoupReference) -> UnsafeMutableRawPointer? {
        let entry = soup.enter()
        let worker = entry.contents.activeWorker
        entry.leaveUnchanged()
        return worker
    }

    @Test("A call that is answered at once after a rest starts when it is made")
    func atOnceAfterRest() async throws {
        let machine = machine(.full())
        let shop = shop(machine)
        shop.order(1)
        try await machine.quiescence()
        let end = try #require(machine.recording().events.last { $0.kind == .ended })
        spin(milliseconds: 3)
        _ = try await shop.price()
        let events = machine.recording().events
        let start = try #require(events.last { $0.kind == .started })
        #expect(start.time - end.time >= .milliseconds(3))
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("A full recorder's times never go back, and a start is never before what it takes was injected, in 50 seeds")
    func neverBack() async throws {
        for seed in UInt64(1)...50 {
            var random = SplitMix(state: seed)
            let machine = machine(.full())
            let shop = shop(machine)
            for number in 0..<100 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: _ = try await shop.price()
                case 1: try await machine.quiescence()
                default: shop.order(number)
                }
            }
            try await machine.quiescence()
            let recording = machine.recording()
            let events = recording.events
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, "seed \(seed)")
            var injected = 0
            var isEarly = false
            for event in events {
                if event.kind == .injected { injected += 1 }
                if event.kind == .started, recording.subject(of: event).hasPrefix("order") {
                    injected -= 1
                    isEarly = isEarly || injected < 0
                }
            }
            #expect(!isEarly && injected == 0, "seed \(seed)")
        }
    }

    @Test("The first event of a flight recorder has a time")
    func firstOfFlight() async throws {
        let begin = Platform.monotonicNanoseconds
        let machine = machine(.flight)
        let shops = (0..<10).map { _ in shop(machine) }
        for shop in shops { shop.order(1) }
        try await machine.quiescence()
        let events = machine.recording().events
        // The clock of a flight recorder may tick a hundred times a second only.
        let taken = Duration.nanoseconds(Platform.monotonicNanoseconds - begin) + .milliseconds(20)
        #expect(events.count == 20)
        #expect(events.allSatisfy { $0.time <= taken })
    }

    @Test("A flight recorder's times follow the clock, however little happens")
    func flightFollowsTheClock() async throws {
        let machine = machine(.flight)
        let shop = shop(machine)
        var kinds: [Recording.Kind] = []
        for round in 0..<4 {
            shop.order(round)
            try await machine.quiescence()
            spin(milliseconds: 30)
            _ = try await shop.price()
            spin(milliseconds: 30)
            await #expect(throws: CallError.self) { try await shop.deliver(within: .nanoseconds(1)) }
            spin(milliseconds: 30)
            kinds += [.started, .ended, .started, .ended, .called, .withdrawn]
        }
        let events = machine.recording().events
        #expect(events.map(\.kind) == kinds)
        for (event, next) in zip(events, events.dropFirst()) where next.kind == .started || next.kind == .called {
            #expect(next.time - event.time >= .milliseconds(10))
        }
    }

    @Test("A flight recorder shows how long a long body took", .blocksThreads)
    func longBodyInFlight() async throws {
        let machine = machine(.flight)
        let soup = Shared<SoupReference?>(nil)
        let shop = shop(machine) { _ in
            guard let soup = soup.value else { return }
            let worker = self.worker(of: soup)
            spin(milliseconds: 30)
            // Until the monitor has relieved the worker, which takes a few milliseconds.
            while worker != nil, worker == self.worker(of: soup) {}
        }
        let lease = try #require(shop.order.anchor as? Lease)
        soup.update { $0 = lease.join.soup }
        shop.order(1)
        try await machine.quiescence()
        shop.order(2)
        try await machine.quiescence()
        let times = machine.recording().events.map(\.time)
        #expect(times.count == 4)
        #expect(times[1] - times[0] >= .milliseconds(10))
        #expect(times[2] >= times[1])
    }
}
