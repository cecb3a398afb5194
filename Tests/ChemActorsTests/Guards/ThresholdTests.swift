import ChemActors
import TestSupport
import Testing

/// Calls and copies that wait until a state covers what they want.
@Suite(.endsInTime)
struct ThresholdTests {
    private func account(
        _ precedence: Join.Precedence,
        on machine: ChemicalMachine = .shared
    ) -> (withdraw: FastMolecule<Int, Int>, deposit: SlowMolecule<Int>, balance: StateReader<Int>, definition: Join) {
        let (withdraw, deposit, balance, definition) = machine.define("account") { join in
            let withdraw = join.fast("withdraw", of: Int.self, returning: Int.self)
            let deposit = join.slow("deposit", of: Int.self)
            let balance = join.state("balance", 0)
            join.answer(withdraw, updating: balance, amount: \.self, atMost: \.self, first: precedence) {
                balance,
                amount in
                balance -= amount
                return balance
            }
            join.when(deposit, updating: balance) { balance, amount in balance += amount }
            return (withdraw, deposit, balance.reader, join.definition)
        }
        return (withdraw, deposit, balance, definition)
    }

    @Test func withdrawalsWaitUntilTheyAreCovered() async throws {
        let (withdraw, deposit, balance, definition) = account(.smallest)
        let large = Task { try await withdraw(50) }
        let small = Task { try await withdraw(10) }
        try await until { definition.snapshot().waitingCalls.count == 2 }
        deposit(9)
        try await definition.quiescence()
        #expect(definition.snapshot().waitingCalls.count == 2)
        deposit(31)
        #expect(try await small.value == 30)
        try await definition.quiescence()
        #expect(definition.snapshot().waitingCalls.count == 1)
        deposit(20)
        #expect(try await large.value == 0)
        #expect(balance.value == 0)
        #expect(definition.statistics.isBalanced)
    }

    @Test func theOldestHoldsUpTheOthersIfThatIsAsked() async throws {
        let (withdraw, deposit, _, definition) = account(.oldest)
        let large = Task { try await withdraw(50) }
        try await until { definition.snapshot().waitingCalls.count == 1 }
        let small = Task { try await withdraw(10) }
        try await until { definition.snapshot().waitingCalls.count == 2 }
        deposit(40)
        try await definition.quiescence()
        #expect(definition.snapshot().waitingCalls.count == 2)
        large.cancel()
        #expect(try await small.value == 30)
        await #expect(throws: CancellationError.self) { try await large.value }
        deposit(1)
        await #expect(throws: CallError.self) { try await withdraw(32, within: .milliseconds(1)) }
        #expect(try await withdraw(31) == 0)
    }

    @Test func aSnapshotSaysHowMuchIsLacking() async throws {
        let (withdraw, deposit, _, definition) = account(.smallest)
        let waiting = [70, 50, 60].map { amount in Task { try await withdraw(amount) } }
        try await until { definition.snapshot().waitingCalls.count == 3 }
        #expect(definition.snapshot().reactions[0].missing == ["balance.self that covers the amount of 50"])
        deposit(180)
        for task in waiting { _ = try await task.value }
    }

    @Test("Amounts of other kinds, and of a member of a state; slow molecules; asynchronous bodies")
    func kinds() async throws {
        struct Memory: Sendable { var free = 0.5 }
        struct Job: Sendable {
            let size: Double
            let name: String
        }
        let started = Guarded<[String]>([])
        let (job, freed, wait, more, definition) = Join.define("jobs") { join in
            let job = join.slow("job", of: Job.self, order: .oldestFirst)
            let freed = join.slow("freed", of: Double.self)
            let memory = join.state("memory", Memory())
            join.when(job, updating: memory, amount: \.size, atMost: \.free, first: .oldest) { memory, job in
                await Task.yield()
                memory.free -= job.size
                started.append(job.name)
            }
            join.when(freed, updating: memory) { memory, size in memory.free += size }
            let wait = join.fast("wait", of: Duration.self)
            let more = join.slow("more", of: Duration.self)
            let time = join.state("time", Duration.seconds(-1))
            join.answer(wait, updating: time, amount: \.self, atMost: \.self) { time, amount in time -= amount }
            join.when(more, updating: time) { time, amount in time += amount }
            return (job, freed, wait, more, join.definition)
        }
        for (size, name) in [(0.4, "a"), (0.2, "b"), (.nan, "never"), (0.05, "c")] { job(Job(size: size, name: name)) }
        try await definition.quiescence()
        #expect(started.withLock { $0 } == ["a"])
        freed(1)
        try await definition.quiescence()
        #expect(started.withLock { $0 } == ["a", "b"])
        async let waited: Void = wait(.milliseconds(500))
        more(.seconds(1))
        more(.milliseconds(500))
        try await waited
    }

    @Test("Amounts are ordered as what they are made of")
    func order() {
        func check<Much: Quantity>(_ ascending: [Much], _ line: Int = #line) {
            for (index, one) in ascending.enumerated() {
                for other in ascending[(index + 1)...] {
                    #expect(one.amount < other.amount && !(other.amount < one.amount), "line \(line): \(one) \(other)")
                }
                #expect("\(one.amount)" == "\(one)", "line \(line)")
            }
        }
        check([Int.min, -1, 0, 1, .max])
        check([Int8.min, -1, 0, 1, .max])
        check([UInt.min, 1, 1 << 63, .max])
        check([-Double.infinity, -1e300, -2, -1, -Double.leastNonzeroMagnitude, 0, 1e-300, 1, .infinity])
        check([Duration.seconds(-2), .milliseconds(-1500), .zero, .nanoseconds(1), .seconds(1)])
        #expect(Amount(0.0) == Amount(-0.0))
        #expect(!(Double.nan.amount <= Double.infinity.amount))
    }

    @Test("Whatever comes and goes, the smallest that is covered goes first: against a sorted list")
    func heap() async throws {
        for seed in Soak.seeds(50, soak: 2000) {
            var generator = SplitMix(state: seed)
            let machine = ChemicalMachine(.init(seed: seed))
            let (want, give, got, definition) = machine.define("model") { join in
                let want = join.slow("want", of: Int.self)
                let give = join.slow("give", of: Int.self)
                let level = join.state("level", 0)
                let got = join.state("got", [Int]())
                let out = join.slow("out", of: Int.self, order: .oldestFirst)
                join.when(want, updating: level, amount: \.self, atMost: \.self) { level, amount in
                    level -= amount
                    out(amount)
                }
                join.when(give, updating: level) { level, amount in level += amount }
                join.when(out, updating: got) { got, amount in got.append(amount) }
                return (want, give, got.reader, join.definition)
            }
            var waiting: [Int] = []
            var level = 0
            var expected: [Int] = []
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                let amount = Int.random(in: 0...20, using: &generator)
                if Bool.random(using: &generator) {
                    want(amount)
                    waiting.append(amount)
                } else {
                    give(amount)
                    level += amount
                }
                try await definition.quiescence()
                waiting.sort()
                while let first = waiting.first, first <= level {
                    level -= first
                    expected.append(first)
                    waiting.removeFirst()
                }
            }
            #expect(got.value == expected, "seed \(seed)")
            #expect(definition.snapshot().molecules["want"] ?? 0 == waiting.count, "seed \(seed)")
        }
    }

    @Test("Copies that leave before their turn, in any order: those that stay go in theirs", arguments: [false, true])
    func gone(isOldestFirst: Bool) async throws {
        for seed in Soak.seeds(10, soak: 200) {
            var generator = SplitMix(state: seed)
            let machine = ChemicalMachine(.init(seed: seed))
            let (want, drop, give, got, definition) = machine.define("queue") { join in
                let want = join.slow("want", of: Int.self)
                let drop = join.slow("drop", of: Int.self)
                let give = join.slow("give", of: Int.self)
                let level = join.state("level", 0)
                let got = join.state("got", [Int]())
                join.when(
                    want,
                    updating: level,
                    amount: \.self,
                    atMost: \.self,
                    first: isOldestFirst ? .oldest : .smallest
                ) { level, amount in
                    level -= amount
                    give(-1 - amount)
                }
                join.when(want, drop, matching: \.self, \.self) { _, _ in }
                join.when(give, updating: level, got) { level, got, amount in
                    if amount < 0 { got.append(-1 - amount) } else { level += amount }
                }
                return (want, drop, give, got.reader, join.definition)
            }
            let all = (1...400).shuffled(using: &generator)
            for amount in all { want(amount) }
            let leaving = all.shuffled(using: &generator).prefix(350)
            for amount in leaving { drop(amount) }
            try await definition.quiescence()
            let left = all.filter { !leaving.contains($0) }
            for amount in isOldestFirst ? left : left.sorted() {
                give(amount)
                try await definition.quiescence()
            }
            #expect(got.value == (isOldestFirst ? left : left.sorted()), "seed \(seed)")
            #expect(definition.statistics.isBalanced, "seed \(seed)")
        }
    }

    @Test("Many callers, cancelled at random: nothing is withdrawn that isn't there, and nobody waits in vain")
    func storm() async throws {
        for seed in Soak.seeds(5, soak: 200) {
            let machine = ChemicalMachine(.init(seed: seed))
            let (withdraw, deposit, balance, definition) = account(seed % 2 == 0 ? .smallest : .oldest, on: machine)
            let taken = await withTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var sum = 0
                        for amount in 1...20 {
                            if (amount + task) % 3 == 0 {
                                if (try? await withdraw(amount, within: .microseconds(200))) != nil { sum += amount }
                            } else if (try? await withdraw(amount)) != nil {
                                sum += amount
                            }
                        }
                        return sum
                    }
                }
                group.addTask {
                    for _ in 0..<1680 {
                        deposit(1)
                        await Task.yield()
                    }
                    return 0
                }
                return await group.reduce(0, +)
            }
            try await definition.quiescence()
            #expect(taken + balance.value == 1680, "seed \(seed)")
            #expect(definition.statistics.isBalanced, "seed \(seed)")
        }
    }
}
