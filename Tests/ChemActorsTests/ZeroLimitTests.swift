import ChemActors
import Dispatch
import TestSupport
import Testing

/// Calls that may wait for a worker only, and no longer than a reaction is possible that takes them.
@Suite("Time limits of zero", .endsInTime)
struct ZeroLimitTests {
    private struct Chemistry: Sendable {
        let item: SlowMolecule<Int?>
        let find: FastMolecule<Void, Int>
        let take: FastMolecule<Void, Int?>
        let quick: FastMolecule<Void, Void>
        let busy: SlowMolecule<Void>
        let definition: Join

        init(takesInStep: Bool, on machine: ChemicalMachine, whileBusy: @escaping @Sendable () -> Void = {}) {
            (item, find, take, quick, busy, definition) = machine.define("finder") { join in
                let (item, busy) = (join.slow("item", of: Int?.self), join.slow("busy"))
                let find = join.fast("find", returning: Int.self)
                let take = join.fast("take", returning: Int?.self)
                let quick = join.fast("quick")
                join.when(busy) { _ in whileBusy() }
                join.when(find, item) { reply, number in reply(number ?? -1) }
                if takesInStep { join.turn(take, from: item) } else { join.answer(take, with: item) { _, n in n } }
                join.answer(quick) { _ in }
                return (item, find, take, quick, busy, join.definition)
            }
        }
    }

    @Test(
        "While all workers are busy, whoever takes what the call counts on has it end",
        .blocksThreads,
        arguments: [false, true]
    )
    func busyWorkers(takesInStep: Bool) async throws {
        let end = DispatchSemaphore(value: 0)
        let hasBegun = Flag()
        let finder = Chemistry(takesInStep: takesInStep, on: ChemicalMachine(.init(workerLimit: 1, reporter: { _ in })))
        {
            hasBegun.raise()
            end.wait()
        }
        defer { end.signal() }
        finder.busy()
        try await until { hasBegun.isRaised }
        // Once the body is known to be long, calls are answered beside it.
        for _ in 1...200 { try await finder.quick() }
        finder.item(7)
        let call = Task { try await finder.find(within: .zero) }
        try await until { finder.definition.statistics.waitingCalls == 1 }
        for _ in 1...200 { try await finder.quick() }
        #expect(try await finder.take() == 7)
        await #expect { try await call.value } throws: { ($0 as? CallError)?.code == .timedOut }
    }

    @Test("Whoever is about to help itself finds that another was faster: it ends", arguments: [false, true])
    func fasterOne(takesInStep: Bool) async throws {
        let finder = Chemistry(takesInStep: takesInStep, on: ChemicalMachine())
        // Bodies are known to be short.
        for _ in 0..<3 {
            finder.item(1)
            _ = try await finder.find()
        }
        for round in Soak.seeds(1_000, soak: 200_000).map(Int.init) {
            finder.item(round)
            async let one = onThread { [finder] in
                for _ in 0..<round * 7_919 % 300 { _ = finder.definition.name }
                return (try? finder.take.tryCall()) ?? nil
            }
            let other = try? await finder.find(within: .zero)
            let both = [await one, other]
            #expect(both.compactMap { $0 } == [round], "\(both)")
        }
    }

    @Test("A limit that covers the body is one also if it is over already", arguments: [Duration.zero, .seconds(-1)])
    func coveringBody(limit: Duration) async throws {
        let isCancelled = Flag()
        let (call, definition) = Join.define("slow") { join in
            let call = join.fast("call")
            join.answer(call) { _ async throws in
                defer { if Task.isCancelled { isCancelled.raise() } }
                try await Task.sleep(for: .seconds(3_600))
            }
            return (call, join.definition)
        }
        await #expect { try await call(within: limit, coveringBody: true) } throws: {
            ($0 as? CallError)?.code == .timedOut
        }
        try await definition.quiescence()
        #expect(isCancelled.isRaised)
    }

    @Test("A call that waits for nothing but a worker ends when its partner is withdrawn", .blocksThreads)
    func withdrawnPartner() async throws {
        let (mayEnd, isBusy) = (DispatchSemaphore(value: 0), Flag())
        let machine = ChemicalMachine(.init(workerLimit: 1, reporter: { _ in }, patience: nil))
        let (block, meet) = machine.define("meeting") { join in
            let (block, meet) = (join.slow("block"), join.fast("meet"))
            join.when(block) { _ in
                isBusy.raise()
                mayEnd.wait()
            }
            join.when(join.copies(2, of: meet)) { replies in for reply in replies { reply() } }
            return (block, meet)
        }
        block()
        #expect(await Patience.until { isBusy.isRaised })
        let first = Task { try await meet() }
        #expect(await Patience.until { machine.statistics.waitingCalls == 1 })
        let second = Task { try await meet(within: .zero) }
        #expect(await Patience.until { machine.statistics.waitingCalls == 2 })
        first.cancel()
        let end = await second.result
        #expect(throws: CallError.self) { try end.get() }
        mayEnd.signal()
        _ = await first.result
        extendLifetime(block)
    }

    @Test("Copies without values are never so many that their number isn't right")
    func veryManyCopies() async throws {
        let (permit, definition) = ChemicalMachine().define("permits") { join in
            let (permit, never) = (join.slow("permit"), join.slow("never"))
            join.when(permit, never) { _, _ in }
            return (permit, join.definition)
        }
        permit()
        permit.inject(contentsOf: repeatElement((), count: .max))
        let count = try #require(definition.statistics.molecules["permit"]?.present)
        #expect(count > 1 << 39)
        definition.clear()
        #expect(definition.statistics.molecules["permit"]?.present == 0)
        extendLifetime(permit)
    }
}
