import ChemActors

/// A program worth looking at: ten thousand definitions of fifty names, two that wait for each other, a call that
/// nobody will answer, a body that throws, and a name made to hurt.
final class Workshop: Sendable {
    struct Flaw: Error {}

    let machine = ChemicalMachine(
        ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .flight)
    )
    private let sessions: [SlowMolecule<Int>]
    private let fail: SlowMolecule<Void>
    private let keep: [any Sendable]

    init() {
        sessions = (0..<10_000).map { [machine] number in
            machine.define("session \(number % 50)") { join in
                let request = join.slow("request", of: Int.self)
                let total = join.state("total", 0)
                join.when(request, updating: total) { total, number in total += number }
                return request
            }
        }
        let (lockA, lockB) = (Self.lock("lock A", on: machine), Self.lock("lock B", on: machine))
        let transfer = machine.define("bank") { join in
            let (there, back) = (join.slow("there"), join.slow("back"))
            let met = join.fast("met")
            join.when(there) { _ in
                try await lockA.take()
                try await met()
                try await lockB.take()
                lockA.free()
                lockB.free()
            }.produces(lockA.free, lockB.free)
            join.when(back) { _ in
                try await lockB.take()
                try await met()
                try await lockA.take()
                lockA.free()
                lockB.free()
            }.produces(lockA.free, lockB.free)
            join.when(2, of: met) { replies in for reply in replies { reply() } }
            return (there, back)
        }
        transfer.0()
        transfer.1()
        let (deliver, collect) = machine.define("letter box") { join in
            let (deliver, collect) = (
                join.slow("deliver", of: String.self), join.fast("collect", returning: String.self)
            )
            join.answer(collect, with: deliver) { _, letter in letter }
            return (deliver, collect)
        }
        Task { try await collect() }
        fail = machine.define("fragile") { join in
            let fail = join.slow("fail")
            join.when(fail) { _ in throw Flaw() }
            return fail
        }
        let evil = machine.define("<img src=x onerror=alert(1)>") { join in
            let script = join.slow("<script>alert(2)</script>")
            join.when(script) { _ in }
            return script
        }
        evil()
        keep = [deliver, evil]
    }

    /// Does some work.
    func work() {
        for number in 0..<500 { sessions[number * 7 % sessions.count](1) }
        fail()
    }

    private static func lock(_ name: String, on machine: ChemicalMachine) -> (
        take: FastMolecule<Void, Void>, free: SlowMolecule<Void>
    ) {
        let (take, free) = machine.define(name) { join in
            let (take, free) = (join.fast("take"), join.slow("free"))
            join.answer(take, with: free) { _, _ in }
            free()
            return (take, free)
        }
        return (take, free)
    }
}
