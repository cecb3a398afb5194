import ChemActors
import ChemLibrary
import ChemTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the tutorial "Testing chemistry" shows, and that it is so.
@Suite("The tutorial of testing", .endsInTime)
struct TutorialTests {
    // snippet.accounts
    struct Account {
        let balance: FastMolecule<Void, Int>
        let deposit: FastMolecule<Int, Void>
        let pay: SlowMolecule<Int>
        let paid: FastMolecule<Void, Void>

        init() {
            (balance, deposit, pay, paid) = Join.define("account") { join in
                let amount = join.state("amount", 100)
                let balance = join.fast("balance", returning: Int.self)
                let set = join.fast("set", of: Int.self)
                let deposit = join.fast("deposit", of: Int.self)
                join.answer(balance, reading: amount) { amount, _ in amount }
                join.answer(deposit, updating: amount) { amount, sum in amount += sum }
                join.answer(set, updating: amount) { amount, new in amount = new }

                let pay = join.slow("pay", of: Int.self)
                let receipt = join.slow("receipt")
                let paid = join.fast("paid")
                join.when(pay) { sum in
                    try await set(balance() - sum)
                    receipt()
                }
                join.answer(paid, with: receipt) { _, _ in }
                return (balance, deposit, pay, paid)
            }
        }
    }
    // snippet.end

    private static func race() async throws {
        // snippet.race
        try await explore { machine in
            let account = Account()
            account.pay(30)
            try await account.deposit(50)
            try await account.paid()
            let balance = try await account.balance()
            #expect(balance == 120)
        }
        // snippet.end
    }

    // snippet.lab
    @Test func theDepositThatIsLost() async throws {
        try await withLab { lab in
            let account = Account()
            account.pay(30)
            async let deposited: Void = account.deposit(50)
            try await lab.perform("pay")
            #expect(await lab.possible() == ["deposit & amount", "balance & amount"])
            try await lab.perform("balance & amount")
            try await lab.perform("deposit & amount")
            try await lab.perform("set & amount")
            try await deposited
            async let balance = account.balance()
            await lab.run()
            #expect(try await balance == 70)
        }
    }
    // snippet.end

    // snippet.mended
    struct MendedAccount {
        let balance: FastMolecule<Void, Int>
        let deposit: FastMolecule<Int, Void>
        let pay: SlowMolecule<Int>
        let paid: FastMolecule<Void, Void>

        init() {
            (balance, deposit, pay, paid) = Join.define("account") { join in
                let amount = join.state("amount", 100)
                let balance = join.fast("balance", returning: Int.self)
                let deposit = join.fast("deposit", of: Int.self)
                join.answer(balance, reading: amount) { amount, _ in amount }
                join.answer(deposit, updating: amount) { amount, sum in amount += sum }

                let pay = join.slow("pay", of: Int.self)
                let receipt = join.slow("receipt")
                let paid = join.fast("paid")
                join.when(pay, updating: amount) { amount, sum in
                    amount -= sum
                    receipt()
                }
                join.answer(paid, with: receipt) { _, _ in }
                return (balance, deposit, pay, paid)
            }
        }
    }

    @Test(.explored(.exhaustive())) func aPaymentAndADeposit() async throws {
        let account = MendedAccount()
        account.pay(30)
        try await account.deposit(50)
        try await account.paid()
        #expect(try await account.balance() == 120)
    }
    // snippet.end

    // snippet.time
    @Test(.explored(.random(100))) func anHourOfWaiting() async throws {
        let (ask, answer) = Join.define("oracle") { join in
            let ask = join.fast("ask", returning: Int.self)
            let answer = join.slow("answer", of: Int.self)
            join.answer(ask, with: answer) { _, number in number }
            return (ask, answer)
        }
        await #expect(throws: CallError.self) { try await ask(within: .seconds(3_600)) }

        async let number = ask(within: .seconds(3_600))
        try await MachineClock().sleep(for: .seconds(3_599))
        answer(42)
        #expect(try await number == 42)
    }
    // snippet.end

    // snippet.history
    struct Permits: SequentialModel {
        enum Operation { case acquire, release }
        var free = 1

        /// Nil: it has to wait.
        mutating func apply(_ operation: Operation) -> Bool? {
            switch operation {
            case .acquire where free == 0: return nil
            case .acquire: free -= 1
            case .release: free += 1
            }
            return true
        }
    }

    @Test(.explored(.random(200))) func oneAtATime() async throws {
        let semaphore = AsyncSemaphore(permits: 1)
        let history = History<Permits>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await history.record(.acquire) {
                        try await semaphore.acquire()
                        return true
                    }
                    await Task.yield()
                    await history.record(.release) {
                        semaphore.release()
                        return true
                    }
                }
            }
            try await group.waitForAll()
        }
        expectLinearizable(history, from: Permits())
    }
    // snippet.end

    private static func missing() async throws {
        // snippet.missing
        try await explore(.once) { machine in
            let (increment, value) = machine.define("counter") { join in
                let count = join.slow("count", of: Int.self)
                let increment = join.fast("increment")
                let value = join.fast("value", returning: Int.self)
                join.answer(increment, with: count) { _, n in count(n + 1) }
                join.answer(value, with: count) { _, n in
                    count(n)
                    return n
                }
                return (increment, value)  // and nobody has injected count(0)
            }
            try await increment()
            let number = try await value()
            #expect(number == 1)
        }
        // snippet.end
    }

    /// The one failure that is reported, instead of failing this test.
    private static func report(_ test: () async throws -> Void) async throws -> String {
        let reports = Mutex<[String]>([])
        try await withKnownIssue {
            try await test()
        } matching: { issue in
            if let comment = issue.comments.first { reports.withLock { $0.append(comment.rawValue) } }
            return true
        }
        return try #require(reports.withLock { $0.first })
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let page = root.appending(path: "Sources/ChemTesting/ChemTesting.docc/testing-chemistry.md")

    @Test("The reports that the tutorial prints are those that a reader gets")
    func reports() async throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let race = try await Self.report(Self.race)
            .replacing(/ChemTestingTests\/TutorialTests.swift:\d+/, with: "MyTests/AccountTests.swift:31")
        #expect(page.contains("```\n\(race)\n```"), "\(race)")
        let token = try #require(race.firstMatch(of: /chem1w?:[0-9a-f]{4}:[0-9.,]*/)).output
        #expect(page.contains("@Test(.replay(\"\(token)\"))"))
        let missing = try await Self.report(Self.missing)
        // As if the line that calls were the seventeenth.
        let place = /ChemTestingTests\/TutorialTests.swift:(\d+)/
        let call = try #require(missing.firstMatch(of: place).flatMap { Int($0.1) })
        let asPrinted = missing.replacing(place) { match in
            "MyTests/CounterTests.swift:\(17 + (Int(match.1) ?? 0) - call)"
        }
        #expect(page.contains("```\n\(asPrinted)\n```"), "\(asPrinted)")
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("```\n\(asPrinted)\n```"), "\(asPrinted)")
        let overview = Self.page.deletingLastPathComponent().appending(path: "ChemTesting.md")
        #expect(try String(contentsOf: overview, encoding: .utf8).contains("```\n\(race)\n```"))
    }
}
