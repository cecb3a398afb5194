import ChemActors
import TestSupport
import Testing

/// Bodies that look whether they are cancelled, and never suspend.
@Suite("Cancellation before the first suspension", .blocksThreads)
struct EarlyCancellationTests {
    private struct Mishap: Error {}

    private static func countUntilCancelled(_ isInside: Signal) -> Int {
        isInside.send()
        var count = 0
        while !Task.isCancelled { count &+= 1 }
        return count
    }

    @Test("The end of a scope cancels it", .endsInTime)
    func scope() async throws {
        let isInside = Signal()
        await #expect(throws: Mishap.self) {
            try await withChemicalMachine { _ in
                let go = Join.define { join in
                    let go = join.slow("go")
                    join.when(go) { _ async in _ = Self.countUntilCancelled(isInside) }
                    return go
                }
                go()
                await isInside.wait()
                throw Mishap()
            }
        }
    }

    @Test("A deactivation cancels it", .endsInTime)
    func deactivation() async throws {
        let isInside = Signal()
        let (go, definition) = Join.define { join in
            let go = join.slow("go")
            join.when(go) { _ async in _ = Self.countUntilCancelled(isInside) }
            return (go, join.definition)
        }
        go()
        await isInside.wait()
        definition.deactivate()
        try await definition.quiescence()
    }

    @Test("A deactivation by the body itself cancels it", .endsInTime)
    func ownDeactivation() async throws {
        let seen = Shared(false)
        let definition = Join.define { join in
            let go = join.slow("go")
            let definition = join.definition
            join.when(go) { [unowned definition] _ async in
                definition.deactivate()
                seen.update { $0 = Task.isCancelled }
            }
            go()
            return definition
        }
        try await definition.quiescence()
        #expect(seen.value)
    }

    /// What a call finds: what answers it at once, or what comes later.
    enum Moment: CaseIterable {
        case atOnce, later
    }

    @Test(
        "A caller that is cancelled cancels it, whether or not the call had to wait",
        .endsInTime,
        arguments: Moment.allCases
    )
    func caller(moment: Moment) async throws {
        let isInside = Signal()
        let (count, may, definition) = Join.define { join in
            let count = join.fast("count", returning: Int.self)
            let may = join.slow("may")
            join.answer(count, with: may) { _, _ async in Self.countUntilCancelled(isInside) }
            return (count, may, join.definition)
        }
        if moment == .atOnce { may() }
        let task = Task { try await count() }
        if moment == .later {
            try await until { definition.statistics.molecules["count"]?.present == 1 }
            may()
        }
        await isInside.wait()
        task.cancel()
        let number = try await task.value
        #expect(number >= 0)
    }

    @Test("A caller that was cancelled before its body began finds it cancelled", .endsInTime, arguments: 1...200)
    func earlyCaller(round: Int) async throws {
        let isInside = Signal()
        let count = Join.define { join in
            let count = join.fast("count", returning: Int.self)
            join.answer(count) { _ async in Self.countUntilCancelled(isInside) }
            return count
        }
        let task = Task { try await count() }
        for _ in 0..<round % 20 { await Task.yield() }
        task.cancel()
        _ = await task.result
    }

    @Test("Many are cancelled at once, by callers and by the end of their definition", .endsInTime, arguments: 1...20)
    func storm(seed: UInt64) async throws {
        let (count, go, definition) = Join.define { join in
            let count = join.fast("count", returning: Int.self)
            let go = join.slow("go", of: Int.self)
            join.answer(count) { _ async in
                var count = 0
                while !Task.isCancelled, count < 10_000 {
                    count += 1
                    if count % 1_000 == 0 { await Task.yield() }
                }
                return count
            }
            join.when(go) { limit async in
                var count = 0
                while !Task.isCancelled, count < limit { count += 1 }
            }
            return (count, go, join.definition)
        }
        var random = SplitMix(state: seed)
        let tasks = (0..<50).map { _ in
            go(Int(random.next() % 5_000))
            let task = Task { try await count() }
            if random.next() % 2 == 0 { task.cancel() }
            return task
        }
        if seed % 2 == 0 { definition.deactivate() }
        for task in tasks.shuffled(using: &random) {
            task.cancel()
            switch await task.result {
            case .success(let count): #expect(count <= 10_000, "seed \(seed)")
            case .failure(let error): #expect(error is CancellationError || error is CallError, "seed \(seed)")
            }
        }
        definition.deactivate()
        try await definition.quiescence()
    }
}
