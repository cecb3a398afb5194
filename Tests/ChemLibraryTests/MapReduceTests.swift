import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Map and reduce, CocoaJoin's third example.
@Suite("Map and reduce", .endsInTime)
struct MapReduceTests {
    static let reductions: [Reduction] = [.pairs, .primers, .tree]

    @Test(arguments: reductions) func nothingReducesToNil(reduction: Reduction) async throws {
        #expect(try await mapReduce([Int](), by: reduction, map: { $0 }, reduce: +) == nil)
        #expect(try await mapReduce([Int](), by: reduction, map: { n async in n }, reduce: { $0 + $1 }) == nil)
    }

    @Test(arguments: reductions) func nothingReducesToTheInitialValue(reduction: Reduction) async throws {
        #expect(try await mapReduce([Int](), into: 7, by: reduction, map: { $0 }, reduce: +) == 7)
    }

    @Test(arguments: reductions) func oneElementIsMappedAndNotReduced(reduction: Reduction) async throws {
        let sum = try await mapReduce([3], reducers: 1, by: reduction, map: { $0 * $0 }, reduce: { _, _ in -1 })
        #expect(sum == 9)
        #expect(try await mapReduce([3], into: 1, by: reduction, map: { $0 * $0 }, reduce: +) == 10)
    }

    @Test(arguments: reductions) func squaresOf1To10000SumUpTo333383335000(reduction: Reduction) async throws {
        #expect(try await mapReduce(1...10_000, by: reduction, map: { $0 * $0 }, reduce: +) == 333_383_335_000)
        let limited = try await mapReduce(
            1...10_000,
            mappers: 2,
            reducers: 1,
            by: reduction,
            map: { $0 * $0 },
            reduce: +
        )
        #expect(limited == 333_383_335_000)
    }

    @Test(arguments: reductions) func asynchronousFunctionsSumUpTo333383335000(reduction: Reduction) async throws {
        let sum = try await mapReduce(
            1...10_000,
            mappers: 100,
            by: reduction,
            map: { n async in n * n },
            reduce: { a, b async in a + b }
        )
        #expect(sum == 333_383_335_000)
    }

    @Test func aTreeKeepsTheOrderForAnyCountUpTo40() async throws {
        for count in 1...40 {
            let texts = (0..<count).map { "\($0)." }
            #expect(try await mapReduce(texts, by: .tree, map: { $0 }, reduce: +) == texts.joined())
            let asynchronous = try await mapReduce(
                texts,
                into: "!",
                reducers: 2,
                by: .tree,
                map: { text async in
                    await yield(text.count % 3)
                    return text
                },
                reduce: { a, b async in a + b }
            )
            #expect(asynchronous == "!" + texts.joined())
        }
    }

    @Test func aTreeReducesInTheSameWayEachTime() async throws {
        let numbers = (1...1_000).map { 1 / Double($0) }
        let first = try await mapReduce(numbers, by: .tree, map: { $0 }, reduce: +)
        for _ in 0..<10 {
            #expect(try await mapReduce(numbers, by: .tree, map: { $0 }, reduce: +) == first)
        }
    }

    @Test func eachElementIsMappedOnceAndReducedWithOneReductionLess() async throws {
        for reduction in Self.reductions {
            let (mapped, reduced) = (Occupancy(), Occupancy())
            let count = try await mapReduce(
                0..<500,
                by: reduction,
                map: { _ in
                    mapped.enter()
                    return 1
                },
                reduce: { a, b in
                    reduced.enter()
                    return a + b
                }
            )
            #expect(count == 500 && mapped.total == 500 && reduced.total == 499)
        }
    }

    @Test(arguments: reductions) func neverMoreThan3MappersAnd2ReducersRunAtOnce(reduction: Reduction) async throws {
        let (mapping, reducing) = (Occupancy(), Occupancy())
        let sum = try await mapReduce(
            0..<200,
            mappers: 3,
            reducers: 2,
            by: reduction,
            map: { n async in
                mapping.enter()
                await yield(2)
                mapping.leave()
                return n
            },
            reduce: { a, b async in
                reducing.enter()
                await yield(2)
                reducing.leave()
                return a + b
            }
        )
        #expect(sum == 19_900)
        #expect(mapping.peak <= 3 && mapping.total == 200)
        #expect(reducing.peak <= 2 && reducing.total == 199)
    }

    @Test(arguments: reductions) func anErrorOfTheMapperIsThrown(reduction: Reduction) async throws {
        await #expect(throws: Mishap(number: 5)) {
            try await mapReduce(
                0..<10,
                by: reduction,
                map: { if $0 == 5 { throw Mishap(number: 5) } else { $0 } },
                reduce: +
            )
        }
    }

    @Test(arguments: reductions) func anErrorOfTheReducerIsThrown(reduction: Reduction) async throws {
        await #expect(throws: Mishap.self) {
            try await mapReduce(0..<10, by: reduction, map: { $0 }, reduce: { _, _ in throw Mishap() })
        }
        await #expect(throws: Mishap.self) {
            try await mapReduce(
                0..<10,
                by: reduction,
                map: { n async in n },
                reduce: { _, _ async throws in throw Mishap() }
            )
        }
    }

    @Test func anErrorCancelsMappersThatRun() async throws {
        let (inside, gate) = (Occupancy(), Gate())
        await #expect(throws: Mishap.self) {
            try await mapReduce(
                0..<20,
                map: { n async throws in
                    if n == 19 {
                        while inside.now < 19 { await Task.yield() }
                        throw Mishap()
                    }
                    inside.enter()
                    defer { inside.leave() }
                    try await gate.pass()
                    return n
                },
                reduce: { $0 + $1 }
            )
        }
        #expect(inside.now == 0 && inside.total == 19)
    }

    @Test func cancellationAtAnyMomentLeavesNothingRunningIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let inside = Occupancy()
            var random = SplitMix(seed: seed)
            let reduction = Self.reductions[Int(seed) % 3]
            let patience = Int.random(in: 0..<40, using: &random)
            let mappers = Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil
            let task = Task {
                try await mapReduce(
                    0..<10,
                    mappers: mappers,
                    reducers: mappers,
                    by: reduction,
                    configuration: .init(seed: seed),
                    map: { n async in
                        inside.enter()
                        defer { inside.leave() }
                        await yield(n % 4)
                        return [n]
                    },
                    reduce: { a, b async in
                        inside.enter()
                        defer { inside.leave() }
                        await Task.yield()
                        return a + b
                    }
                )
            }
            await yield(patience)
            task.cancel()
            switch await task.result {
            case .success(let numbers):
                #expect(numbers?.sorted() == Array(0..<10), "seed \(seed)")
                if reduction == .tree { #expect(numbers == Array(0..<10), "seed \(seed)") }
            case .failure(let error): #expect(error is CancellationError, "seed \(seed)")
            }
            #expect(inside.now == 0, "seed \(seed)")
        }
    }

    // MARK: Reporting

    /// A molecule, and what was injected into it.
    private func collector() -> (
        SlowMolecule<Result<Int?, any Error>>, FastMolecule<Void, Result<Int?, any Error>>, Join
    ) {
        Join.define("collector") { join in
            let put = join.slow("put", of: Result<Int?, any Error>.self)
            let take = join.fast("take", returning: Result<Int?, any Error>.self)
            join.answer(take, with: put) { _, value in value }
            return (put, take, join.definition)
        }
    }

    @Test(arguments: reductions) func theResultIsReportedExactlyOnce(reduction: Reduction) async throws {
        for count in [0, 1, 2, 999] {
            let (allDone, result, definition) = collector()
            let running = mapReduceAndReport(0..<count, by: reduction, to: allDone, map: { $0 }, reduce: +)
            #expect(try await result().get() == (count == 0 ? nil : count * (count - 1) / 2))
            try await running.quiescence()
            #expect(definition.statistics.molecules["put"]?.injected == 1)
        }
    }

    @Test func anErrorIsReportedExactlyOnce() async throws {
        let (allDone, result, definition) = collector()
        let running = mapReduceAndReport(
            0..<100,
            to: allDone,
            map: { n async throws -> Int in throw Mishap(number: n) },
            reduce: { $0 + $1 }
        )
        let outcome = try await result()
        #expect(throws: Mishap.self) { try outcome.get() }
        try await running.quiescence()
        #expect(definition.statistics.molecules["put"]?.injected == 1)
    }

    @Test(arguments: reductions) func squaresOf1To10000AreReportedAs333383335000(reduction: Reduction) async throws {
        let (allDone, result, _) = collector()
        mapReduceAndReport(
            1...10_000,
            mappers: 3,
            reducers: 2,
            by: reduction,
            to: allDone,
            map: { $0 * $0 },
            reduce: +
        )
        #expect(try await result().get() == 333_383_335_000)
    }

    @Test func whatIsDeactivatedReportsNothing() async throws {
        let (allDone, _, definition) = collector()
        let (inside, gate) = (Occupancy(), Gate())
        let running = mapReduceAndReport(
            0..<10,
            mappers: 2,
            to: allDone,
            map: { n async throws in
                inside.enter()
                defer { inside.leave() }
                try await gate.pass()
                return n
            },
            reduce: { $0 + $1 }
        )
        try await eventually { inside.now == 2 }
        running.deactivate()
        try await running.quiescence()
        #expect(inside.now == 0 && inside.total == 2)
        #expect(definition.statistics.molecules["put"]?.injected == 0)
    }

    // MARK: Bad input

    @Test func zeroMappersAreRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await mapReduce([1], mappers: 0, map: { $0 }, reduce: +)
        }
        #expect(text(result).contains("mapReduce needs at least 1 mapper, not 0"))
        #expect(text(result).contains("MapReduceTests.swift"))
    }

    @Test func negativeReducersAreRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await mapReduce([Int](), reducers: -2, map: { $0 }, reduce: +)
        }
        #expect(text(result).contains("mapReduce needs at least 1 reducer, not -2"))
    }
}
