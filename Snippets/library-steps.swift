// A computation that can be cancelled between its steps.

// snippet.show
import ChemLibrary

let computation = CancelableSteps(
    from: 1,
    steps: (1...1_000).map { number in { await slowly($0 + number) } }
)

let task = Task { try await computation.run() }
while computation.progress.value.completed < 10 { await Task.yield() }
let begun = try await computation.cancel()

let outcome = try await task.value
print(outcome.ending, outcome.completed, outcome.value)  // such as: cancelled 12 79
// snippet.hide
precondition(outcome.completed == begun)
precondition(outcome.value == 1 + outcome.completed * (outcome.completed + 1) / 2)

@concurrent func slowly(_ number: Int) async -> Int {
    for _ in 0..<10 { await Task.yield() }
    return number
}
