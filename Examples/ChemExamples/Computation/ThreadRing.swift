import ChemActors

/// A token is passed around a ring, and whoever gets it with nothing left says so.
///
///     station17(n) → station18(n - 1), or stopped(17) if n is 0
///
/// At any moment there is one molecule in the soup, so this measures one reaction after the other.
enum ThreadRing {
    static func define(size: Int) -> (first: SlowMolecule<Int>, last: FastMolecule<Void, Int>) {
        let (first, last) = Join.define("ring") { join in
            let stations = (1...size).map { join.slow("station\($0)", of: Int.self) }
            let stopped = join.slow("stopped", of: Int.self)
            let last = join.fast("last", returning: Int.self)

            for index in stations.indices {
                let next = stations[(index + 1) % size]
                join.when(stations[index]) { left in
                    if left > 0 { next(left - 1) } else { stopped(index + 1) }
                }
            }
            join.answer(last, with: stopped) { _, station in station }
            return (stations[0], last)
        }
        return (first, last)
    }
}

extension Gallery {
    static let threadRing = Example(
        "threadring",
        "thread ring: a token goes around 503 stations",
        from: "Benchmarks Game"
    ) { stage, _, _ in
        let (first, last) = ThreadRing.define(size: 503)
        var checks: [Check] = []
        for (passes, station) in [
            (1000, 498), (stage.pick(full: 5_000_000, small: 5000), stage.pick(full: 181, small: 474)),
        ] {
            first(passes)
            checks.append(Check("the station that has the token after \(passes) passes", try await last(), is: station))
        }
        return checks
    }
}
