// A molecule of which only so many copies wait.

import ChemActors
import Synchronization

// snippet.room
let (page, next) = Join.define("tray") { join in
    let page = join.bounded("page", of: Int.self, capacity: 2, order: .oldestFirst)
    let next = join.fast("next", returning: Int.self)
    join.answer(next, with: page) { _, number in number }
    return (page, next)
}

print(page.tryInject(1), page.tryInject(2), page.tryInject(3))  // true true false

do {
    try await page.inject(3, within: .milliseconds(20))
} catch let error as CallError where error.code == .timedOut {
    print("no room, and nothing was injected")
}

async let third: Void = page.inject(3)  // waits for room
print(try await next())  // 1
try await third
print(try await next(), try await next())  // 2 3
// snippet.end

let printing = Atomic(0)
let printed = Atomic(0)

// snippet.limit
let (job, printer) = Join.define("printer") { join in
    let job = join.bounded("job", of: Int.self, capacity: 10, order: .oldestFirst)
    let free = join.slow("free")
    join.when(job, free) { number, _ in
        defer { free() }  // also if the body throws
        try await printJob(number)
    }
    free.inject(contentsOf: repeatElement((), count: 2))  // two jobs at a time
    return (job, join.definition)
}

// Never more than ten wait, and two are printed.
for number in 1...30 { try await job.inject(number) }
try await printer.quiescence()
// snippet.end

@concurrent nonisolated func printJob(_ number: Int) async throws {
    precondition(printing.add(1, ordering: .relaxed).newValue <= 2)
    try await Task.sleep(for: .milliseconds(1))
    printing.subtract(1, ordering: .relaxed)
    printed.add(1, ordering: .relaxed)
}

precondition(printed.load(ordering: .relaxed) == 30)
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
