import ChemActors
import TestSupport
import Testing

/// Random scopes. A failure names its seed; `Soak` says how to run that one alone, or many more.
@Suite("Random scopes", .timeLimit(.minutes(120)))
struct ScopeFuzzTests {
    @Test("A scope runs all that was begun, answers what can be answered, ends in its own way, and keeps nothing")
    func randomScopes() async throws {
        for seed in Soak.seeds(heavy(1_000, debug: 300), soak: 30_000) {
            let plan = ScopePlan(seed: seed)
            let living = Living()
            let run = ScopeRun(plan, living)
            let task = Task { try await run.scope() }
            if plan.ending == .cancelled {
                for _ in 0..<plan.patience { await Task.yield() }
                task.cancel()
            }
            let result: Result<Int, any Error>
            do {
                result = try await Patience.end { await task.result }
            } catch {
                Issue.record("seed \(seed) didn't end: \(plan)")
                throw error
            }
            switch (plan.ending, result) {
            case (.quiet, .success(let value)), (.cancelled, .success(let value)):
                // One that is cancelled late has ended before.
                #expect(value == plan.value, "seed \(seed): \(plan)")
                #expect(run.reacted.value == plan.reactions, "seed \(seed): \(plan)")
                #expect(run.answered.value == min(plan.keys, plan.calls), "seed \(seed): \(plan)")
                #expect(run.given.value == plan.calls - run.answered.value, "seed \(seed): \(plan)")
            case (.cancelled, .failure(let error)):
                #expect(error is CancellationError, "seed \(seed): \(error), \(plan)")
            case (.bodyThrows, .failure(let error)), (.closureThrows, .failure(let error)):
                #expect(error as? Small.Flaw == Small.Flaw(number: plan.value), "seed \(seed): \(error), \(plan)")
            default:
                Issue.record("seed \(seed): \(result), \(plan)")
            }
            #expect(run.reacted.value <= plan.reactions, "seed \(seed): \(plan)")
            #expect(run.running.value == 0, "seed \(seed), bodies that the scope didn't await: \(plan)")
            await living.areGone()
        }
    }
}

/// What is to happen in a scope, all of it from the seed.
private struct ScopePlan: Sendable, CustomStringConvertible {
    enum Ending: CaseIterable { case quiet, cancelled, bodyThrows, closureThrows }

    let ending: Ending
    let value: Int
    let workers: Int
    /// Whether each relay has an asynchronous body.
    let relays: [Bool]
    /// Where each token begins, and how often it is passed on.
    let tokens: [(relay: Int, hops: Int)]
    /// How many calls bodies make, and how many of them can be answered.
    let calls, keys: Int
    let isNested: Bool
    /// After how many turns of the scheduler somebody cancels.
    let patience: Int

    init(seed: UInt64) {
        var random = SplitMix(state: seed)
        ending = Ending.allCases.randomElement(using: &random) ?? .quiet
        value = Int.random(in: 0..<1_000, using: &random)
        workers = Int.random(in: 1...4, using: &random)
        relays = (0..<Int.random(in: 1...4, using: &random)).map { _ in Bool.random(using: &random) }
        let count = Int.random(in: 0...20, using: &random)
        tokens = (0..<count).map { [relays] _ in
            (relays.indices.randomElement(using: &random) ?? 0, Int.random(in: 0...12, using: &random))
        }
        calls = Int.random(in: 0...6, using: &random)
        keys = Int.random(in: 0...6, using: &random)
        isNested = Bool.random(using: &random)
        patience = Int.random(in: 0...40, using: &random)
    }

    /// How many reactions the tokens cause.
    var reactions: Int { tokens.reduce(0) { $0 + $1.hops + 1 } }

    var description: String {
        "\(ending) after \(patience), \(workers) workers, relays \(relays), tokens \(tokens), "
            + "\(calls) calls, \(keys) keys, nested \(isNested)"
    }
}

/// A plan, carried out.
private struct ScopeRun: Sendable {
    private struct Token: Sendable {
        let hops: Int
        let payload: Payload
    }

    let plan: ScopePlan
    let living: Living
    let reacted = Tally()
    let running = Tally()
    let answered = Tally()
    /// Calls that nothing could answer.
    let given = Tally()

    init(_ plan: ScopePlan, _ living: Living) {
        self.plan = plan
        self.living = living
    }

    func scope() async throws -> Int {
        let configuration = ChemicalMachine.Configuration(
            seed: UInt64(plan.value),
            workerLimit: plan.workers,
            reporter: { _ in }
        )
        return try await withChemicalMachine(configuration) { machine in
            if plan.isNested {
                // What a child task defines belongs to the scope as well.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try begin() }
                    try await group.waitForAll()
                }
            } else {
                try begin()
            }
            return plan.value
        }
    }

    private func begin() throws {
        let relays = makeRelays()
        let (call, key) = makeCalls()
        for index in 0..<max(plan.tokens.count, plan.calls, plan.keys) {
            if index < plan.calls { call(Payload(living)) }
            if index < plan.tokens.count {
                relays[plan.tokens[index].relay](Token(hops: plan.tokens[index].hops, payload: Payload(living)))
            }
            if index < plan.keys { key(Payload(living)) }
        }
        switch plan.ending {
        case .quiet, .cancelled: break
        case .bodyThrows: Small.inBody { [plan] in throw Small.Flaw(number: plan.value) }
        case .closureThrows: throw Small.Flaw(number: plan.value)
        }
    }

    /// Each passes tokens on to itself and to those before it.
    private func makeRelays() -> [SlowMolecule<Token>] {
        var relays: [SlowMolecule<Token>] = []
        for (index, isAsynchronous) in plan.relays.enumerated() {
            relays.append(
                Join.define("relay \(index)") { [relays, reacted, running] join in
                    let relay = join.slow("token", of: Token.self)
                    let all = relays + [relay]
                    if isAsynchronous {
                        let passed = join.state("passed", 0)
                        join.when(relay, updating: passed) { passed, token in
                            running.add()
                            defer { running.add(-1) }
                            await Task.yield()
                            passed += 1
                            reacted.add()
                            guard token.hops > 0 else { return }
                            all[(token.hops + passed) % all.count](
                                Token(hops: token.hops - 1, payload: token.payload)
                            )
                        }
                    } else {
                        join.when(relay) { token in
                            running.add()
                            defer { running.add(-1) }
                            reacted.add()
                            guard token.hops > 0 else { return }
                            all[token.hops % all.count](Token(hops: token.hops - 1, payload: token.payload))
                        }
                    }
                    return relay
                }
            )
        }
        return relays
    }

    /// Bodies that make a call, and what calls are answered with.
    private func makeCalls() -> (call: SlowMolecule<Payload>, key: SlowMolecule<Payload>) {
        let (call, key) = Join.define("calls") { [running, answered, given] join in
            let call = join.slow("call", of: Payload.self)
            let key = join.slow("key", of: Payload.self)
            let open = join.fast("open", of: Payload.self, returning: Payload.self)
            join.when(call) { payload in
                running.add()
                defer { running.add(-1) }
                do {
                    _ = try await open(payload)
                    answered.add()
                } catch let error as CallError where error.code == .neverAnswerable {
                    given.add()
                }
            }
            join.answer(open, with: key) { _, key in key }
            return (call, key)
        }
        return (call, key)
    }
}
