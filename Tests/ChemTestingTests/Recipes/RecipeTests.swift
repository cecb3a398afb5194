import ChemActors
import ChemLibrary
import ChemTesting
import Foundation
import TestSupport
import Testing

@testable import Exploring

@Suite("Every recipe keeps its law", .timeLimit(.minutes(90)))
struct RecipeTests {
    static let recipes: [Trial] =
        Trial.permits(0, of: Trial.semaphore) + [
            .register("a mutex", of: Trial.mutex),
            .register("a lock of readers and writers", of: Trial.readWriteLock),
        ] + Trial.queue("a condition", capacity: 1, isLarge: true, of: Trial.condition)
        + Trial.queue("a channel of one", capacity: 1, of: Trial.channel(capacity: 1))
        + Trial.queue("a channel of two", capacity: 2, of: Trial.channel(capacity: 2))
        + Trial.queue("a channel without bounds", capacity: .max, of: Trial.channel(capacity: nil))
        + [Trial.trying(of: Trial.channel(capacity: nil))]
        + [0, 1, nil].flatMap { capacity -> [Trial] in
            let make = { @Sendable in capacity.map { JoinChannel<Int>(capacity: $0) } ?? .unbounded() }
            let name = capacity.map { "a channel of \($0)" } ?? "a channel without bounds"
            return [
                .closing(name) {
                    let channel = make()
                    return ({ try await channel.send($0) }, { try await channel.receive() }, { channel.close() })
                },
                .cancelling(name) {
                    let channel = make()
                    return ({ try await channel.send($0) }, { try await channel.receive() })
                },
            ]
        }
        + fetches + selections + [
            .priorities(of: Trial.priorityQueue),
            .exchanging {
                let exchanger = Exchanger<Int>()
                return { try await exchanger.exchange($0) }
            },
            .meeting {
                let barrier = Barrier(parties: 3)
                return { try await barrier.arrive() }
            },
            .opening(of: Trial.latch(4)),
            .sharing {
                let pool = ResourcePool([0, 1])
                return { use in try await pool.withResource { try await use($0) } }
            },
            .working {
                let pool = WorkerPool(workers: 2)
                return ({ pool.submit($0) }, { try await pool.drain() })
            },
            .promising(of: Trial.promise),
            .switching(of: Trial.toggle),
            .refusing {
                let toggle = Switch(isOn: true)
                return ({ try await toggle.off() }, { toggle.request($0) })
            },
            .publishing {
                let topic = Topic<Int>()
                return (
                    { topic.publish($0) },
                    {
                        let subscription = topic.subscribe()
                        return { try await subscription.next() }
                    }, { topic.finish() }
                )
            },
            .counting {
                let counter = JoinCounter()
                return ({ counter.increment() }, { try await counter.value() })
            },
            .limiting {
                let limit = RateLimit(2, per: .seconds(1))
                return { try await limit.acquire() }
            },
            .stepping { steps in
                let steps = CancelableSteps(from: 0, steps: steps)
                return ({ try await steps.run().completed }, { try await steps.cancel() })
            },
            .flowing(Trial.pipeline),
            .settling { target in
                let debounce = Debounce(for: .milliseconds(100), to: target)
                return { debounce.send($0) }
            },
            .throttling { target in
                let throttle = Throttle(every: .milliseconds(100), to: target)
                return { throttle.send($0) }
            },
        ] + Trial.functions

    private static let sought = recipes.filter {
        soughtRecipe.isEmpty || $0.testDescription.contains(soughtRecipe)
    }

    private static let fetches: [Trial] =
        [(3, 1), (2, 2), (3, 2), (3, 3)].map { clients, rounds in
            .fetching("from a single flight", clients: clients, rounds: rounds) { fetch in
                let flight = SingleFlight<String, Int> { _ in try await fetch() }
                return { try await flight.value(for: "key") }
            }
        }
        + [(3, 1), (2, 2), (3, 2)].map { clients, rounds in
            .fetching("from a shared refresh", clients: clients, rounds: rounds) { fetch in
                let refresh = SharedRefresh(fetch)
                return { try await refresh.value() }
            }
        }

    private static let selections = [(1, 1), (1, 2), (2, 1), (2, 2)].map { receivers, values -> Trial in
        .selecting(receivers: receivers, values: values) { first, second in
            let select = Select(.from(first), .from(second))
            return { try await select.receive() }
        }
    }

    /// Those that carry an error, or are a part of another one; and those that report to a molecule what `runAll` and
    /// `mapReduce` return.
    private static let withoutLaw: Set<String> = [
        "ChannelClosed", "PipelineFinished", "PromiseBroken", "TimedOut", "JoinFuture", "RunningPipeline",
        "Subscription", "runAllAndReport", "mapReduceAndReport",
    ]

    @Test("No recipe is without a law")
    func allHaveLaws() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let interface = try String(contentsOf: root.appending(path: "Docs/interface/Recipes.txt"), encoding: .utf8)
        let names = Set(
            interface.matches(of: /(?m)^(?:struct (\w+)[ :]|func (\w+)\()/).map { String($0.1 ?? $0.2 ?? "") }
        )
        #expect(names.count > 30)
        let tests = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        for name in names.subtracting(Self.withoutLaw) {
            #expect(tests.contains("\(name)(") || tests.contains("\(name)<"), "\(name) has no law")
        }
    }

    @Test("Under all schedules that matter, or so many of them", arguments: sought)
    func keepsItsLaw(recipe: Trial) async throws {
        let (failure, runs) = try await recipe.failure(mustBeAll: Soak.isOn)
        #expect(failure == nil, "after \(runs) schedules")
    }

    @Test("A recipe with a mistake is found out", arguments: Mutants.all)
    func isFoundOut(mutant: Trial) async throws {
        let (failure, runs) = try await mutant.failure()
        #expect(failure != nil, "in \(runs) schedules")
    }
}

extension Trial {
    /// Runs all schedules that matter, if these aren't too many. Otherwise, so many of them, and then some with
    /// priorities and some at random.
    ///
    /// If `mustBeAll`, and there are too many, all of them have to be run in which no step is interrupted.
    fileprivate func failure(mustBeAll: Bool = false) async throws -> (Exploration.Failure?, runs: Int) {
        let all = Strategy.exhaustive(sharing: sharing, limit: scheduleLimit)
        let outcome = try await outcome(all)
        tell(of: outcome)
        guard outcome.isCutShort else { return (outcome.failed?.failure, outcome.runs) }
        var runs = outcome.runs
        if mustBeAll, !isLarge {
            let outcome = try await self.outcome(all, hasWholeSteps: true)
            tell(of: outcome, "of whole steps")
            #expect(!outcome.isCutShort, "there are more than \(outcome.runs) schedules of whole steps")
            runs += outcome.runs
            if let failed = outcome.failed { return (failed.failure, runs) }
        }
        for strategy in [Strategy.pct(chanceLimit), .uniform(chanceLimit)] {
            let outcome = try await self.outcome(strategy)
            runs += outcome.runs
            if let failed = outcome.failed { return (failed.failure, runs) }
        }
        return (nil, runs)
    }

    private func tell(of outcome: Exploration.Outcome, _ kind: String = "") {
        guard Soak.isOn else { return }
        print(
            "\(testDescription): \(outcome.runs) schedules \(kind)\(outcome.isCutShort ? " of more" : ", which are all")"
        )
    }
}
