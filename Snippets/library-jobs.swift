// First results, fork and join, pipelines.

// snippet.show
// snippet.first
import ChemLibrary

let quickest = try await firstResult(
    of: { try await answer("near", after: .zero) },
    { try await answer("far", after: .seconds(60)) }  // cancelled
)
print(quickest)  // near

let isAny = try await parallelOr((1...5).map { number in { number == 3 } })
print(isAny)  // true
// snippet.end
// snippet.hide
precondition(quickest == "near" && isAny)

@concurrent func answer(_ text: String, after delay: Duration) async throws -> String {
    try await Task.sleep(for: delay)
    return text
}
// snippet.show

// snippet.fork
let digits = try await forkJoin(
    1...1_000,
    split: { range in
        let next = range.lowerBound + 100
        return range.count <= 100 ? [] : [range.lowerBound...(next - 1), next...range.upperBound]
    },
    solve: { $0.map { String($0).count }.reduce(0, +) },
    join: { $0.reduce(0, +) }
)
print(digits)  // 2893
// snippet.end
// snippet.hide
precondition(digits == 2_893)
// snippet.show

// snippet.pipeline
let pipeline =
    Pipeline(atMost: 4) { (name: String) in try await answer(name, after: .milliseconds(1)) }
    .stage { text in text.uppercased() }
    .start(capacity: 2)

Task {
    for name in ["fork", "knife", "spoon"] { try await pipeline.send(name) }  // waits for room
    try await pipeline.finish()
}
var names: [String] = []
while let name = try await pipeline.receive() { names.append(name) }
print(names)  // ["FORK", "KNIFE", "SPOON"]
// snippet.end
// snippet.hide
precondition(names == ["FORK", "KNIFE", "SPOON"])
