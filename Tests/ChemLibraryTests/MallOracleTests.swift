import ChemLibrary
import TestSupport
import Testing

/// What the tests of the Mall's Android port count, by their numbers in the checklist.
@Suite("Mall oracle", .endsInTime)
struct MallOracleTests {
    @Test("K1: trigger and reads: 5 × (6 reads, each 7 times, then the trigger 7 times) give 35 times (i, 5)")
    func k1TriggerAndReads() async throws {
        let (trigger, reads) = (MallInput(-1), MallInput(-1))
        let log = Log<[Int]>()
        let graph = TestMall {
            DataOp {
                trigger>!
                reads>?
                compute { (a: Int, b: Int) in log.append([a, b]) }
                ~>devNull
            }
        }.open()
        for i in 0..<5 {
            for value in 0..<6 { for _ in 0..<7 { reads.send(value) } }
            for _ in 0..<7 { trigger.send(i) }
        }
        try await graph.quiescence()
        let wanted: [[Int]] = (0..<5).flatMap { (i: Int) -> [[Int]] in [[Int]](repeating: [i, 5], count: 7) }
        #expect(log.all == wanted)
    }

    @Test("K2: two triggers: 10 × 4 × (a = i, b = i) give 80 results, first (i, i-1), then 7 times (i, i)")
    func k2TwoTriggers() async throws {
        let (a, b) = (MallInput(-1), MallInput(-1))
        let log = Log<[Int]>()
        let graph = TestMall {
            DataOp {
                a>!
                b>!
                compute { (a: Int, b: Int) in log.append([a, b]) }
                ~>devNull
            }
        }.open()
        for i in 0..<10 {
            for _ in 0..<4 {
                a.send(i)
                b.send(i)
            }
        }
        try await graph.quiescence()
        let wanted: [[Int]] = (0..<10).flatMap { (i: Int) -> [[Int]] in
            [[i, i - 1]] + [[Int]](repeating: [i, i], count: 7)
        }
        #expect(log.all == wanted)
    }

    @Test("K3: a zip of two independent producers of 20 × 5 values gives 100 results, none is lost")
    func k3ZipOfProducers() async throws {
        for seed in 0..<20 {
            let (a, b) = (MallInput(0), MallInput(0))
            let log = Log<Int>()
            let graph = TestMall {
                DataOp {
                    a>%
                    b>%
                    compute { (a: Int, b: Int) in log.append(a + b) }
                    ~>devNull
                }
            }.open()
            await withDiscardingTaskGroup { group in
                for input in [a, b] {
                    group.addTask { for i in 0..<20 { for _ in 0..<5 { input.send(i) } } }
                }
            }
            try await graph.quiescence()
            let wanted: [Int] = (0..<20).flatMap { [Int](repeating: 2 * $0, count: 5) }
            #expect(log.all == wanted, "seed \(seed)")
            #expect(graph.statistics.pending == 0)
        }
    }

    @Test("K5: three triggers, fed in turn, give a result for each value")
    func k5ThreeTriggers() async throws {
        let isRight = try await results(of: [.trigger, .trigger, .trigger]) { (i: Int) -> [[Int]] in
            [[i, i - 1, i - 1], [i, i, i - 1], [i, i, i]]
        }
        #expect(isRight)
    }

    @Test("K6: two triggers and a reading: only the triggers' values give results, with the latest that is read")
    func k6TwoTriggersAndReads() async throws {
        let isRight = try await results(of: [.trigger, .trigger, .reads]) { (i: Int) -> [[Int]] in
            [[i, i - 1, i - 1], [i, i, i - 1]]
        }
        #expect(isRight)
    }

    @Test("K7: one trigger and two readings: a result for each value of the trigger")
    func k7TriggerAndTwoReads() async throws {
        let isRight = try await results(of: [.reads, .reads, .trigger]) { (i: Int) -> [[Int]] in [[i, i, i]] }
        #expect(isRight)
    }

    /// Feeds the inputs in turn, 10 rounds, and compares with what each round has to give.
    private func results(of kinds: [Dependency], _ expected: (Int) -> [[Int]]) async throws -> Bool {
        let inputs = kinds.map { _ in MallInput(-1) }
        let log = Log<[Int]>()
        let function = DynamicInputs.function(zip(kinds, inputs).map { ($0, $1) }, isAsynchronous: false) {
            log.append($0)
        }
        let graph = TestMall { DataOpBuilder.buildPartialBlock(accumulated: function, next: ~>devNull) }.open()
        for round in 0..<10 { for input in inputs { input.send(round) } }
        try await graph.quiescence()
        return log.all == (0..<10).flatMap(expected)
    }

    @Test("K9: two zips and a reading: a result for each pair, with the latest that is read")
    func k9ZipsAndReads() async throws {
        let isRight = try await results(of: [.zip, .reads, .zip]) { (i: Int) -> [[Int]] in [[i, i, i]] }
        #expect(isRight)
        let isRightToo = try await results(of: [.zip, .zip, .reads]) { (i: Int) -> [[Int]] in [[i, i, i - 1]] }
        #expect(isRightToo)
    }

    @Test("K10: every mix of four inputs: each round gives a result for each trigger, and one for the zips")
    func k10EveryMix() async throws {
        var mixes = 0
        for number in 0..<81 {
            let kinds = [27, 9, 3, 1].map { Dependency.allCases[number / $0 % 3] }
            let (triggers, zips) = (kinds.count { $0 == .trigger }, kinds.count { $0 == .zip })
            if triggers + zips == 0 || zips == 1 { continue }
            mixes += 1
            let inputs = kinds.map { _ in MallInput(-1) }
            let log = Log<[Int]>()
            let function = DynamicInputs.function(zip(kinds, inputs).map { ($0, $1) }, isAsynchronous: false) {
                log.append($0)
            }
            let graph = TestMall { DataOpBuilder.buildPartialBlock(accumulated: function, next: ~>devNull) }.open()
            for round in 0..<5 {
                for input in inputs { try await input.sendAndWait(round) }
                let name = kinds.map(\.rawValue).joined()
                let expected = (round + 1) * (triggers + (zips > 0 ? 1 : 0))
                #expect(log.all.count == expected, "\(name), round \(round)")
                let last = try #require(log.all.last, "\(name)")
                let zipped = zip(kinds, last).filter { $0.0 == .zip }.map(\.1)
                #expect(zipped.allSatisfy { $0 == round }, "\(name)")
            }
            #expect(graph.statistics.pending == 0)
        }
        #expect(mixes == 48)
    }

    @Test("K11: a zip of 2 to 9 inputs, each round in shuffled order, gives the tuples of the rounds")
    func k11ManyZips() async throws {
        for seed in 0..<10 {
            var generator = SmallGenerator(seed: UInt64(seed))
            let nodes = (0..<9).map { _ in MallInput(-1) }
            let (a, b, c, d, e) = (nodes[0], nodes[1], nodes[2], nodes[3], nodes[4])
            let (f, g, h, i) = (nodes[5], nodes[6], nodes[7], nodes[8])
            let logs = (0...9).map { _ in Log<[Int]>() }
            let graph = TestMall {
                DataOp {
                    a>%; b>%; compute { (a: Int, b: Int) in logs[2].append([a, b]) }; ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; compute { (a: Int, b: Int, c: Int) in logs[3].append([a, b, c]) }; ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; d>%
                    compute { (a: Int, b: Int, c: Int, d: Int) in logs[4].append([a, b, c, d]) }
                    ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; d>%; e>%
                    compute { (a: Int, b: Int, c: Int, d: Int, e: Int) in logs[5].append([a, b, c, d, e]) }
                    ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; d>%; e>%; f>%
                    compute { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) in logs[6].append([a, b, c, d, e, f]) }
                    ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; d>%; e>%; f>%; g>%
                    compute { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int) in
                        logs[7].append([a, b, c, d, e, f, g])
                    }
                    ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; d>%; e>%; f>%; g>%; h>%
                    compute { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int) in
                        logs[8].append([a, b, c, d, e, f, g, h])
                    }
                    ~>devNull
                }
                DataOp {
                    a>%; b>%; c>%; d>%; e>%; f>%; g>%; h>%; i>%
                    compute { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int) in
                        logs[9].append([a, b, c, d, e, f, g, h, i])
                    }
                    ~>devNull
                }
            }.open()
            for round in 0..<10 { for node in nodes.shuffled(using: &generator) { node.send(round) } }
            try await graph.quiescence()
            for count in 2...9 {
                let tuples = (0..<10).map { [Int](repeating: $0, count: count) }
                #expect(logs[count].all == tuples, "seed \(seed), \(count)")
            }
        }
    }

    @Test("K12: a filter for a + b divisible by four, over 50 × (b = i, a = i), gives 4k for k < 25")
    func k12Filter() async throws {
        let (a, b) = (MallInput(-1), MallInput(-1))
        let sums = MallOutput<Int?>()
        let log = Log<Int?>()
        let graph = TestMall {
            DataOp {
                a>!
                b>!
                compute { (a: Int, b: Int) -> (Bool, Int?) in ((a + b) % 4 == 0, a + b) }
                ~>sums
            }
            log.noting(sums)
        }.open()
        let values = sums.values
        for i in 0..<50 {
            b.send(i)
            a.send(i)
        }
        try await graph.quiescence()
        let wanted: [Int?] = (0..<25).map { 4 * $0 }
        #expect(log.all == wanted)
        let expected: [Int?] = [nil] + (0..<25).map { 4 * $0 }
        #expect(await values.first(26) == expected)
    }

    @Test("K14: an explicit filter type, 16 inputs, a sink for what nobody needs, and constants")
    func k14SpecialNodes() async throws {
        let inputs = (0..<15).map { MallInput($0) }
        let sum = MallOutput(0)
        let half = MallOutput<Int?>()
        func read(_ index: Int) -> Reads<Int> { inputs[index]>? }
        typealias I = Int
        TestMall {
            DataOp {
                inputs[0]>!
                read(1); read(2); read(3); read(4); read(5); read(6); read(7)
                read(8); read(9); read(10); read(11); read(12); read(13); read(14)
                Constant(100)>?
                compute {
                    (a: I, b: I, c: I, d: I, e: I, f: I, g: I, h: I, i: I, j: I, k: I, l: I, m: I, n: I, o: I, p: I) in
                    let first = a + b + c + d + e + f + g + h
                    return first + i + j + k + l + m + n + o + p
                }
                ~>sum
            }
            DataOp {
                sum>!
                compute { (x: Int) -> PossibleResult<Int> in x % 2 == 0 ? .value(x / 2) : .stop }
                ~>half
            }
            DataOp {
                sum>!
                compute { (x: Int) in "\(x)" }
                OutputNode(devNull)
            }
        }.open()
        try await inputs[0].sendAndWait(0)
        #expect(sum.value == 205)
        #expect(half.value == nil)
        try await inputs[0].sendAndWait(1)
        #expect(half.value == 103)
    }
}

/// A small generator with a seed: SplitMix64.
struct SmallGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
