// Where tasks of the library meet.

import ChemActors
import ChemLibrary
import Synchronization

let total = Atomic(0)

// snippet.barrier
let step = Barrier(parties: 4)
try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 1...4 {
        group.addTask {
            for generation in 1...10 {
                total.add(generation, ordering: .relaxed)
                // Nobody begins the next generation before all have done this one.
                try await step.arrive()
            }
        }
    }
    try await group.waitForAll()
}
// snippet.end
precondition(total.load(ordering: .relaxed) == 220)

// snippet.latch
let ready = Latch(count: 3)
for part in ["disk", "network", "screen"] {
    Task {
        print(part, "is there")
        ready.countDown()
    }
}
try await ready.wait()
// snippet.end

// snippet.exchanger
let desk = Exchanger<String>()
async let mine = desk.exchange("a full cup")
print(try await desk.exchange("an empty cup"))  // a full cup
print(try await mine)  // an empty cup
// snippet.end
