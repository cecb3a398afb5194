import ChemActors
import TestSupport
import Testing

/// Eight tasks do everything at once, at random, to a definition whose reactions all look at values.
///
/// Environment: `CHEMACTORS_SOAK=1` for 10 s a seed instead of 0.1 s; `CHEMACTORS_SEED=17` for one seed only.
@Suite("Storm of guards", .timeLimit(.minutes(120)))
struct GuardStormTests {
    private static let duration = Soak.isOn ? Duration.seconds(10) : .milliseconds(100)

    @Test("Only what fits reacts, and every call ends, whatever eight tasks do", arguments: [false, true])
    func storm(isTransient: Bool) async throws {
        for seed in Soak.seeds(60, soak: 100) {
            let machine = ChemicalMachine(.init(seed: seed, reporter: { _ in }))
            let gale = Gale(machine, policy: isTransient ? .retry(2) : .drop)
            await withTaskGroup(of: Void.self) { group in
                let end = ContinuousClock.now + Self.duration
                for index in 0..<UInt64(8) {
                    group.addTask { await gale.blow(SplitMix(state: seed &* 8 &+ index), until: end) }
                }
            }
            try await gale.calm(seed)
        }
    }

    @Test("A scope with guards ends, by itself, by an error or by cancellation, and leaves no caller waiting")
    func scopes() async throws {
        for seed in Soak.seeds(60, soak: 1_000) {
            let calls = StormCalls()
            let ending = Task {
                try await withChemicalMachine(.init(seed: seed, reporter: { _ in })) { machine in
                    let gale = Gale(machine, policy: .drop, calls: calls)
                    await withTaskGroup(of: Void.self) { group in
                        for index in 0..<UInt64(3) {
                            let generator = SplitMix(state: seed &* 8 &+ index)
                            group.addTask { await gale.blow(generator, times: 200) }
                        }
                    }
                    if seed.isMultiple(of: 3) { throw ControlProbe.Failed(number: 0) }
                    gale.definition.activate()
                    gale.definition.resume()
                }
            }
            if seed % 3 == 1 {
                for _ in 0..<seed % 50 { await Task.yield() }
                ending.cancel()
            }
            do {
                try await ending.value
            } catch {
                let isExpected = error is ControlProbe.Failed || error is CancellationError || error is CallError
                #expect(isExpected, "seed \(seed): \(error)")
            }
            try await ControlProbe.until("seed \(seed): all calls ended") { calls.ended.now == calls.begun.now }
            #expect(calls.wrong.now == 0, "seed \(seed): what didn't fit reacted")
        }
    }
}

/// A definition with each kind of guard under stress, and what was done to it.
private final class Gale: Sendable {
    struct Item: Sendable {
        let key: Int
        let n: Int
    }

    let definition: Join
    let order, payment, stamp: SlowMolecule<Item>
    let claim: FastMolecule<Int, Int>
    let left, right, deposit: SlowMolecule<Int>
    let probe, withdraw: FastMolecule<Int, Int>
    let open: FastMolecule<Void, Int>
    let calls: StormCalls

    init(_ machine: ChemicalMachine, policy: FailurePolicy, calls: StormCalls = StormCalls()) {
        self.calls = calls
        (definition, order, payment, stamp, claim, left, right, deposit, probe, withdraw, open) = machine.define("gale")
        {
            join in
            join.failurePolicy = policy
            let order = join.slow("order", of: Item.self)
            let payment = join.slow("payment", of: Item.self, order: .oldestFirst)
            let stamp = join.slow("stamp", of: Item.self)
            let claim = join.fast("claim", of: Int.self, returning: Int.self)
            let left = join.slow("left", of: Int.self)
            let right = join.slow("right", of: Int.self, order: .oldestFirst)
            let probe = join.fast("probe", of: Int.self, returning: Int.self)
            let deposit = join.slow("deposit", of: Int.self)
            let withdraw = join.fast("withdraw", of: Int.self, returning: Int.self)
            let open = join.fast("open", returning: Int.self)
            let level = join.state("level", 0)
            let heavy = join.part("heavy", of: order) { $0.n > 900 }

            @Sendable func expect(_ isRight: Bool) {
                if !isRight { calls.wrong.add() }
            }
            join.when(order, payment, matching: \.key, \.key) { order, payment in
                expect(order.key == payment.key && order.n <= 900)
                if order.n.isMultiple(of: 5) { throw ControlProbe.Failed(number: order.n) }
            }
            join.when(order, payment, stamp, matching: \.key, \.key, \.key) { order, payment, stamp in
                expect(order.key == payment.key && order.key == stamp.key)
                await Task.yield()
                if order.n.isMultiple(of: 7) { throw ControlProbe.Failed(number: order.n) }
            }
            join.answer(claim, with: order, matching: \.self, \.key) { key, order in
                expect(key == order.key)
                if order.n.isMultiple(of: 5) { throw ControlProbe.Failed(number: order.n) }
                return order.key
            }
            join.when(3, of: stamp, matching: \.key) { stamps in expect(Set(stamps.map(\.key)).count == 1) }
            join.when(heavy, updating: level.while { $0 > 2 }) { level, order in
                expect(level > 2 && order.n > 900)
                level -= 1
            }
            join.when(left, right, where: { ($0 + $1).isMultiple(of: 4) }) { one, other in
                expect((one + other).isMultiple(of: 4))
                if one.isMultiple(of: 9) { throw ControlProbe.Failed(number: one) }
            }
            join.answer(probe, with: left, where: { $0 > $1 }) { x, left in
                expect(x > left)
                return x
            }
            join.when(deposit, updating: level) { level, amount in
                await Task.yield()
                level += amount
            }
            join.answer(withdraw, updating: level, amount: \.self, atMost: \.self) { level, amount in
                expect(level >= amount)
                if amount == 3 { throw ControlProbe.Failed(number: amount) }
                level -= amount
                return amount
            }
            join.answer(open, with: level.while { $0 > 0 }.value) { _, level in
                expect(level > 0)
                return 1
            }
            return (
                join.definition, order, payment, stamp, claim, left, right, deposit, probe, withdraw, open
            )
        }
    }

    /// Does one thing after the other until `end`. A call whose reaction is to be tried again may wait for the end of
    /// a pause: so the last to go resumes.
    func blow(_ generator: SplitMix, until end: ContinuousClock.Instant) async {
        var generator = generator
        defer { definition.resume() }
        while ContinuousClock.now < end {
            for _ in 1...16 { await blow(&generator) }
        }
    }

    /// Does so many things.
    func blow(_ generator: SplitMix, times: Int) async {
        var generator = generator
        for _ in 0..<times { await blow(&generator) }
    }

    private func blow(_ generator: inout SplitMix) async {
        let x = Int(generator.next() % 1000)
        let key = x % 8
        let time = Duration.microseconds(x)
        switch generator.next() % 64 {
        case 0..<10: order(Item(key: key, n: x))
        case 10..<20: payment(Item(key: key, n: x))
        case 20..<22: payment.inject(contentsOf: (0..<5).map { Item(key: $0, n: x) })
        case 22..<26: stamp(Item(key: key, n: x))
        case 26..<30: left(x)
        case 30..<34: right(x)
        case 34..<37: deposit(x % 5)
        case 37..<41: await calls.make(expecting: key) { try await claim(key, within: time) }
        case 41..<43: calls.makeAside(expecting: key) { [self] in try await claim(key, within: .milliseconds(3)) }
        case 43..<45: await calls.make(expecting: x) { try await probe(x, within: time) }
        case 45..<48: await calls.make(expecting: x % 6) { try await withdraw(x % 6, within: time) }
        case 48..<50: await calls.make(expecting: 1) { try await open(within: time) }
        case 50..<53: await cancelled(x)
        case 53: await calls.make(expecting: key) { try await claim(key, within: .zero) }
        case 54: definition.pause()
        case 55..<58: definition.resume()
        case 58: definition.clear()
        case 59: definition.deactivate()
        case 60..<62: definition.activate()
        case 62: _ = definition.snapshot()
        default:
            let waiter = Task { try? await definition.quiescence() }
            await Task.yield()
            waiter.cancel()
            await waiter.value
        }
    }

    /// A call that is cancelled while it may be anywhere.
    private func cancelled(_ x: Int) async {
        let task = Task { [self] in
            if x.isMultiple(of: 3) {
                await calls.make(expecting: x % 6) { try await withdraw(x % 6) }
            } else {
                await calls.make(expecting: x % 8) { try await claim(x % 8) }
            }
        }
        for _ in 0..<(x % 4) { await Task.yield() }
        task.cancel()
        await task.value
    }

    /// Ends the storm, and checks what it has left.
    func calm(_ seed: UInt64) async throws {
        definition.activate()
        definition.resume()
        try await calls.settle(definition, seed)
        try await calls.end(in: definition, seed)
        definition.clear()
        try await calls.settle(definition, seed)
        let statistics = definition.statistics
        #expect(statistics.isBalanced, "seed \(seed): \(statistics)")
        #expect(statistics.running == 0, "seed \(seed)")
        #expect(statistics.waitingCalls == 0, "seed \(seed)")
        #expect(statistics.pendingRetries == 0, "seed \(seed)")
        #expect(calls.wrong.now == 0, "seed \(seed): what didn't fit reacted")
        for (name, numbers) in statistics.molecules where name != "level" {
            #expect(numbers.present + numbers.inInbox == 0, "seed \(seed): \(name)")
        }

        // What guards know has been cleared with what they knew it of.
        for key in 0..<8 { order(Item(key: key, n: 1)) }
        for key in (0..<8).reversed() {
            let found = try await claim(key)
            #expect(found == key, "seed \(seed)")
        }
        left(4)
        let tried = try await probe(5)
        #expect(tried == 5, "seed \(seed)")
        deposit(40)
        let withdrawn = try await withdraw(20)
        #expect(withdrawn == 20, "seed \(seed)")
        let isOpen = try await open()
        #expect(isOpen == 1, "seed \(seed)")
        try await calls.settle(definition, seed)
        let molecules = definition.snapshot().molecules.filter { $0.key != "level" && $0.value > 0 }
        #expect(molecules.isEmpty, "seed \(seed): \(molecules)")
    }
}
