import ChemActors

/// A sieve that grows: each prime is a definition, which lets through what it doesn't divide, and defines the next one
/// for the first number that has come through.
///
///     number(n) & next → dropped, if the prime divides n; else to the next filter, which is made when it is needed
///
/// `next` is a state that holds the name of another definition's molecule: chemistry that makes chemistry, as a list.
/// The numbers are taken oldest first, so each filter sees them in ascending order.
enum PrimeSieve {
    /// A filter that drops the multiples of `prime`, and reports it.
    @Sendable static func filter(_ prime: Int, found: SlowMolecule<Int>) -> SlowMolecule<Int> {
        found(prime)
        return Join.define("filter \(prime)") { join in
            let next = join.state("next", SlowMolecule<Int>?.none)
            let number = join.slow("number", of: Int.self, order: .oldestFirst)
            join.when(number, updating: next) { next, n in
                guard n % prime != 0 else { return }
                if let next { next(n) } else { next = filter(n, found: found) }
            }
            return number
        }
    }

    /// The primes up to `limit` as everybody computes them.
    static func plainly(upTo limit: Int) -> [Int] {
        var isPrime = Array(repeating: true, count: limit + 1)
        var primes: [Int] = []
        for n in 2...limit where isPrime[n] {
            primes.append(n)
            for multiple in stride(from: n * n, through: limit, by: n) { isPrime[multiple] = false }
        }
        return primes
    }
}

/// The primes in the order in which they were found.
struct PrimeLedger: Ledger {
    private(set) var primes: [Int] = []

    mutating func record(_ prime: Int) { primes.append(prime) }

    var checks: [Check] { [Check("primes in ascending order", holds: zip(primes, primes.dropFirst()).allSatisfy(<))] }
}

extension Gallery {
    static let primeSieve = Example(
        "primesieve",
        "prime sieve: a list of definitions that grows by itself",
        from: "McIlroy; Hoare, Communicating Sequential Processes"
    ) { stage, _, machine in
        let limit = stage.pick(full: 8000, small: 300)
        let witness = Witness(PrimeLedger())
        let first = PrimeSieve.filter(2, found: witness.saw)
        first.inject(contentsOf: 3...limit)
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [
            Check("primes up to \(limit)", ledger.primes.count, is: PrimeSieve.plainly(upTo: limit).count),
            Check("the same primes as in a plain sieve", holds: ledger.primes == PrimeSieve.plainly(upTo: limit)),
        ]
    }
}
