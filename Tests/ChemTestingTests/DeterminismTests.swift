import ChemActors
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("The same again", .endsInTime)
struct DeterminismTests {
    private struct TryAgain: Error {}

    /// A bit of everything: tasks of all kinds, calls that time out or are cancelled, retries, sleeps, random choices.
    @Sendable private static func mixture(_ machine: ChemicalMachine) async throws {
        let (work, done, tick, definition) = machine.define("mixture") { join in
            join.failurePolicy = .retry(2, backOff: .seconds(1))
            let work = join.slow("work", of: Int.self)
            let result = join.slow("result", of: Int.self)
            let done = join.fast("done", returning: Int.self)
            let tick = join.fast("tick", returning: Int.self)
            let count = join.state("count", 0)
            join.when(work) { number in
                await Task.yield()
                if number % 3 == 0 { try await MachineClock().sleep(for: .milliseconds(number)) }
                result(number)
            }
            join.answer(done, with: result) { _, number in number }
            join.answer(tick, updating: count) { count, _ in
                count += 1
                if count % 4 == 0 { throw TryAgain() }
                return count
            }
            return (work, done, tick, join.definition)
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    work(number)
                    _ = try? await tick()
                    await Task { await Task.yield() }.value
                    _ = try? await done(within: .milliseconds(2))
                }
            }
            group.addTask {
                try? await MachineClock().sleep(for: .milliseconds(1))
                work(9)
            }
        }
        while try done.tryCall() != nil {}
        try await definition.quiescence()
    }

    @Test("A token repeats what has happened, reaction by reaction")
    func tokens() async throws {
        let exploration = Exploration(.once, timeMayPass: true, Self.mixture)
        var logs: Set<[Happening]> = []
        var digest = UInt64(0xcbf2_9ce4_8422_2325)
        for seed in 1...UInt64(Soak.isOn ? 10_000 : 300) {
            let first = Script(.random(SeededGenerator(seed: seed)))
            let (failure, log) = await exploration.perform(first, patience: 0.5, keepsLog: true)
            #expect(failure == nil, "seed \(seed)")
            let token = first.schedule.description
            let second = Script(.schedule(try Schedule(token)))
            let (_, again) = await exploration.perform(second, patience: 0.5, keepsLog: true)
            #expect(again == log, "seed \(seed): \(token)")
            #expect(second.schedule == first.schedule, "seed \(seed): \(token)")
            logs.insert(log)
            // FNV-1a.
            for byte in "\(token) \(log)".utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        #expect(logs.count > 100)
        // CI compares those of debug and release.
        print("digest of \(Soak.isOn ? 10_000 : 300) logs: \(String(digest, radix: 16))")
    }

    /// Threads that do nothing but keep the cores from others.
    private final class Load: Sendable {
        private let isOver = Atomic(false)

        init(threads: Int) {
            for _ in 0..<threads { Thread.detachNewThread { while !self.isOver.load(ordering: .relaxed) {} } }
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    @Test("However busy the cores are")
    func load() async throws {
        let load = Load(threads: 4)
        defer { load.end() }
        let exploration = Exploration(.once, timeMayPass: true, Self.mixture)
        for seed in 1...UInt64(4) {
            let first = Script(.random(SeededGenerator(seed: seed)))
            let (_, log) = await exploration.perform(first, patience: 0.5, keepsLog: true)
            for repetition in 1...(Soak.isOn ? 25_000 : 50) {
                let again = Script(.random(SeededGenerator(seed: seed)))
                let (failure, other) = await exploration.perform(again, patience: 0.5, keepsLog: true)
                guard failure == nil, other == log, again.schedule == first.schedule else {
                    Issue.record("seed \(seed), repetition \(repetition): \(String(describing: failure))")
                    return
                }
            }
        }
    }

    @Test("A thousand tests of an hour each take no time")
    func hours() async throws {
        let begin = ContinuousClock.now
        for _ in 0..<1_000 {
            let outcome = try await Exploration(.once) { machine in
                let ask = machine.define("oracle") { join in
                    let ask = join.fast("ask")
                    join.answer(ask, with: join.slow("never")) { _, _ in }
                    return ask
                }
                do {
                    try await ask(within: .seconds(3_600))
                } catch let error as CallError where error.code == .timedOut {}
            }.outcome()
            #expect(!outcome.hasFailed)
        }
        #expect(begin.duration(to: .now) < .seconds(3_600))
    }
}
