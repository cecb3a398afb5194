import ChemActors
import Foundation
import TestSupport
import Testing

/// A bounded molecule that is consumed, oldest first, by calls of `take`.
private func buffer(_ capacity: Int) -> (put: BoundedMolecule<Int>, take: FastMolecule<Void, Int>, definition: Join) {
    let (put, take, definition) = Join.define("buffer") { join in
        let item = join.bounded("item", of: Int.self, capacity: capacity, order: .oldestFirst)
        let take = join.fast("take", returning: Int.self)
        join.answer(take, with: item) { _, n in n }
        return (item, take, join.definition)
    }
    return (put, take, definition)
}

extension Join {
    /// How many copies of `item` are in the soup.
    nonisolated fileprivate var present: Int { statistics.molecules["item"]?.present ?? -1 }
}

/// How many copies there is room for now.
private func room(_ put: BoundedMolecule<Int>) -> Int {
    var count = 0
    while count < 1_000, put.tryInject(count) { count += 1 }
    return count
}

#if DEBUG
    private let races = 2_000
#else
    private let races = 10_000
#endif

@Suite(.endsInTime)
struct BoundedTests {
    @Test(arguments: [1, 3, 64])
    func theCapacityIsKeptUnderLoad(_ capacity: Int) async throws {
        let (put, take, definition) = buffer(capacity)
        let each = 1_000
        let inside = Tally()
        let taken = Record<Int>()
        let done = Flag()
        let observer = Task.detached {
            var most = 0
            while !done.isRaised {
                most = max(most, definition.present)
                await Task.yield()
            }
            return most
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for producer in 0..<8 {
                group.addTask {
                    for n in 0..<each {
                        try await put.inject(producer * each + n)
                        inside.add()
                    }
                }
                group.addTask {
                    for _ in 0..<each {
                        taken.append(try await take())
                        inside.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        done.raise()
        #expect(await observer.value <= capacity)
        // Eight consumers may have taken one that they haven't counted yet.
        #expect(inside.most <= capacity + 8)
        #expect(taken.all.sorted() == Array(0..<8 * each))
        try await definition.quiescence()
        #expect(definition.statistics.isBalanced)
        #expect(room(put) == capacity)
    }

    @Test func aSingleProducersCopiesStayInOrder() async throws {
        let (put, take, _) = buffer(2)
        let producer = Task { for n in 0..<2_000 { try await put.inject(n) } }
        for n in 0..<2_000 { #expect(try await take() == n) }
        try await producer.value
    }

    @Test func waitingInjectorsAreServedOldestFirst() async throws {
        let (put, take, definition) = buffer(1)
        try await put.inject(0)
        var injectors: [Task<Void, any Error>] = []
        for n in 1...50 {
            injectors.append(Task { try await put.inject(n) })
            #expect(await Patience.until { definition.statistics.waitingCalls == n })
        }
        for n in 0...50 { #expect(try await take() == n) }
        for injector in injectors { try await injector.value }
        #expect(room(put) == 1)
    }

    @Test func tryInjectSaysNo() async throws {
        let (put, take, definition) = buffer(2)
        #expect(put.tryInject(1))
        #expect(put.tryInject(2))
        #expect(!put.tryInject(3))
        #expect(try await take() == 1)
        #expect(put.tryInject(3))
        #expect(!put.tryInject(4))
        #expect(definition.present == 2)
    }

    @Test func aTimeOutWithdrawsTheInjection() async throws {
        let (put, take, definition) = buffer(1)
        try await put.inject(1, within: .zero)
        let begin = ContinuousClock.now
        let error = await #expect(throws: CallError.self) { try await put.inject(2, within: .milliseconds(30)) }
        #expect(error?.code == .timedOut)
        #expect(begin.duration(to: .now) >= .milliseconds(30))
        #expect(try await take() == 1)
        try await definition.quiescence()
        #expect(definition.present == 0)
        try await put.inject(3, within: .seconds(600))
        #expect(try await take() == 3)
    }

    @Test func cancellationOfWaitingInjectorsIsExact() async throws {
        let (put, take, definition) = buffer(1)
        let got = Tally()
        let consumer = Task { while (try? await take()) != nil { got.add() } }
        var (injected, cancelled) = (0, 0)
        for n in 0..<races {
            let first = Task { try await put.inject(n) }
            let second = Task { try await put.inject(n) }
            for _ in 0..<(n % 4) { await Task.yield() }
            second.cancel()
            first.cancel()
            for task in [first, second] {
                do {
                    try await task.value
                    injected += 1
                } catch {
                    #expect(error is CancellationError)
                    cancelled += 1
                }
            }
        }
        #expect(injected + cancelled == 2 * races)
        try await definition.quiescence()
        let expected = injected
        #expect(await Patience.until { got.value == expected })
        consumer.cancel()
        await consumer.value
        #expect(definition.present == 0)
        #expect(got.value == injected)
        #expect(definition.statistics.isBalanced)
        #expect(room(put) == 1)
    }

    // MARK: Control

    private static func waiting(_ put: BoundedMolecule<Int>, _ count: Int, _ definition: Join) async -> [Task<
        CallError.Code?, Never
    >] {
        let tasks = (0..<count).map { n in
            Task { () -> CallError.Code? in
                do { try await put.inject(n) } catch { return (error as? CallError)?.code }
                return nil
            }
        }
        #expect(await Patience.until { definition.statistics.waitingCalls == count })
        return tasks
    }

    @Test func pauseLetsInjectorsWait() async throws {
        let (put, take, definition) = buffer(3)
        for n in 0..<3 { try await put.inject(n) }
        let tasks = await Self.waiting(put, 10, definition)
        definition.pause()
        let consumer = Task { try await take() }
        #expect(await Patience.until { definition.statistics.waitingCalls == 11 })
        tasks[0].cancel()
        #expect(await tasks[0].value == nil)
        #expect(definition.statistics.waitingCalls == 10)
        definition.resume()
        #expect(try await consumer.value == 0)
        for _ in 0..<11 { _ = try await take() }
        for task in tasks { #expect(await task.value == nil) }
        #expect(room(put) == 3)
    }

    @Test func clearEndsThemAndTheCapacityIsRightAgain() async throws {
        let (put, take, definition) = buffer(3)
        for n in 0..<3 { try await put.inject(n) }
        let tasks = await Self.waiting(put, 20, definition)
        definition.clear()
        for task in tasks { #expect(await task.value == .cleared) }
        #expect(definition.present == 0)
        #expect(room(put) == 3)
        #expect(try await take() == 0)
        definition.clear()
        definition.clear()
        #expect(room(put) == 3)
        #expect(definition.statistics.isBalanced)
    }

    @Test func deactivateEndsThemAndActivateBeginsAnew() async throws {
        let (put, take, definition) = buffer(3)
        for n in 0..<3 { try await put.inject(n) }
        let tasks = await Self.waiting(put, 20, definition)
        definition.deactivate()
        for task in tasks { #expect(await task.value == .deactivated) }
        #expect(!put.tryInject(1))
        let error = await #expect(throws: CallError.self) { try await put.inject(1) }
        #expect(error?.code == .deactivated)
        try await definition.quiescence()
        definition.activate()
        #expect(definition.present == 0)
        #expect(room(put) == 3)
        #expect(try await take() == 0)
        for _ in 0..<3 {
            definition.deactivate()
            definition.activate()
        }
        #expect(room(put) == 3)
        #expect(definition.statistics.isBalanced)
    }

    @Test func dissolvingEndsThem() async throws {
        let codes = Record<CallError.Code?>()
        Join.define("short") { join in
            let item = join.bounded("item", of: Int.self, capacity: 1)
            let (go, never) = (join.slow("go"), join.slow("never"))
            let definition = join.definition
            join.when(item, never) { _, _ in }
            join.when(go) { _ in
                for n in 0..<20 {
                    // The local name: it doesn't keep the definition.
                    Task {
                        do { try await item.inject(n) } catch { codes.append((error as? CallError)?.code) }
                    }
                }
                #expect(await Patience.until { definition.statistics.waitingCalls == 19 })
            }
            go()
        }
        #expect(await Patience.until { codes.count == 19 })
        #expect(codes.all.allSatisfy { $0 == .dissolved })
    }

    @Test func aWaitingInjectorKeepsTheDefinition() async throws {
        let code: CallError.Code? = await {
            let (put, _, definition) = buffer(1)
            #expect(put.tryInject(1))
            let task = await Self.waiting(put, 1, definition)[0]
            // It waits until it is cancelled: nobody else has a name.
            return await {
                task.cancel()
                return await task.value
            }()
        }()
        #expect(code == nil)
    }

    // MARK: What it carries, and failures

    @Test func itCarriesNames() async throws {
        let log = Record<Int>()
        let relay = Join.define("relay") { join in
            let name = join.bounded("name", of: BoundedMolecule<Int>.self, capacity: 2)
            join.when(name) { name in
                try await name.inject(1)
                #expect(!name.tryInject(2) || log.count > 0)
            }
            return name
        }
        for _ in 0..<20 {
            // The definition of the sink is kept by its name on the way.
            try await relay.inject(
                Join.define("sink") { join in
                    let item = join.bounded("item", of: Int.self, capacity: 1)
                    join.when(item) { log.append($0) }
                    return item
                }
            )
        }
        #expect(await Patience.until { log.count >= 20 })
    }

    @Test func whatAFailedReactionPutsBackIsNotLostAndTakesRoom() async throws {
        struct Flaw: Error {}
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let attempts = Tally()
        let done = Record<Int>()
        let (put, definition) = machine.define("flaky") { join in
            join.failurePolicy = .putBack(after: .milliseconds(1))
            let item = join.bounded("item", of: Int.self, capacity: 2)
            join.when(item) { n in
                attempts.add()
                if attempts.value <= 10 { throw Flaw() }
                done.append(n)
            }
            return (item, join.definition)
        }
        for n in 0..<5 { try await put.inject(n) }
        try await definition.quiescence()
        #expect(done.all.sorted() == [0, 1, 2, 3, 4])
        #expect(definition.statistics.isBalanced)
        definition.pause()
        #expect(room(put) == 2)
    }

    @MainActor
    @Test func puttingBackIntoADeactivatedDefinitionTakesNoRoom() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (fail, trip, box, definition) = machine.define("boxes", on: MainActor.self) { join in
            join.failurePolicy = .putBack(after: .milliseconds(1))
            let fail = join.slow("fail")
            let trip = join.slow("trip")
            let box = join.bounded("box", of: Int.self, capacity: 1)
            let definition = join.definition
            join.when(fail, box) { _, _ in throw ControlProbe.Failed() }
            // On the main actor it runs as soon as `fail` is back, before `box` is.
            join.when(trip, fail) { _, _ in definition.deactivate() }
            return (fail, trip, box, definition)
        }
        for _ in 0..<20 {
            #expect(box.tryInject(1))
            fail()
            definition.pause()
            trip()
            try await ControlProbe.outwait(.milliseconds(1))
            definition.resume()
            try await definition.quiescence()
            try #require(definition.snapshot().phase == .deactivated)
            definition.activate()
            try #require(definition.snapshot().molecules["box.room"] == 1, "\(definition.statistics)")
        }
    }

    @Test func itIsComparedAndPrinted() {
        let (put, _, _) = buffer(1)
        let (other, _, _) = buffer(1)
        #expect(put == put.exported)
        #expect(put != other)
        #expect(Set([put, put.exported, other]).count == 2)
        #expect("\(put)" == "buffer.item")
    }

    @Test func aCapacityBelowOneIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Join.define("printer") { join in
                let job = join.bounded("job", of: Int.self, capacity: 0)
                join.when(job) { _ in }
                return job
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("definition 'printer': the bounded molecule 'job'"))
        #expect(text.contains("BoundedTests.swift"))
        #expect(text.contains("needs a capacity of at least 1, not 0"))
    }

    @Test(arguments: [false, true])
    func clearingTheMachineWhileDefinitionsAreMadeKeepsTheirCapacity(deactivates: Bool) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let done = Guarded(false)
        let clearing = Task.detached {
            while !done.now {
                if deactivates {
                    machine.deactivate()
                    machine.activate()
                } else {
                    machine.clear()
                }
            }
        }
        var buffers: [(put: BoundedMolecule<Int>, take: SlowMolecule<Void>, definition: Join)] = []
        for _ in 0..<heavy(20_000, debug: 5_000) {
            let (put, take, definition) = machine.define("buffer") { join in
                let put = join.bounded("item", of: Int.self, capacity: 3)
                let take = join.slow("take")
                join.when(put, take) { _, _ in }
                return (put, take, join.definition)
            }
            if buffers.count < 100 { buffers.append((put, take, definition)) }
        }
        done.withLock { $0 = true }
        await clearing.value
        for (put, take, definition) in buffers {
            definition.activate()
            #expect((0..<5).count { put.tryInject($0) } == 3)
            withExtendedLifetime(take) {}
        }
    }
}
