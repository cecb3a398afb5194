// Map and reduce with the library.

// snippet.show
// snippet.sum
import ChemLibrary

let sum = try await mapReduce(1...10_000, map: { $0 * $0 }, reduce: +)
print(sum ?? 0)  // 333383335000

let nothing = try await mapReduce([Int](), into: 0, map: { $0 * $0 }, reduce: +)
print(nothing)  // 0
// snippet.end
// snippet.hide
precondition(sum == 333_383_335_000 && nothing == 0)
// snippet.show

// snippet.tree
let sentence = try await mapReduce(
    ["in", "this", "order"],
    by: .tree,
    map: { $0.uppercased() },
    reduce: { earlier, later in earlier + " " + later }
)
print(sentence ?? "")  // IN THIS ORDER
// snippet.end
// snippet.hide
precondition(sentence == "IN THIS ORDER")
