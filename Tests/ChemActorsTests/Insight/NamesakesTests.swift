import ChemActors
import TestSupport
import Testing

/// Definitions that have one name, such as two of one type, are told apart where several of them are told of.
@Suite(.endsInTime)
struct NamesakesTests {
    /// Two accounts that pay each other, once the bodies of both have begun.
    @Test func twoOfOneTypeThatWaitForEachOtherAreNumbered() async throws {
        // The two definitions are looked at one after the other, and the second goes on meanwhile.
        for _ in 0..<50 { try await twoThatWaitForEachOther(on: .observed) }
    }

    private func twoThatWaitForEachOther(on machine: ChemicalMachine) async throws {
        typealias Fast = FastMolecule<Void, Void>
        let (hello, hi) = machine.define("meeting") { join in
            let (hello, hi) = (join.fast("hello"), join.fast("hi"))
            join.answer(hello, with: hi) { _, other in other() }
            return (hello, hi)
        }
        let line = #line + 4
        @Sendable func account(_ meet: Fast) -> (pay: SlowMolecule<Fast>, deposit: Fast) {
            machine.define("account") { join in
                let (money, pay) = (join.slow("money", of: Int.self), join.slow("pay", of: Fast.self))
                join.when(pay, money) { deposit, amount in
                    try await meet()
                    try await deposit()
                    money(amount - 1)
                }.produces(money)
                let deposit = join.fast("deposit")
                join.answer(deposit, with: money) { _, amount in money(amount + 1) }
                money(10)
                return (pay, deposit)
            }
        }
        let (first, second) = (account(hello), account(hi))
        first.pay(second.deposit)
        second.pay(first.deposit)
        // Until both bodies are seen to wait, one of them runs, or has been looked at before the other.
        let hasCome = await Patience.until {
            let text = "\(machine.explainStuck())"
            return text.contains("see account.deposit of 'account' no. 1") && text.contains("this is a cycle")
        }
        let report = machine.explainStuck()
        #expect(hasCome && report.calls.count == 2, "\(report)")
        // The oldest call is that of whichever body came first.
        let pay = "pay & money (\(here(line)))"
        let calls = "called at \(here(line + 2))"
        #expect(report.says("account.deposit of 'account' no. 1, \(calls), for"), "\(report)")
        #expect(
            report.says(
                "\(pay) of 'account' no. 1 makes 'money'",
                "waits in account.deposit of 'account' no. 2, \(calls)"
            ),
            "\(report)"
        )
        #expect(
            report.says(
                "\(pay) of 'account' no. 2 makes 'money'",
                "waits in account.deposit of 'account' no. 1, \(calls)"
            ),
            "\(report)"
        )
        // The other call has the number that it had in the explanation of the first.
        #expect(report.says("account.deposit of 'account' no. 2, \(calls), for"), "\(report)")
        #expect(report.says("  see account.deposit of 'account' no. 1, \(calls), above"), "\(report)")
        machine.deactivate()
    }

    @Test func oneOfThemHasNoNumber() async throws {
        let machine = ChemicalMachine.observed
        let calls = (0..<2).map { _ in
            machine.define("account") { join in
                let (call, permit) = (join.fast("call"), join.slow("permit"))
                join.answer(call, with: permit) { _, _ in }
                return call
            }
        }
        let waiting = calls.map { call in Task { try await call() } }
        let report = try await stuck(machine, calls: 2)
        // They wait for the same reason, so that is told of once.
        #expect(report.says("account.call, called at", "2 times"), "\(report)")
        #expect(!"\(report)".contains("no. "), "\(report)")
        machine.deactivate()
        for task in waiting { _ = await task.result }
    }
}
