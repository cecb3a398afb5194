import ChemActors
import TestSupport
import Testing

/// What is there is refused by a guard: it is said who could make other values of it, and what they lack.
@Suite("Stuck behind guards", .endsInTime)
struct StuckBehindGuardsTests {
    /// Calls, and returns the report as soon as it tells of the call.
    private func report(
        _ machine: ChemicalMachine,
        _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> String {
        let waiting = Task { try await call() }
        #expect(await Patience.until { machine.explainStuck().calls.count == 1 })
        let report = "\(machine.explainStuck())"
        waiting.cancel()
        _ = await waiting.result
        return report
    }

    @Test func whoCouldChangeAStateIsFollowed() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 5
        let (enter, open, close) = machine.define("door") { join in
            let door = join.state("door", false)
            let (key, open, close) = (join.slow("key"), join.slow("open"), join.slow("close"))
            let enter = join.fast("enter", returning: Void.self)
            join.when(open, key, updating: door) { door, _, _ in door = true }
            join.when(close, updating: door) { door, _ in door = false }
            join.answer(enter, updating: door.while { $0 }) { _, _ in }
            return (enter, open, close)
        }
        open()
        close()
        try await machine.quiescence()
        let report = try await report(machine) { try await enter() }
        let expected = """
              enter & door (\(here(line + 2))) lacks door where its condition (\(here(line + 2))) holds
                open & key & door (\(here(line))) changes 'door', and lacks key
                  nobody has injected 'key' (\(here(line - 2))) so far
                close & door (\(here(line + 1))) changes 'door', and lacks close
                  code outside of any reaction has injected 'close' (\(here(line - 2))) so far
            """
        #expect(report.contains(expected), "\(report)")
        extendLifetime((open, close))
    }

    @Test func whoCouldRaiseALevelIsFollowed() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 5
        let (withdraw, deposit) = machine.define("account") { join in
            let withdraw = join.fast("withdraw", of: Int.self)
            let (deposit, balance) = (join.slow("deposit", of: Int.self), join.state("balance", 0))
            join.answer(withdraw, updating: balance, amount: \.self, atMost: \.self) { balance, sum in balance -= sum }
            join.when(deposit, updating: balance) { balance, sum in balance += sum }
            return (withdraw, deposit)
        }
        deposit(5)
        try await machine.quiescence()
        let report = try await report(machine) { try await withdraw(10) }
        #expect(report.contains("    deposit & balance (\(here(line))) changes 'balance', and lacks deposit\n"))
        #expect(report.contains("      code outside of any reaction has injected 'deposit'"), "\(report)")
        extendLifetime(deposit)
    }

    @Test func whoMakesAnotherKeyIsFollowed() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 6
        let (pay, print) = machine.define("shop") { join in
            let pay = join.fast("pay", of: Int.self)
            let (order, print) = (join.slow("order", of: Int.self), join.slow("print", of: Int.self))
            let paper = join.slow("paper")
            join.answer(pay, with: order, matching: \.self, \.self) { _, _ in }
            join.when(print, paper) { number, _ in order(number) }.produces(order)
            paper.inject(contentsOf: repeatElement((), count: 2))
            return (pay, print)
        }
        print.inject(contentsOf: 1...3)
        try await machine.quiescence()
        let report = try await report(machine) { try await pay(4) }
        #expect(report.contains("lacks order 4\n    print & paper (\(here(line))) makes 'order', and lacks paper\n"))
        #expect(report.contains("print & paper (\(here(line))) has taken the last 'paper'"), "\(report)")
    }

    @Test func aStateThatNobodyElseChangesIsSaidToBe() async throws {
        let machine = ChemicalMachine.observed
        let enter = machine.define("door") { join in
            let door = join.state("door", false)
            let enter = join.fast("enter", returning: Void.self)
            join.answer(enter, updating: door.while { $0 }) { _, _ in }
            return enter
        }
        let report = try await report(machine) { try await enter() }
        #expect(report.contains("    no other reaction changes 'door'"), "\(report)")
        extendLifetime(enter)
    }
}
