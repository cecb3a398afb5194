import ChemActors

/// Runs bodies under a recorder that shows them as signposts: synchronous and asynchronous ones, answers, and some that
/// throw.
@main
struct Signposts {
    static func main() async throws {
        let recorder = EventRecorder.flight.signposting(subsystem: "com.example.bank")
        let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: recorder))
        let (deposit, balance, quote, audit, fail, definition) = machine.define("account") { join in
            let deposit = join.slow("deposit", of: Int.self)
            let balance = join.fast("balance", returning: Int.self)
            let quote = join.fast("quote", of: Int.self, returning: Int.self)
            let audit = join.slow("audit")
            let fail = join.slow("fail")
            let total = join.state("total", 0)
            join.when(deposit, updating: total) { total, amount in total += amount }
            join.answer(balance, reading: total) { total, _ in total }
            join.answer(quote) { amount in
                await Task.yield()
                if amount < 0 { throw Failure() }
                return amount * 2
            }
            join.when(audit) { _ async in await Task.yield() }
            join.when(fail) { _ in throw Failure() }
            return (deposit, balance, quote, audit, fail, join.definition)
        }
        deposit(1)
        try await definition.quiescence()
        _ = try await balance()
        _ = try await quote(1)
        try await definition.quiescence()
        do {
            _ = try await quote(-1)
        } catch is Failure {}
        try await definition.quiescence()
        audit()
        try await definition.quiescence()
        fail()
        try await definition.quiescence()
        definition.deactivate()
    }

    struct Failure: Error {}
}
