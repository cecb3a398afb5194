// Reading a state without a reaction.

import ChemActors

// snippet.show
/// Counts requests; anybody may look at the number at any time, also in synchronous code.
struct Meter: Sendable {
    let request: SlowMolecule<Void>
    let requests: StateReader<Int>

    init() {
        (request, requests) = Join.define("meter") { join in
            let count = join.state("count", 0)
            let request = join.slow("request")
            join.when(request, updating: count) { n, _ in n += 1 }
            return (request, count.reader)
        }
    }
}

let meter = Meter()
meter.request()
print(meter.requests.value)  // 0 or 1
