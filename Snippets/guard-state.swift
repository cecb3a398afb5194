// A bounded buffer: a state with two conditions. Shown in "Reactions that look at values".

// snippet.show
import ChemActors

let (put, take) = Join.define("buffer") { join in
    let put = join.fast("put", of: Int.self, order: .oldestFirst)
    let take = join.fast("take", returning: Int.self, order: .oldestFirst)
    let items = join.state("items", [Int]())

    join.answer(put, updating: items.while { $0.count < 2 }) { items, item in items.append(item) }
    join.answer(take, updating: items.while { !$0.isEmpty }) { items, _ in items.removeFirst() }

    return (put, take)
}

async let first = take()  // waits: there is nothing yet
try await put(1)
print(try await first)  // 1
// snippet.end
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
