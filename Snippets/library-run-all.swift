// Many jobs, and all their results.

// snippet.show
// snippet.results
import ChemLibrary

let squares = try await runAll(1...5) { number in number * number }
print(squares)  // [1, 4, 9, 16, 25]

let lengths = try await runAll(
    ["to", "be", "or"],
    atMost: 2,
    progress: { ended, total in print("\(ended) of \(total)") }
) { word in try await measure(word) }
print(lengths)  // [2, 2, 2]

let sums: [Int] = try await runAll([{ (1...10).reduce(0, +) }, { (1...20).reduce(0, +) }])
print(sums)  // [55, 210]
// snippet.end
// snippet.hide
precondition(squares == [1, 4, 9, 16, 25] && lengths == [2, 2, 2] && sums == [55, 210])

@concurrent func measure(_ word: String) async throws -> Int {
    await Task.yield()
    return word.count
}
// snippet.show

// snippet.settle
struct Unlucky: Error {}

let outcomes = try await settleAll(1...13) { number in
    if number == 13 { throw Unlucky() }
    return number
}
for case .failure(let error) in outcomes { print(error) }  // Unlucky()
// snippet.end
// snippet.hide
precondition(outcomes.count == 13)
// snippet.show

// snippet.report
import ChemActors

let (allDone, results) = Join.define("results") { join in
    let allDone = join.slow("allDone", of: [Result<Int, any Error>].self)
    let results = join.fast("results", returning: [Result<Int, any Error>].self)
    join.answer(results, with: allDone) { _, results in results }
    return (allDone, results)
}

runAllAndReport((1...3).map { number in { number } }, to: allDone)  // from synchronous code, too
print(try await results().count)  // 3
// snippet.end
