import ChemLibrary
import TestSupport
import Testing

/// What a mall does, as a plain value: lists, and no concurrency. The engine has to agree with it on random malls.
struct MallModel {
    struct Operator {
        var inputs: [(kind: Dependency, node: Int)]
        var outputs: [Int]
        var isFeedback = false
        /// Nil if the operator withholds its results.
        var function: @Sendable ([Int]) -> [Int]?
    }

    var operators: [Operator]
    let maxFeedback: Int
    /// All values that each node ever had, the initial one first.
    private(set) var history: [[Int]]
    private var queues: [[[Int]]]
    private var delivered: [[Int]]
    private let order: [Int]

    init(initial: [Int], operators: [Operator], maxFeedback: Int) {
        self.operators = operators
        self.maxFeedback = maxFeedback
        history = initial.map { [$0] }
        queues = operators.map { $0.inputs.map { _ in [] } }
        delivered = operators.map { $0.inputs.map { initial[$0.node] } }
        // Everything that writes an input comes first, then the declaration counts.
        var order: [Int] = []
        while order.count < operators.count {
            let next = operators.indices.first { candidate in
                !order.contains(candidate)
                    && operators[candidate].inputs.allSatisfy { input in
                        operators.indices.allSatisfy {
                            order.contains($0) || operators[$0].isFeedback
                                || !operators[$0].outputs.contains(input.node)
                        }
                    }
            }
            order.append(next!)
        }
        self.order = order
    }

    /// One event from outside, with all that it feeds back.
    mutating func send(_ values: [(node: Int, value: Int)]) {
        var feedback: [(node: Int, value: Int)] = []
        wave(values, &feedback)
        var count = 0
        while !feedback.isEmpty {
            count += 1
            if count > maxFeedback { return }
            wave([feedback.removeFirst()], &feedback)
        }
    }

    private mutating func wave(_ values: [(node: Int, value: Int)], _ feedback: inout [(node: Int, value: Int)]) {
        var changed: Set<Int> = []
        /// What is written to nodes with several writers: the one declared last counts.
        var written: [Int: (writer: Int, value: Int)] = [:]
        func settle(_ node: Int, _ model: inout MallModel) {
            guard let value = written.removeValue(forKey: node)?.value else { return }
            model.put(value, into: node)
            changed.insert(node)
        }
        for (node, value) in values {
            put(value, into: node)
            changed.insert(node)
        }
        for index in order {
            let one = operators[index]
            for input in one.inputs { settle(input.node, &self) }
            let zips = one.inputs.indices.filter { one.inputs[$0].kind == .zip }
            let isComplete = !zips.isEmpty && zips.allSatisfy { !queues[index][$0].isEmpty }
            let isTriggered = one.inputs.contains { $0.kind == .trigger && changed.contains($0.node) }
            guard isComplete || isTriggered else { continue }
            if isComplete { for zip in zips { delivered[index][zip] = queues[index][zip].removeFirst() } }
            let arguments = one.inputs.indices.map {
                one.inputs[$0].kind == .zip ? delivered[index][$0] : history[one.inputs[$0].node].last!
            }
            guard let results = one.function(arguments) else { continue }
            for (node, value) in zip(one.outputs, results) {
                if one.isFeedback {
                    feedback.append((node, value))
                } else if written[node].map({ $0.writer < index }) ?? true {
                    written[node] = (index, value)
                }
            }
        }
        for node in written.keys.sorted() { settle(node, &self) }
    }

    private mutating func put(_ value: Int, into node: Int) {
        history[node].append(value)
        for index in operators.indices {
            for (input, each) in operators[index].inputs.enumerated() where each.kind == .zip && each.node == node {
                queues[index][input].append(value)
            }
        }
    }
}

/// A random mall and a random script for it.
struct RandomMall {
    let inputCount: Int
    let initial: [Int]
    let operators: [MallModel.Operator]
    let isAsynchronous: [Bool]
    let script: [[(node: Int, value: Int)]]
    static let maxFeedback = 7

    init(seed: UInt64) {
        var generator = SmallGenerator(seed: seed)
        func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        let inputCount = random(1...3)
        let nodeCount = inputCount + random(1...6)
        initial = (0..<nodeCount).map { _ in random(-9...9) }
        var operators: [MallModel.Operator] = []
        for _ in 0..<random(1...8) {
            let target = random(inputCount...nodeCount - 1)
            var inputs = (0..<random(1...3)).map { _ in
                (kind: Dependency.allCases[random(0...2)], node: random(0...target - 1))
            }
            if inputs.allSatisfy({ $0.kind == .reads }) { inputs[0].kind = random(0...1) == 0 ? .trigger : .zip }
            var outputs = [target]
            if target + 1 < nodeCount, random(0...2) == 0 { outputs.append(random(target + 1...nodeCount - 1)) }
            operators.append(
                .init(inputs: inputs, outputs: outputs, function: Self.function(random(2...5), outputs.count))
            )
        }
        let source = random(0...nodeCount - 1)
        if random(0...2) > 0, Self.closesCycle(operators, from: source) {
            operators.append(
                .init(inputs: [(.trigger, source)], outputs: [0], isFeedback: true) {
                    $0[0] % 3 == 0 ? nil : [$0[0] - 1]
                }
            )
        }
        self.inputCount = inputCount
        self.operators = operators
        isAsynchronous = operators.map { _ in random(0...4) == 0 }
        script = (0..<random(1...20)).map { _ in
            if random(0...4) > 0 { return [(random(0...inputCount - 1), random(-20...20))] }
            return (0..<inputCount).filter { _ in random(0...1) == 0 }.map { ($0, random(-20...20)) }
        }
    }

    /// Whether an operator from `source` to the first input leads back, and nothing is read on the way. (Where
    /// something is read, the engine cuts the cycle there instead.)
    private static func closesCycle(_ operators: [MallModel.Operator], from source: Int) -> Bool {
        var ahead: Set<Int> = [0]
        var before: Set<Int> = [source]
        for _ in operators {
            for one in operators {
                if one.inputs.contains(where: { ahead.contains($0.node) }) { ahead.formUnion(one.outputs) }
                if one.outputs.contains(where: before.contains) { before.formUnion(one.inputs.map(\.node)) }
            }
        }
        let reads = operators.contains { one in
            one.outputs.contains(where: before.contains)
                && one.inputs.contains { $0.kind == .reads && ahead.contains($0.node) }
        }
        return ahead.contains(source) && !reads
    }

    private static func function(_ divisor: Int, _ count: Int) -> @Sendable ([Int]) -> [Int]? {
        { arguments in
            let sum = arguments.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } % 1_000
            return sum % divisor == 1 ? nil : (0..<count).map { sum + $0 }
        }
    }

    var model: MallModel {
        var model = MallModel(initial: initial, operators: operators, maxFeedback: Self.maxFeedback)
        for event in script where !event.isEmpty { model.send(event) }
        return model
    }

    /// What the engine makes of it: all values of each node.
    func run(mode: FlowGraph.Mode) async throws -> [[Int]] {
        let nodes = initial.enumerated().map { index, value -> any MallNode<Int> in
            if index < inputCount { MallInput(value) } else { MallStore(value) }
        }
        let logs = nodes.map { _ in Log<Int>() }
        let mall = TestMall {
            for (index, one) in operators.enumerated() { Self.op(one, nodes, isAsynchronous: isAsynchronous[index]) }
            for (node, log) in zip(nodes, logs) { Self.note(node, log) }
        }
        let graph = mall.open(mode: mode, maxFeedback: Self.maxFeedback)
        for event in script where !event.isEmpty {
            graph.transaction { for (node, value) in event { Self.send(value, to: nodes[node]) } }
        }
        try await graph.quiescence()
        return zip(initial, logs).map { [$0] + $1.all }
    }

    private static func send(_ value: Int, to node: any MallNode<Int>) { (node as! MallInput<Int>).send(value) }

    private static func note(_ node: some MallNode<Int>, _ log: Log<Int>) -> DataOp { log.noting(node) }

    private static func op(
        _ one: MallModel.Operator,
        _ nodes: [any MallNode<Int>],
        isAsynchronous: Bool
    ) -> DataOp {
        let inputs = one.inputs.map { (kind: $0.kind, node: nodes[$0.node]) }
        let body = one.function
        func output(_ node: some MallNode<Int>) -> OutputNode<Int> { ~>node }
        if one.outputs.count == 1 {
            let function = DynamicInputs.function(inputs, isAsynchronous: isAsynchronous) {
                values -> PossibleResult<Int> in
                body(values).map { .value($0[0]) } ?? .stop
            }
            return DataOpBuilder.buildPartialBlock(accumulated: function, next: output(nodes[one.outputs[0]]))
        }
        let function = DynamicInputs.function(inputs, isAsynchronous: isAsynchronous) {
            values -> PossibleResult<(Int, Int)> in
            body(values).map { .value(($0[0], $0[1])) } ?? .stop
        }
        let first = DataOpBuilder.buildPartialBlock(accumulated: function, next: output(nodes[one.outputs[0]]))
        return DataOpBuilder.buildFinalResult(
            DataOpBuilder.buildPartialBlock(accumulated: first, next: output(nodes[one.outputs[1]]))
        )
    }
}

extension RandomMall: CustomStringConvertible {
    var description: String {
        let lines = operators.enumerated().map { index, one in
            "\(one.inputs.map { "\($0.node)\($0.kind.rawValue)" }.joined(separator: " ")) → \(one.outputs)"
                + "\(one.isFeedback ? " back" : "")\(isAsynchronous[index] ? " async" : "")"
        }
        return "inputs \(inputCount) initial \(initial)\n" + lines.joined(separator: "\n") + "\nscript \(script)"
    }
}

@Suite("Mall model", .endsInTime)
struct MallModelTests {
    @Test("The pure model by itself: a trigger, a reading, a zip, a cycle")
    func model() {
        var model = MallModel(
            initial: [0, 0, 0],
            operators: [
                .init(inputs: [(.trigger, 0), (.reads, 1)], outputs: [2]) { [$0[0] * 10 + $0[1]] },
                .init(inputs: [(.zip, 0), (.zip, 1)], outputs: [2]) { [$0[0] * 1_000 + $0[1]] },
                .init(inputs: [(.trigger, 0)], outputs: [0], isFeedback: true) { $0[0] == 3 ? [4] : nil },
            ],
            maxFeedback: 5
        )
        model.send([(0, 1)])
        model.send([(1, 2)])
        model.send([(0, 3)])
        model.send([(1, 5)])
        let expected: [[Int]] = [[0, 1, 3, 4], [0, 2, 5], [0, 10, 1_002, 32, 42, 3_005]]
        #expect(model.history == expected)
    }

    @Test("Thousands of random malls and scripts: the engine agrees with the model, in both modes")
    func randomMalls() async throws {
        #if DEBUG
            let seeds: UInt64 = 1_000
        #else
            let seeds: UInt64 = 6_000
        #endif
        var updates = 0
        for seed in 0..<seeds {
            let mall = RandomMall(seed: seed)
            let expected = mall.model.history
            updates += expected.reduce(0) { $0 + $1.count - 1 }
            let fused = try await mall.run(mode: .fused)
            try #require(fused == expected, "seed \(seed), fused:\n\(mall)")
            let reference = try await mall.run(mode: .reference)
            try #require(reference == expected, "seed \(seed), reference:\n\(mall)")
        }
        #expect(updates > Int(seeds) * 20)
    }
}
