import ChemActors

/// A counter and a client that calls it, on a machine with this recorder.
func recordCounter(_ recorder: EventRecorder, times: Int = 3) async throws -> Recording {
    let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: recorder))
    let (increment, value) = machine.define("counter") { join in
        let count = join.slow("count", of: Int.self)
        let (increment, value) = (join.slow("increment"), join.fast("value", returning: Int.self))
        join.when(increment, count) { _, n in count(n + 1) }
        join.answer(value, with: count) { _, n in
            count(n)
            return n
        }
        count(0)
        return (increment, value)
    }
    let (begin, done) = machine.define("client") { join in
        let (begin, ready) = (join.slow("begin"), join.slow("ready", of: Int.self))
        let done = join.fast("done", returning: Int.self)
        join.when(begin) { _ in
            for _ in 0..<times { increment() }
            ready(try await value())
        }
        join.answer(done, with: ready) { _, n in n }
        return (begin, done)
    }
    begin()
    _ = try await done()
    try await machine.quiescence()
    return machine.recording()
}
