import ChemActors
import Foundation
import TestSupport
import Testing

/// Eight tasks do everything at once, at random.
///
/// Environment: `CHEMACTORS_SOAK=1` for 10 s a seed instead of 0.1 s; `CHEMACTORS_SEED=17` for one seed only.
@Suite("Storm", .timeLimit(.minutes(120)))
struct StormTests {
    private static let duration = Soak.isOn ? Duration.seconds(10) : .milliseconds(100)

    @Test(
        "Every call ends and the statistics add up, whatever eight tasks do to a definition",
        arguments: [false, true]
    )
    func storm(isTransient: Bool) async throws {
        for seed in Soak.seeds(heavy(100, debug: 40), soak: 100) {
            let weather = Weather(seed: seed, policy: isTransient ? .retry(2) : .drop)
            await withTaskGroup(of: Void.self) { group in
                let end = ContinuousClock.now + Self.duration
                for index in 0..<UInt64(8) {
                    group.addTask { await weather.blow(SplitMix(state: seed &* 8 &+ index), until: end) }
                }
            }
            try await weather.calm(seed)
        }
    }

    @Test("The same on the main actor, with three of the eight tasks there as well", arguments: [false, true])
    func stormOnMainActor(isTransient: Bool) async throws {
        for seed in Soak.seeds(30, soak: 100) {
            let weather = Weather(seed: seed, policy: isTransient ? .retry(2) : .drop, isOnMain: true)
            await withTaskGroup(of: Void.self) { group in
                let end = ContinuousClock.now + Self.duration
                for index in 0..<UInt64(8) {
                    let generator = SplitMix(state: seed &* 8 &+ index)
                    if index < 3 {
                        group.addTask { await weather.blowOnMainActor(generator, until: end) }
                    } else {
                        group.addTask { await weather.blow(generator, until: end) }
                    }
                }
            }
            try await weather.calm(seed)
        }
    }
}

/// A definition under stress, and what was done to it.
private final class Weather: Sendable {
    let machine: ChemicalMachine
    let definition: Join
    let a, b, work: SlowMolecule<Int>
    let ask, square: FastMolecule<Int, Int>
    let borrow: FastMolecule<Void, Int>
    let box: BoundedMolecule<Int>
    let unbox: FastMolecule<Void, Int>
    let quiet: SlowMolecule<Void>
    let calls = StormCalls()

    init(seed: UInt64, policy: FailurePolicy, isOnMain: Bool = false) {
        machine = ChemicalMachine(.init(seed: seed, reporter: { _ in }))
        let place: MainActor.Type? = isOnMain ? MainActor.self : nil
        (definition, a, b, work, ask, square, borrow, box, unbox) = machine.define("storm", on: place) { join in
            join.failurePolicy = policy
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self, order: .oldestFirst)
            let work = join.slow("work", of: Int.self)
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            let square = join.fast("square", of: Int.self, returning: Int.self, order: .oldestFirst)
            let borrow = join.fast("borrow", returning: Int.self)
            let kept = join.slow("kept", of: Reply<Void, Int>.self)
            let box = join.bounded("box", of: Int.self, capacity: 2)
            let unbox = join.fast("unbox", returning: Int.self)
            let sum = join.state("sum", 0)
            let list = join.state("list", [Int]())
            join.when(a, b, updating: list) { list, x, y in
                if isOnMain { MainActor.preconditionIsolated() }
                list.append(x)
                if list.count > 100 { list = [] }
                if x.isMultiple(of: 5) { throw ControlProbe.Failed(number: x) }
            }
            join.when(work, updating: sum) { sum, x in
                await Task.yield()
                sum += 1
                if x > 0 { work(x - 1) } else if sum.isMultiple(of: 3) { throw ControlProbe.Failed(number: x) }
            }
            join.answer(ask, with: a) { x, y in
                await Task.yield()
                return x + 1
            }
            join.answer(square, updating: sum) { sum, x in
                if isOnMain { MainActor.preconditionIsolated() }
                sum &+= 1
                return x * x
            }
            join.when(borrow) { reply in kept(reply) }
            join.when(kept, b) { reply, x in reply(-1) }
            join.answer(unbox, with: box) { _, x in x }
            return (join.definition, a, b, work, ask, square, borrow, box, unbox)
        }
        quiet = machine.define("quiet") { join in
            let quiet = join.slow("quiet")
            join.when(quiet) { _ in }
            return quiet
        }
    }

    /// Does one thing after the other until `end`.
    func blow(_ generator: SplitMix, until end: ContinuousClock.Instant) async {
        var generator = generator
        while ContinuousClock.now < end {
            for _ in 1...16 { await blow(&generator) }
        }
    }

    @MainActor func blowOnMainActor(_ generator: SplitMix, until end: ContinuousClock.Instant) async {
        await blow(generator, until: end)
    }

    private func blow(_ generator: inout SplitMix) async {
        let x = Int(generator.next() % 1000)
        switch generator.next() % 64 {
        case 0..<12: a(x)
        case 12..<22: b(x)
        case 22..<24: b.inject(contentsOf: [1, 2, 3])
        case 24..<30: work(x % 4)
        case 30..<33: await calls.make(expecting: x * x) { try await square(x, within: .microseconds(x)) }
        case 33..<36: calls.makeAside(expecting: x * x) { [self] in try await square(x) }
        case 36..<40: await calls.make(expecting: x + 1) { try await ask(x, within: .microseconds(x)) }
        case 40..<44: await cancelled(x)
        case 44..<46: calls.makeAside(expecting: -1) { [self] in try await borrow(within: .milliseconds(1)) }
        case 46..<48: _ = box.tryInject(x)
        case 48..<50:
            await calls.make(expecting: 0) {
                try await box.inject(x, within: .microseconds(x))
                return 0
            }
        case 50..<52: await calls.make(expecting: nil) { try await unbox(within: .microseconds(x)) }
        case 52..<54: definition.pause()
        case 54..<57: definition.resume()
        case 57: definition.clear()
        case 58: definition.deactivate()
        case 59: definition.deactivate(signalling: quiet)
        case 60..<62: definition.activate()
        case 62: definition.signalQuiescence(to: quiet)
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
                await calls.make(expecting: -1) { try await borrow() }
            } else {
                await calls.make(expecting: x + 1) { try await ask(x) }
            }
        }
        for _ in 0..<(x % 4) { await Task.yield() }
        task.cancel()
        // A call that a reaction has taken waits for the answer: that of `borrow` may come from the end of the storm.
        if !x.isMultiple(of: 3) { await task.value }
    }

    /// Ends the storm, and checks what it has left.
    func calm(_ seed: UInt64) async throws {
        definition.activate()
        definition.resume()
        try await calls.settle(definition, seed)
        definition.deactivate()
        definition.activate()
        try await calls.settle(definition, seed)
        // A call that begins only now may have been taken and kept: clearing answers it. One that is lost stays lost.
        try await calls.end(in: definition, seed)
        try await calls.settle(definition, seed)
        let statistics = definition.statistics
        #expect(statistics.isBalanced, "seed \(seed): \(statistics)")
        #expect(statistics.running == 0, "seed \(seed)")
        #expect(statistics.waitingCalls == 0, "seed \(seed)")
        #expect(statistics.pendingRetries == 0, "seed \(seed)")
        #expect(calls.wrong.now == 0, "seed \(seed): wrong answers")
        #expect(definition.snapshot().phase == .running, "seed \(seed)")
        for (name, numbers) in statistics.molecules {
            let expected = ["sum": 1, "list": 1, "box.room": 2][name] ?? 0
            #expect(numbers.present + numbers.inInbox == expected, "seed \(seed): \(name)")
        }
        let answer = try await square(12)
        #expect(answer == 144, "seed \(seed): it works on")
    }
}
