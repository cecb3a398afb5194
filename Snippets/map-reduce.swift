// Map and reduce: two results of the same kind meet and make one.

import ChemActors

// snippet.show
func mapReduce<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    map: @escaping @Sendable (Element) -> Result,
    reduce: @escaping @Sendable (Result, Result) -> Result
) async throws -> Result {
    let (begin, result) = Join.define("mapReduce") { join in
        let begin = join.slow("begin", of: Element.self)
        let done = join.slow("done", of: (value: Result, count: Int).self)
        let all = join.slow("all", of: Result.self)
        let result = join.fast("result", returning: Result.self)

        @Sendable func inject(_ value: Result, _ count: Int) {
            if count == elements.count { all(value) } else { done((value, count)) }
        }
        join.when(begin) { element in inject(map(element), 1) }
        join.when(done, done) { x, y in inject(reduce(x.value, y.value), x.count + y.count) }
        join.answer(result, with: all) { _, value in value }

        return (begin, result)
    }
    begin.inject(contentsOf: elements)
    return try await result()
}

print(try await mapReduce(Array(1...100), map: { $0 * $0 }, reduce: +))  // 338350
// snippet.hide
let squares = try await mapReduce(Array(1...100), map: { $0 * $0 }, reduce: +)
precondition(squares == 338350)
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
