import ChemActors
import ChemTesting
import Synchronization
import TestSupport
import Testing

@Suite("A lab", .endsInTime)
struct LabTests {
    @Test("A schedule is told step by step, and what is possible at each")
    func tells() async throws {
        try await withLab { lab in
            let account = TutorialTests.Account()
            #expect(await lab.possible() == [])
            account.pay(30)
            async let deposited: Void = account.deposit(50)
            #expect(await lab.possible() == ["pay", "deposit & amount"])
            try await lab.perform("pay")
            #expect(await lab.possible() == ["deposit & amount", "balance & amount"])
            try await lab.perform("account: balance & amount")
            try await lab.perform("deposit & amount")
            try await deposited
            #expect(await lab.step() == "account: set & amount")
            #expect(await lab.step() == nil)
            async let paid: Void = account.paid()
            #expect(await lab.run() == ["account: paid & receipt"])
            try await paid
            async let balance = account.balance()
            await lab.run()
            #expect(try await balance == 70)
        }
    }

    @Test("What isn't possible is refused, with what is; and two of the same name need that of their definition")
    func refuses() async throws {
        try await withLab { lab in
            func counter(_ name: String) -> SlowMolecule<Void> {
                lab.machine.define(name) { join in
                    let tick = join.slow("tick")
                    join.when(tick) { _ in }
                    return tick
                }
            }
            let (one, two) = (counter("one"), counter("two"))
            one()
            let nothing = await #expect(throws: NotPossible.self) { try await lab.perform("tock") }
            #expect(nothing.map { "\($0)" } == "'tock' isn't possible now; possible: 'one: tick'")
            two()
            #expect(await lab.possible() == ["one: tick", "two: tick"])
            let several = await #expect(throws: NotPossible.self) { try await lab.perform("tick") }
            #expect(several.map { "\($0)" } == "'tick' may mean several; possible: 'one: tick', 'two: tick'")
            try await lab.perform("two: tick")
            #expect(await lab.possible() == ["tick"])
        }
    }

    @Test("Definitions of one name are told apart by numbers")
    func namesakes() async throws {
        try await withLab { lab in
            let done = Mutex<[Int]>([])
            let ticks = (0..<3).map { number in
                lab.machine.define("clock") { join in
                    let tick = join.slow("tick")
                    join.when(tick) { _ in done.withLock { $0.append(number) } }
                    return tick
                }
            }
            for tick in ticks { tick() }
            #expect(await lab.possible() == ["clock: tick #1", "clock: tick #2", "clock: tick #3"])
            let several = await #expect(throws: NotPossible.self) { try await lab.perform("clock: tick") }
            #expect(several.map { "\($0)".hasPrefix("'clock: tick' may mean several; possible: ") } == true)
            try await lab.perform("clock: tick #2")
            #expect(await lab.possible() == ["clock: tick #1", "clock: tick #2"])
            try await lab.perform("clock: tick #2")
            try await lab.perform("tick")
            #expect(done.withLock { $0 } == [1, 2, 0])
        }
    }

    @Test("Time passes when it is told to, and each deadline at its time")
    func time() async throws {
        try await withLab { lab in
            let times = Mutex<[Duration]>([])
            let clock = MachineClock(lab.machine)
            let begin = clock.now
            let ask = lab.machine.define("oracle") { join in
                let ask = join.fast("ask")
                join.answer(ask, with: join.slow("never")) { _, _ in }
                return ask
            }
            async let sleeping: Void = {
                for _ in 0..<3 {
                    try await clock.sleep(for: .seconds(10))
                    times.withLock { $0.append(begin.duration(to: clock.now)) }
                }
            }()
            async let asking: Void = {
                await #expect(throws: CallError.self) { try await ask(within: .seconds(15)) }
                #expect(begin.duration(to: clock.now) == .seconds(15))
            }()
            await lab.advance(by: .seconds(9))
            #expect(times.withLock { $0 } == [])
            await lab.advance(by: .seconds(11))
            #expect(times.withLock { $0 } == [.seconds(10), .seconds(20)])
            #expect(begin.duration(to: clock.now) == .seconds(20))
            await asking
            await lab.advance(by: .seconds(3_600))
            try await sleeping
        }
    }

    @Test("Who waits for a reaction that nobody performs is told so")
    func waits() async throws {
        let report = Mutex("")
        try await withKnownIssue {
            try await withLab { _ in
                let account = TutorialTests.Account()
                try await account.deposit(1)
            }
        } matching: { issue in
            report.withLock { $0 = issue.comments.first?.rawValue ?? "" }
            return true
        }
        let lines = report.withLock { $0 }.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0] == "it waits for what nobody has performed")
        #expect(lines[1].hasPrefix("account.deposit waits, called at"))
        #expect(lines[2] == "possible: deposit & amount")
    }

    @Test("Several tasks may ask, and who still asks at the end isn't left waiting")
    func several() async throws {
        final class Flag: Sendable { let value = Atomic(false) }
        let refused = Flag()
        try await withLab { lab in
            let work = lab.machine.define("work") { join in
                let work = join.slow("work", of: Int.self, order: .oldestFirst)
                join.when(work) { _ in }
                return work
            }
            for number in 0..<3 { work(number) }
            async let one = lab.step()
            async let two: Void = lab.perform("work")
            let (first, _) = try await (one, two)
            #expect(first == "work: work")
            #expect(await lab.run() == ["work: work"])
            Task {
                do { try await lab.perform("work") } catch is NotPossible {
                    refused.value.store(true, ordering: .relaxed)
                }
                while true {
                    try Task.checkCancellation()
                    if await lab.step() == nil { break }
                }
            }
        }
        let isRefused = refused.value.load(ordering: .relaxed)
        #expect(isRefused)
    }

    @Test("A reaction whose condition isn't met doesn't happen")
    func unmetCondition() async throws {
        try await withLab { lab in
            let (a, b) = lab.machine.define("pair") { join in
                let a = join.slow("a", of: Int.self)
                let b = join.slow("b", of: Int.self)
                join.when(a, b, where: { $0 == $1 }) { _, _ in }
                return (a, b)
            }
            a(1)
            b(2)
            await #expect(throws: NotPossible.self) { try await lab.perform("a & b") }
            #expect(await lab.possible().isEmpty)
            b(1)
            #expect(await lab.step() == "pair: a & b")
            a(3)
            #expect(await lab.step() == nil)
            #expect(await lab.run().isEmpty)
        }
    }

    @Test("An error of the test is the test's error")
    func errors() async throws {
        struct Mine: Error {}
        await #expect(throws: Mine.self) { try await withLab { _ in throw Mine() } }
    }
}
