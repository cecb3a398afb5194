import ChemActors
import ChemLibrary
import Streams
import TestSupport
import Testing

@testable import Exploring

/// Something of the library that tasks share, and what each of them does to it.
private struct Shared: CustomTestStringConvertible, Sendable {
    typealias Part = @Sendable () async throws -> String

    let testDescription: String
    let make: @Sendable () async throws -> [Part]

    init(_ description: String, _ make: @escaping @Sendable () async throws -> [Part]) {
        testDescription = description
        self.make = make
    }

    private static func nothing(_ body: @escaping @Sendable () async throws -> Void) -> Part {
        {
            try await body()
            return ""
        }
    }

    /// A question that an actor has kept, and who has asked it.
    private static func question() async throws -> (ReplyTo<Int>, Task<Int, any Error>) {
        let kept = JoinPromise<ReplyTo<Int>>()
        let actor = MailboxActor(state: 0) { (_, reply: ReplyTo<Int>, _) in kept.fulfill(reply) }.start()
        let asking = Task { try await actor.ask { $0 } }
        return (try await kept.future.value(), asking)
    }

    static let all: [Shared] = [
        Shared("a cell of a stream") {
            let source = EventSource<Int>()
            let cell = source --^ Streams.Cell(initialValue: 0)
            let graph = cell.graph
            return [
                nothing { source.send(1) },
                { "\(cell.value)" },
                {
                    try await source.sendAndWait(2)
                    return "\(cell.value) \(graph.statistics.waves)"
                },
            ]
        },
        Shared("a mall") {
            let mall = SmallMall(input: MallInput(0), output: MallOutput(0))
            let graph = mall.open()
            return [
                nothing { withExtendedLifetime(graph) { mall.input.send(1) } },
                { "\(mall.output.value)" },
                {
                    try await mall.input.sendAndWait(2)
                    return "\(mall.output.value)"
                },
            ]
        },
        Shared("a graph that is cancelled") {
            let source = EventSource<Int>()
            let cell = source --^ Streams.Cell(initialValue: 0)
            let graph = cell.graph
            return [
                nothing { source.send(1) },
                {
                    await graph.cancel()
                    return "\(cell.value)"
                },
            ]
        },
        Shared("a mailbox actor that is stopped") {
            let log = Trial.Log<String>()
            let actor = MailboxActor(state: "") { (state, message: String, _) in log.add(message) }.start()
            return [
                { "\(actor.tell("a"))" },
                { "\(actor.isTerminating)" },
                {
                    actor.stop(.now)
                    try await actor.termination()
                    return "\(log.all)"
                },
            ]
        },
        Shared("a mailbox actor that is drained") {
            let log = Trial.Log<String>()
            let actor = MailboxActor(state: "") { (state, message: String, _) in log.add(message) }.start()
            return [
                { "\(actor.tell("a"))" },
                { "\(actor.tell("b"))" },
                {
                    actor.stop(.drain)
                    try await actor.termination()
                    return "\(log.all)"
                },
            ]
        },
        Shared("a question that two answer") {
            let (reply, asking) = try await question()
            return [
                { "\(try await asking.value)" },
                { "\(reply(1))" },
                { "\(reply(2))" },
            ]
        },
        Shared("a question that one answers and one asks about") {
            let (reply, asking) = try await question()
            return [
                { "\(try await asking.value)" },
                { "\(reply(1))" },
                { "\(reply.isAbandoned)" },
            ]
        },
        Shared("a cell of a graph that isn't sealed yet") {
            let source = EventSource<Int>()
            let cell = source --^ Streams.Cell(initialValue: 0)
            return [
                { "\(cell.value)" },
                nothing { try await source.sendAndWait(1) },
                { "\(cell.value)" },
            ]
        },
        Shared("a promise") {
            let promise = JoinPromise<Int>()
            return [
                { "\(promise.fulfill(1))" },
                { "\(promise.fulfill(2))" },
                { "\(promise.future.outcome != nil) \(try await promise.future.value())" },
            ]
        },
        Shared("a switch") {
            let toggle = Switch(isOn: false)
            return [
                nothing { try await toggle.on() },
                { "\(try await toggle.isOn())" },
            ]
        },
        Shared("a semaphore") {
            let semaphore = AsyncSemaphore(permits: 1)
            return [
                { "\(semaphore.tryAcquire())" },
                { "\(semaphore.tryAcquire())" },
                nothing { semaphore.release() },
            ]
        },
        Shared("a topic") {
            let topic = Topic<Int>()
            let subscription = topic.subscribe()
            return [
                nothing { topic.publish(1) },
                {
                    topic.finish()
                    return "\(try await subscription.next() ?? 0)"
                },
            ]
        },
        Shared("a counter") {
            let counter = JoinCounter()
            return [nothing { counter.increment() }, { "\(try await counter.value()) \(try await counter.value())" }]
        },
        Shared("a queue by priority") {
            let queue = PriorityQueue<Int, Int>()
            return [
                nothing { queue.put(1, priority: 1) },
                nothing { queue.put(2, priority: 2) },
                { "\(try await queue.take()) \(try await queue.take())" },
            ]
        },
        Shared("a scope with an error") {
            [
                {
                    do {
                        return try await withChemicalMachine(.init(reporter: { _ in })) { _ in
                            let (call, partner) = Join.define("pair") { join in
                                let call = join.fast("call", returning: Int.self)
                                let partner = join.slow("partner", of: Int.self)
                                join.answer(call, with: partner) { _, number in number }
                                return (call, partner)
                            }
                            let work = Join.define("work") { join in
                                let work = join.slow("work", of: Int.self)
                                join.when(work) { number in
                                    if number == 1 { throw CancellationError() }
                                    partner(number)
                                }
                                return work
                            }
                            for number in 1...2 { work(number) }
                            return "\(try await call())"
                        }
                    } catch { return "\(error)" }
                }
            ]
        },
        Shared("a scope in which somebody answers late") {
            [
                {
                    let log = Trial.Log<String>()
                    try await withChemicalMachine(.init(reporter: { _ in })) { _ in
                        let (call, partner) = Join.define("pair") { join in
                            let call = join.fast("call", returning: Int.self)
                            let partner = join.slow("partner", of: Int.self)
                            join.answer(call, with: partner) { _, number in number }
                            return (call, partner)
                        }
                        let (ask, give) = Join.define("bodies") { join in
                            let (ask, give) = (join.slow("ask"), join.slow("give", of: Int.self))
                            join.when(ask) { _ in
                                do { log.add("\(try await call())") } catch { log.add("\(error)") }
                            }
                            join.when(give) { number in partner(number) }
                            return (ask, give)
                        }
                        give(1)
                        ask()
                    }
                    return "\(log.all)"
                }
            ]
        },
    ]
}

private struct SmallMall: Mall {
    let input: MallInput<Int>
    let output: MallOutput<Int>

    private static func tenfold(_ n: Int) -> Int { n * 10 }

    func prepareDataOpsGraph() -> [DataOp] {
        op {
            input>!
            Self.tenfold
            ~>output
        }
    }
}

@Suite("Who shares something of the library, in every order", .endsInTime)
struct LibraryReductionTests {
    @Test("No end is missed for what is left out", arguments: Shared.all)
    private func ends(shared: Shared) async throws {
        let limit = Soak.isOn ? 20_000 : heavy(1_000, debug: 700)
        let all = try await ends(of: shared, .exhaustive(sharing: .everything, limit: limit))
        for sharing in [Sharing.tasks, .molecules] {
            let some = try await ends(of: shared, .exhaustive(sharing: sharing, limit: limit))
            guard some.areAll else {
                #expect(sharing == .tasks && !all.areAll, "\(sharing)")
                continue
            }
            #expect(all.areAll ? all.ends == some.ends : some.ends.isSuperset(of: all.ends), "\(sharing)")
            #expect(some.runs <= all.runs, "\(sharing)")
        }
    }

    private func ends(of shared: Shared, _ strategy: Strategy) async throws -> (
        ends: Set<String>, runs: Int, areAll: Bool
    ) {
        let ends = Ends()
        let outcome = try await Exploration(strategy, allowing: [.unconsumedMolecules]) { _ in
            let parts = try await shared.make()
            let results = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for (index, part) in parts.enumerated() { group.addTask { (index, try await part()) } }
                return try await group.reduce(into: Array(repeating: "", count: parts.count)) { $0[$1.0] = $1.1 }
            }
            ends.add("\(results)")
        }.outcome()
        #expect(!outcome.hasFailed, "\(strategy): \(String(describing: outcome.failed))")
        return (Set(ends.all.keys), outcome.runs, !outcome.isCutShort)
    }
}
