import ChemActors
import Foundation
import TestSupport
import Testing

/// Reactions of one definition run at the same time. Bodies here block their threads on purpose: at most as many as
/// cores.
@Suite("Concurrency", .endsInTime, .blocksThreads)  // waiting for a turn included
struct ConcurrencyTests {
    @Test("Two bodies of different reactions, each waiting for the other, both run")
    func twoReactions() async throws {
        for round in 0..<100 {
            let one = Door(), other = Door()
            let met = Guarded(0)
            let (a, b, definition) = Join.define("meeting") { join in
                let a = join.slow("a"), b = join.slow("b")
                join.when(a) { _ in
                    one.open()
                    if other.wait() { met.add() }
                }
                join.when(b) { _ in
                    other.open()
                    if one.wait() { met.add() }
                }
                return (a, b, join.definition)
            }
            a()
            b()
            try await definition.quiescence()
            #expect(met.now == 2, "round \(round)")
        }
    }

    @Test("Two bodies of one reaction, each waiting for the other, both run")
    func oneReaction() async throws {
        for round in 0..<100 {
            let doors = [Door(), Door()]
            let met = Guarded(0)
            let (a, definition) = Join.define("meeting") { join in
                let a = join.slow("a", of: Int.self)
                join.when(a) { n in
                    doors[n].open()
                    if doors[1 - n].wait() { met.add() }
                }
                return (a, join.definition)
            }
            if round.isMultiple(of: 2) {
                a(0)
                a(1)
            } else {
                a.inject(contentsOf: 0...1)
            }
            try await definition.quiescence()
            #expect(met.now == 2, "round \(round)")
        }
    }

    @Test(
        "A reaction that was short a thousand times and then blocks doesn't hold up the others",
        arguments: [1, 100, 1000]
    )
    func shortThenLong(times: Int) async throws {
        for round in 0..<20 {
            let started = Door(), go = Door()
            let passed = Guarded(false)
            let count = Guarded(0)
            let (work, other, definition) = Join.define("changing") { join in
                let work = join.slow("work", of: Bool.self), other = join.slow("other")
                join.when(work) { blocks in
                    count.add()
                    guard blocks else { return }
                    started.open()
                    passed.withLock { $0 = go.wait() }
                }
                join.when(other) { _ in go.open() }
                return (work, other, join.definition)
            }
            work.inject(contentsOf: repeatElement(false, count: times))
            try await definition.quiescence()
            work(true)
            if round.isMultiple(of: 2) { try #require(await onThread { started.wait() }) }
            other()
            try await definition.quiescence()
            #expect(passed.now, "round \(round)")
            #expect(count.now == times + 1)
        }
    }

    @Test("A body that blocks doesn't hold up what it made possible", arguments: [0, 1000])
    func injectThenBlock(shortOnes: Int) async throws {
        for round in 0..<20 {
            let go = Door()
            let passed = Guarded(false)
            let (begin, definition) = Join.define("made possible") { join in
                let begin = join.slow("begin", of: Bool.self), partner = join.slow("partner"), made = join.slow("made")
                join.when(begin) { blocks in
                    guard blocks else { return }
                    made()
                    passed.withLock { $0 = go.wait() }
                }
                join.when(made, partner) { _, _ in go.open() }
                partner()
                return (begin, join.definition)
            }
            begin.inject(contentsOf: repeatElement(false, count: shortOnes))
            try await definition.quiescence()
            begin(true)
            try await definition.quiescence()
            #expect(passed.now, "round \(round)")
        }
    }

    @Test(
        "An asynchronous body that injects and then computes before it first suspends doesn't hold up what it made possible"
    )
    func asynchronousInjectThenBlock() async throws {
        for shortOnes in [0, 1000] {
            let go = Door()
            let passed = Guarded(false)
            let (begin, definition) = Join.define("made possible") { join in
                let begin = join.slow("begin", of: Bool.self), made = join.slow("made")
                join.when(begin) { blocks in
                    if blocks {
                        made()
                        passed.withLock { $0 = go.wait() }
                    }
                    await Task.yield()
                }
                join.when(made) { _ in go.open() }
                return (begin, join.definition)
            }
            begin.inject(contentsOf: repeatElement(false, count: shortOnes))
            try await definition.quiescence()
            begin(true)
            try await definition.quiescence()
            #expect(passed.now)
        }
    }

    @Test("Fast calls go on while a body blocks, waiting or answered at once", arguments: [0, 1000])
    func callsBesideABlock(shortOnes: Int) async throws {
        let started = Door(), go = Door()
        let (work, value, put, get, definition) = Join.define("beside") { join in
            let work = join.slow("work", of: Bool.self)
            let value = join.fast("value", returning: Int.self)
            let put = join.slow("put", of: Int.self)
            let get = join.fast("get", returning: Int.self)
            join.when(work) { blocks in
                guard blocks else { return }
                started.open()
                _ = go.wait()
            }
            join.answer(value) { 7 }
            join.when(get, put) { reply, n in reply(n) }
            return (work, value, put, get, join.definition)
        }
        work.inject(contentsOf: repeatElement(false, count: shortOnes))
        try await definition.quiescence()
        work(true)
        try #require(await onThread { started.wait() })
        for n in 0..<100 {
            #expect(try await value() == 7)
            put(n)
            #expect(try await get() == n)
        }
        go.open()
        try await definition.quiescence()
    }

    @Test("Calls answered at once, again and again, don't hide a body that blocks from whoever should relieve it")
    func inlineCallsDontHideABlock() async throws {
        let started = Door(), go = Door()
        let passed = Guarded(false)
        let (work, other, value, definition) = Join.define("hidden") { join in
            let work = join.slow("work", of: Bool.self), other = join.slow("other")
            let value = join.fast("value", returning: Int.self)
            join.when(work) { blocks in
                guard blocks else { return }
                started.open()
                passed.withLock { $0 = go.wait() }
            }
            join.when(other) { _ in go.open() }
            join.answer(value) { 7 }
            return (work, other, value, join.definition)
        }
        work.inject(contentsOf: repeatElement(false, count: 1000))  // so that its body is taken to be short
        try await definition.quiescence()

        // Threads of their own call again and again: the pool's other thread stays free for the definition.
        let ended = Guarded(false)
        let calls = Signal()
        for seed in 0..<4 as Range<UInt64> {
            Thread {
                let executor = SeededExecutor(seed: seed)
                Task.detached(executorPreference: executor) {
                    while !ended.now { _ = try await value() }
                }
                executor.drain()
                calls.send()
            }.start()
        }
        work(true)
        try #require(await onThread { started.wait() })
        other()
        try await definition.quiescence()
        ended.withLock { $0 = true }
        await calls.wait(for: 4)
        #expect(passed.now)
    }

    @Test("While one definition blocks, a thousand others go on")
    func otherDefinitions() async throws {
        let started = Door(), go = Door()
        let (block, definition) = Join.define("block") { join in
            let block = join.slow("block")
            join.when(block) { _ in
                started.open()
                _ = go.wait()
            }
            return (block, join.definition)
        }
        block()
        try #require(await onThread { started.wait() })
        let count = Guarded(0)
        let others = (0..<1000).map { index in
            Join.define("other \(index)") { join in
                let go = join.slow("go")
                join.when(go) { _ in count.add() }
                return (go, join.definition)
            }
        }
        for (go, _) in others { go() }
        for (_, definition) in others { try await definition.quiescence() }
        #expect(count.now == 1000)
        go.open()
        try await definition.quiescence()
    }

    @Test("Asynchronous bodies run at once in any number: a hundred wait for one another")
    func asynchronousBodies() async throws {
        let (start, definition) = Join.define("barrier") { join in
            let start = join.slow("start"), arrived = join.fast("arrived")
            let waiting = join.slow("waiting", of: [Reply<Void, Void>].self)
            join.when(start) { _ in try await arrived() }
            join.when(arrived, waiting) { reply, others in
                let all = others + [reply]
                if all.count < 100 { return waiting(all) }
                for reply in all { reply() }
                waiting([])
            }
            waiting([])
            return (start, join.definition)
        }
        for _ in 0..<10 {
            start.inject(contentsOf: repeatElement((), count: 100))
            try await definition.quiescence()
        }
    }

    @Test("A definition may dissolve when an asynchronous body ends on the worker that has started it")
    func dissolvesUnderWorker() async throws {
        // The first body takes long, so nothing waits for the next ones: the end of the last one ends the definition.
        let count = Guarded(0)
        for _ in 0..<2000 {
            let definition = Join.define("brief") { join in
                let work = join.slow("work")
                join.when(work) { _ async in
                    count.add()
                    let end = ContinuousClock.now + .microseconds(50)
                    while ContinuousClock.now < end {}
                }
                for _ in 0..<3 { work() }
                return join.definition
            }
            try await definition.quiescence()
        }
        #expect(count.now == 6000)
    }

    /// Blocks a thread that is not the pool's.
    private func onThread(_ work: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: work()) }.start()
        }
    }
}
