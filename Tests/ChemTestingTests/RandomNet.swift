import ChemActors
import Synchronization

@testable import Exploring

/// A chemistry that ends, since what a reaction injects carries less than what it took.
struct RandomNet {
    /// What a rule does with the sum.
    private enum Use {
        case none, update, read
        /// It needs a token, which it gives back or doesn't.
        case borrow, spend
    }

    private struct Rule {
        let inputs: [Int]
        let outputs: [Int]
        /// What it sends to the other definition besides, and whether first.
        let sent: [Int]
        let sendsFirst: Bool
        let use: Use
        let isAsynchronous: Bool
    }

    /// What a task does.
    private enum Action {
        case inject(Int, Int), ask, askSum, attempt, read, giveUp, send(Int), attemptElsewhere, readElsewhere, pause
    }

    private var rules: [Rule] = []
    /// What the other definition does with what comes.
    private var elsewhere = (isOrdered: false, updates: false)
    private var areOrdered: [Bool] = []
    private var begin: [(molecule: Int, value: Int)] = []
    private var tokens = 0
    private var tasks: [[Action]] = []

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = 2 + generator.below(3)
        areOrdered = (0..<count).map { _ in generator.below(2) == 0 }
        var known = Set<[Int]>()
        for _ in 0..<1 + generator.below(4) {
            let inputs = (0..<[1, 1, 1, 2, 2, 3][generator.below(6)]).map { _ in generator.below(count) }.sorted()
            guard known.insert(inputs).inserted else { continue }
            let outputs = (0..<generator.below(3)).map { _ in generator.below(count) }
            let use: Use = [.update, .read, .none, .none, .borrow, .spend][generator.below(6)]
            let isAsynchronous = generator.below(6) == 0
            let sent = (0..<max(0, generator.below(5) - 2)).map { _ in generator.below(2) }
            rules.append(
                Rule(
                    inputs: inputs,
                    outputs: outputs,
                    sent: sent,
                    sendsFirst: generator.below(2) == 0,
                    use: use,
                    isAsynchronous: isAsynchronous
                )
            )
        }
        elsewhere = (generator.below(2) == 0, generator.below(2) == 0)
        for _ in 0..<1 + generator.below(3) { begin.append((generator.below(count), generator.below(3))) }
        tokens = generator.below(3)
        guard generator.below(2) == 0 else { return }
        for _ in 0..<1 + generator.below(2) {
            tasks.append(
                (0..<1 + generator.below(3)).map { _ in
                    switch generator.below(14) {
                    case 0: .ask
                    case 1: .attempt
                    case 2: .read
                    case 3: .askSum
                    case 4: .giveUp
                    case 5: .attemptElsewhere
                    case 6: .readElsewhere
                    case 7, 8: .send(generator.below(2))
                    case 9, 10: .pause
                    default: .inject(generator.below(count), generator.below(2))
                    }
                }
            )
        }
    }

    /// Notes the ends that are reached.
    func explore(_ strategy: Strategy, _ ends: Ends) async throws -> Exploration.Outcome {
        try await Exploration(strategy, allowing: .unconsumedMolecules) { machine in
            // What has happened, in any order.
            let events = Mutex<[String: Int]>([:])
            let note = { @Sendable (event: String) in events.withLock { $0[event, default: 0] += 1 } }
            let (send, get, sent, other) = machine.define("other") { join in
                let send = join.slow("send", of: Int.self, order: elsewhere.isOrdered ? .oldestFirst : .random)
                let get = join.fast("get", returning: Int.self)
                let sum = join.state("sum", 1)
                // Never possible: they keep what is left.
                let never = join.slow("never")
                join.when(never, send) { _, _ in }
                join.when(never, updating: sum) { _, _ in }
                if elsewhere.updates {
                    join.when(send, updating: sum) { sum, value in
                        note("elsewhere \(value)")
                        sum = sum * 3 + value
                    }
                }
                join.answer(get, with: send) { _, value in value }
                return (send, get, sum.reader, join.definition)
            }
            let (names, ask, askSum, sum, definition) = machine.define("net") { join in
                let names = areOrdered.enumerated().map {
                    join.slow("m\($0.offset)", of: Int.self, order: $0.element ? .oldestFirst : .random)
                }
                let ask = join.fast("ask", returning: Int.self)
                let askSum = join.fast("askSum", returning: Int.self)
                let sum = join.state("sum", 1)
                // Never possible: they keep what is left.
                let never = join.slow("never")
                for name in names { join.when(never, name) { _, _ in } }
                join.when(never, updating: sum) { _, _ in }
                let token = join.slow("token")
                join.when(never, token) { _, _ in }
                for _ in 0..<tokens { token() }
                join.answer(ask, with: names[0]) { _, value in value }
                join.answer(ask, with: names[1]) { _, value in value + 100 }
                join.answer(askSum, reading: sum) { sum, _ in sum }
                for (index, rule) in rules.enumerated() {
                    let fire = { @Sendable (values: [Int]) in
                        note("\(index): \(values)")
                        if rule.sendsFirst { for value in rule.sent { send(value) } }
                        if let least = values.min(), least > 0 {
                            for output in rule.outputs { names[output](least - 1) }
                        }
                        if !rule.sendsFirst { for value in rule.sent { send(value) } }
                    }
                    switch (rule.inputs.count, rule.use, rule.isAsynchronous) {
                    case (1, .update, _):
                        join.when(names[rule.inputs[0]], updating: sum) { sum, value in
                            sum = sum * 3 + value
                            fire([value])
                        }
                    case (1, .read, true):
                        join.when(names[rule.inputs[0]], sum.value) { value, sum in
                            note("\(index) reads \(sum)")
                            await Task.yield()
                            fire([value])
                        }
                    case (1, .read, false):
                        join.when(names[rule.inputs[0]], sum.value) { value, sum in
                            note("\(index) reads \(sum)")
                            fire([value])
                        }
                    case (1, .borrow, _):
                        join.when(names[rule.inputs[0]], token) { value, _ in
                            fire([value])
                            token()
                        }
                    case (1, .spend, _):
                        join.when(names[rule.inputs[0]], token) { value, _ in
                            fire([value])
                            if value > 1 { token() }
                        }
                    case (1, .none, true):
                        join.when(names[rule.inputs[0]]) { value in
                            await Task.yield()
                            fire([value])
                        }
                    case (1, .none, false): join.when(names[rule.inputs[0]]) { fire([$0]) }
                    case (2, _, _): join.when(names[rule.inputs[0]], names[rule.inputs[1]]) { fire([$0, $1]) }
                    default:
                        join.when(names[rule.inputs[0]], names[rule.inputs[1]], names[rule.inputs[2]]) {
                            fire([$0, $1, $2])
                        }
                    }
                }
                for (molecule, value) in begin { names[molecule](value) }
                return (names, ask, askSum, sum.reader, join.definition)
            }
            await withTaskGroup(of: Void.self) { group in
                for (number, actions) in tasks.enumerated() {
                    group.addTask {
                        for action in actions {
                            switch action {
                            case .inject(let molecule, let value): names[molecule](value)
                            case .ask:
                                let answer = try? await ask(within: .seconds(1))
                                note("task \(number) got \(answer ?? -1)")
                            case .askSum: note("task \(number) is told \((try? await askSum()) ?? -1)")
                            case .giveUp:
                                let asking = Task { try await ask() }
                                await Task.yield()
                                ChemicalMachine.tellOfCancellation(.cancels)
                                asking.cancel()
                                note("task \(number) got \((try? await asking.value) ?? -1) when it gave up")
                            case .attempt: note("task \(number) took \(((try? ask.tryCall()) ?? nil) ?? -1)")
                            case .read: note("task \(number) read \(sum.value)")
                            case .send(let value): send(value)
                            case .attemptElsewhere: note("task \(number) took \(((try? get.tryCall()) ?? nil) ?? -1)")
                            case .readElsewhere: note("task \(number) read \(sent.value) elsewhere")
                            case .pause: await Task.yield()
                            }
                        }
                    }
                }
            }
            try await definition.quiescence()
            try await other.quiescence()
            let left = [definition, other].flatMap { definition in
                definition.snapshot().molecules.map { "\(definition.name).\($0.key): \($0.value)" }.sorted()
            }
            let all = events.withLock { $0.map { "\($0.key) × \($0.value)" }.sorted() }
            ends.add("\(all), \(left), \(sum.value), \(sent.value)")
        }.outcome()
    }
}
