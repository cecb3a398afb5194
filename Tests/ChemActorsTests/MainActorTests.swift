import ChemActors
import Dispatch
import Foundation
import TestSupport
import Testing

/// Counter chemistry on the main actor, as in CocoaJoin.
private func counter() -> (inc: SlowMolecule<Void>, value: FastMolecule<Void, Int>, StateReader<Int>, Join) {
    let (inc, value, reader, definition) = Join.define("counter", on: MainActor.self) { join in
        let count = join.state("count", 0)
        let inc = join.slow("inc")
        let value = join.fast("value", returning: Int.self)
        join.when(inc, updating: count) { n, _ in
            MainActor.preconditionIsolated()
            n += 1
        }
        join.answer(value, reading: count) { n, _ in
            MainActor.preconditionIsolated()
            return n
        }
        return (inc, value, count.reader, join.definition)
    }
    return (inc, value, reader, definition)
}

/// Whether this is where the main actor's jobs run: the main thread, or on Linux the thread that serves the main queue.
private func isOnMainThread() -> Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) != nil
}

private let mainQueueKey: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
}()

@Suite(.endsInTime)
struct MainActorTests {
    @MainActor static var plain = 0

    @Test func bodiesOnTheMainActorRunThere() async throws {
        let log = Record<Int>()
        let (a, b, definition) = Join.define("mixed") { join in
            let (a, b) = (join.slow("a", of: Int.self), join.slow("b", of: Int.self))
            join.when(a, on: MainActor.self) { n in
                MainActor.preconditionIsolated()
                MainActorTests.plain += n
                log.append(n)
            }
            join.when(a, b, on: MainActor.self) { n, m in
                await Task.yield()
                MainActorTests.plain += n + m
                log.append(n + m)
            }
            return (a, b, join.definition)
        }
        for n in 1...100 { a(n) }
        b(1_000)
        try await definition.quiescence()
        a(1)
        try await definition.quiescence()
        let sum = await Self.plain
        #expect(log.all.reduce(0, +) == sum)
        #expect(sum == 5_051 || sum == 6_051)
    }

    @Test @MainActor func example3OfCocoaJoinNeedsNoWait() {
        let (inc, _, value, _) = counter()
        inc()
        inc()
        #expect(value.value == 2)
    }

    @Test @MainActor func aFastCallOnTheMainActorIsAnswered() async throws {
        let (inc, value, _, _) = counter()
        for n in 1...100 {
            inc()
            #expect(try await value() == n)
        }
    }

    @Test func fastCallsFromElsewhereAreAnswered() async throws {
        let (inc, value, _, definition) = counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    inc()
                    let count = try await value()
                    #expect((0...50).contains(count))
                }
            }
            try await group.waitForAll()
        }
        try await definition.quiescence()
        #expect(try await value() == 50)
        try await definition.quiescence()
        #expect(definition.statistics.isBalanced)
    }

    @Test @MainActor func nestedInjectionsRunBeforeTheOutermostReturns() {
        let log = Record<String>()
        let second = Join.define("second", on: MainActor.self) { join in
            let note = join.slow("note", of: Int.self, order: .oldestFirst)
            join.when(note) { n in
                MainActor.preconditionIsolated()
                log.append("second \(n)")
            }
            return note
        }
        let first = Join.define("first", on: MainActor.self) { join in
            let go = join.slow("go", of: Int.self, order: .oldestFirst)
            join.when(go) { n in
                log.append("begin \(n)")
                second(n)
                if n > 0 { go(n - 1) }
                log.append("end \(n)")
            }
            return go
        }
        first(3)
        let all = log.all
        #expect(all.count == 12)
        // Queued: no body begins inside of another.
        for n in 0...3 {
            let begin = all.firstIndex(of: "begin \(n)")
            #expect(begin.map { all[$0 + 1] } == "end \(n)")
        }
        #expect(all.filter { $0.hasPrefix("second") } == ["second 3", "second 2", "second 1", "second 0"])
    }

    @Test @MainActor func manyInjectionsIntoASecondDefinitionStayCheap() async throws {
        let (second, definition) = Join.define("second", on: MainActor.self) { join in
            let note = join.slow("note", of: Int.self)
            join.when(note) { _ in }
            return (note, join.definition)
        }
        let first = Join.define("first", on: MainActor.self) { join in
            let go = join.slow("go", of: Int.self)
            join.when(go) { count in for n in 0..<count { second(n) } }
            return go
        }
        func time(_ count: Int) -> Duration { ContinuousClock().measure { first(count) } }
        // Ten times as many take about ten times as long, not a hundred times. Other tests run meanwhile, so the
        // shortest of several looks counts: with quadratic cost none would be short.
        var few = Duration.seconds(3600)
        var many = few
        var rounds = 0
        repeat {
            few = min(few, time(10_000))
            many = min(many, time(100_000))
            rounds += 1
        } while many >= few * 40 && rounds < 30
        #expect(many < few * 40, "\(many) against \(few)")
        try await definition.quiescence()
        #expect(definition.statistics.molecules["note"]?.consumed == 110_000 * rounds)
    }

    @Test func injectionsFromOtherTasksArriveInEachSendersOrder() async throws {
        let log = Record<(Int, Int)>()
        let (note, definition) = Join.define("notes", on: MainActor.self) { join in
            let note = join.slow("note", of: (Int, Int).self, order: .oldestFirst)
            join.when(note) { log.append($0) }
            return (note, join.definition)
        }
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask { for n in 0..<2_000 { note((sender, n)) } }
            }
        }
        try await definition.quiescence()
        let all = log.all
        for sender in 0..<8 { #expect(all.filter { $0.0 == sender }.map(\.1) == Array(0..<2_000)) }
    }

    @Test func endlessChemistryLeavesTheMainActorToOthers() async throws {
        let reactions = Tally()
        let (go, definition) = Join.define("endless", on: MainActor.self) { join in
            let go = join.slow("go")
            join.when(go) { _ in
                reactions.add()
                go()
            }
            return (go, join.definition)
        }
        let turns = try await Patience.end { @MainActor in
            go()
            // The injection has come back. Now both take turns.
            var turns: [Int] = []
            for _ in 0..<20 {
                await Task.yield()
                turns.append(reactions.value)
            }
            return turns
        }
        #expect(turns.count == 20)
        definition.deactivate()
        try await Patience.end { try await definition.quiescence() }
        let end = reactions.value
        #expect(end >= 1_000)
        for _ in 0..<100 { await Task.yield() }
        #expect(reactions.value == end)
    }

    @Test func asynchronousBodiesWorkToo() async throws {
        let log = Record<Int>()
        let (go, double, definition) = Join.define("asynchronous", on: MainActor.self) { join in
            let go = join.slow("go", of: Int.self)
            let done = join.slow("done", of: Int.self)
            let double = join.fast("double", of: Int.self, returning: Int.self)
            join.when(go) { n in
                await Task.yield()
                done(n)
            }
            join.when(done) { n in
                MainActor.preconditionIsolated()
                log.append(n)
            }
            join.answer(double) { n in
                await Task.yield()
                return 2 * n
            }
            return (go, double, join.definition)
        }
        for n in 0..<500 { go(n) }
        #expect(try await double(21) == 42)
        try await definition.quiescence()
        #expect(log.all.sorted() == Array(0..<500))
    }

    @Test func pauseAndResumeHoldForTheMainActor() async throws {
        let (inc, _, value, definition) = counter()
        definition.pause()
        await MainActor.run {
            inc()
            #expect(value.value == 0)
            definition.resume()
            #expect(value.value == 1)
            definition.pause()
            inc()
        }
        definition.resume()
        try await definition.quiescence()
        #expect(value.value == 2)
    }

    @Test func aScopeWaitsForItsDefinitionsOnTheMainActor() async throws {
        for _ in 0..<50 {
            let log = Record<Int>()
            try await Patience.end {
                try await withChemicalMachine { _ in
                    let go = Join.define("main", on: MainActor.self) { join in
                        let go = join.slow("go", of: Int.self)
                        join.when(go) { n in
                            MainActor.preconditionIsolated()
                            log.append(n)
                            if n > 0 { go(n - 1) }
                        }
                        return go
                    }
                    go(10)
                }
            }
            #expect(log.count == 11)
        }
    }

    @Test(.blocksThreads) func aDeadlockIsNoticedWhenTheMainActorWasTheLastToWork() async throws {
        let codes = Record<CallError.Code?>()
        let hasReturned = Flag()
        try await Patience.end {
            try await withChemicalMachine { machine in
                Small.inBody { codes.append(await Small.codeOf(Small.meeting().call)) }
                #expect(await Patience.until { machine.statistics.waitingCalls == 1 })
                let isInside = Flag()
                Join.define("main", on: MainActor.self) { join in
                    let go = join.slow("go")
                    join.when(go) { _ in
                        isInside.raise()
                        hasReturned.block()
                        // The scope's closure is about to return. If it has looked before this ends, somebody must look
                        // again.
                        let deadline = ContinuousClock.now + .milliseconds(100)
                        while ContinuousClock.now < deadline {}
                    }
                    go()
                }
                #expect(await Patience.until { isInside.isRaised })
                hasReturned.raise()
            }
        }
        #expect(codes.all == [.neverAnswerable])
    }

    @Test(arguments: [false, true])
    func aBodyThatIsTriedAgainRunsOnTheMainActorToo(injectsThere: Bool) async throws {
        let attempts = Record<Bool>()
        let (job, definition) = ChemicalMachine(.init(reporter: { _ in })).define("failing", on: MainActor.self) {
            join in
            join.failurePolicy = .retry(3, backOff: .milliseconds(1))
            let job = join.slow("job")
            let count = join.state("count", 0)
            join.when(job, updating: count) { count, _ in
                attempts.append(MainActor.assumeIsolated { true })
                count += 1
                if count < 4 { throw Small.Flaw() }
            }
            return (job, join.definition)
        }
        if injectsThere { await MainActor.run { job() } } else { job() }
        try await definition.quiescence()
        #expect(attempts.count == 4)
    }

    @Test @MainActor func aConcurrentBodyOfADefinitionOnTheMainActorDoesNotBeginThere() async throws {
        let places = Record<Bool>()
        let (job, definition) = Join.define("mixed", on: MainActor.self) { join in
            let job = join.slow("job")
            join.when(job) { @concurrent _ async in places.append(isOnMainThread()) }
            return (job, join.definition)
        }
        for _ in 0..<20 { job() }
        try await definition.quiescence()
        #expect(places.all == Array(repeating: false, count: 20))
    }

    @TaskLocal static var caller = "nobody"

    @Test func aBodyOnTheMainActorSeesNothingOfWhoeverInjectsElsewhere() async throws {
        let seen = Record<String>()
        let (go, definition) = Join.define("main", on: MainActor.self) { join in
            let go = join.slow("go")
            join.when(go) { _ in seen.append(Self.caller) }
            return (go, join.definition)
        }
        for _ in 0..<10 {
            try await Self.$caller.withValue("somebody") {
                go()
                try await definition.quiescence()
            }
        }
        #expect(seen.all == Array(repeating: "nobody", count: 10))
    }

    @Test func aBodyOnTheMainActorHasThePriorityOfItsMachineAndNotOfWhoeverInjects() async throws {
        let seen = Record<TaskPriority>()
        let (go, definition) = ChemicalMachine(.init(priority: .utility)).define("main", on: MainActor.self) { join in
            let go = join.slow("go")
            join.when(go) { _ in seen.append(Task.currentPriority) }
            return (go, join.definition)
        }
        for _ in 0..<10 {
            try await Task.detached(priority: .high) {
                go()
                try await definition.quiescence()
            }.value
        }
        #expect(seen.all == Array(repeating: .utility, count: 10))
    }

    @Test func waitingForQuietIsAllowedToWhatABodyOnTheMainActorHasStarted() async throws {
        // The body that injects runs in another definition, and the one on the main actor isn't inside of it.
        for _ in 0..<20 {
            let outcome = Record<String>()
            let gate = ControlProbe.Gate()
            let other = Join.define("other") { join in
                let go = join.slow("go", of: SlowMolecule<Join>.self)
                join.when(go) { [definition = join.definition] show async in
                    show(definition)
                    await gate.pass()
                }
                return go
            }
            let (show, definition) = Join.define("main", on: MainActor.self) { join in
                let show = join.slow("show", of: Join.self)
                join.when(show) { definition in
                    Task { @MainActor in
                        // Runs when this task has suspended: until it has asked, the body of 'other' is held open.
                        Task { @MainActor in gate.open() }
                        do {
                            try await definition.quiescence()
                            outcome.append("quiet")
                        } catch { outcome.append("\(error)") }
                    }
                }
                return (show, join.definition)
            }
            other(show)
            #expect(await Patience.until { outcome.count == 1 })
            #expect(outcome.all == ["quiet"])
            try await definition.quiescence()
        }
    }
}
