import ChemActors

/// Definitions of which each answers a call by an asynchronous body that calls the next one, and adds 1. The last one
/// waits for `go`.
///
/// - Parameters:
///   - count: How many call another one.
///   - machine: Where they are made.
/// - Returns: the call of the first; one that is answered when the last one is reached; and what the last one answers.
func chainOfCalls(
    _ count: Int,
    on machine: ChemicalMachine
) -> (first: FastMolecule<Void, Int>, arrived: FastMolecule<Void, Void>, go: SlowMolecule<Int>) {
    let (last, arrived, go) = machine.define("last") { join in
        let last = join.fast("last", returning: Int.self)
        let wait = join.fast("wait", returning: Int.self)
        let arrived = join.fast("arrived")
        let isThere = join.slow("isThere")
        let go = join.slow("go", of: Int.self)
        join.answer(last) { _ async throws in
            isThere()
            return try await wait()
        }
        join.answer(wait, with: go) { _, number in number }
        join.answer(arrived, with: isThere) { _, _ in }
        return (last, arrived, go)
    }
    var call = last
    for number in 1...count {
        let next = call
        call = machine.define("link \(number)") { join in
            let call = join.fast("call", returning: Int.self)
            join.answer(call) { _ async throws in try await next() + 1 }
            return call
        }
    }
    return (call, arrived, go)
}
