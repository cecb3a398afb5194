// A reply that is put on a molecule and answered by another reaction.

import ChemActors

// snippet.show
/// A barrier for two: the first caller waits for the second.
let arrive = Join.define("barrier") { join in
    let arrive = join.fast("arrive", of: String.self, returning: [String].self)
    let first = join.slow("first", of: Reply<String, [String]>.self)
    let isFirst = join.state("isFirst", true)
    let second = join.slow("second", of: Reply<String, [String]>.self)

    join.when(arrive, updating: isFirst) { isFirst, reply in
        if isFirst { first(reply) } else { second(reply) }
        isFirst.toggle()
    }
    join.when(first, second) { one, other in
        let names = [one.value, other.value]
        one(names)
        other(names)
    }

    return arrive
}

async let ada = arrive("Ada")
async let grace = arrive("Grace")
print(Set(try await ada) == Set(try await grace))  // true
// snippet.hide
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
