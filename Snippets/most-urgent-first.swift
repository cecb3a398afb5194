// Jobs with priorities: a state in order, with a condition. Shown in "Reactions that look at values".

import Synchronization

// snippet.show
import ChemActors

struct Job: Sendable {
    let urgency: Int
    let work: @Sendable () async -> Void
}

let submit = Join.define("printers") { join in
    let submit = join.fast("submit", of: Job.self)
    let waiting = join.state("waiting", [Job]())
    let (free, start) = (join.slow("free"), join.slow("start", of: Job.self))

    join.answer(submit, updating: waiting) { waiting, job in
        let place = waiting.firstIndex { $0.urgency < job.urgency } ?? waiting.endIndex
        waiting.insert(job, at: place)
    }
    join.when(free, updating: waiting.while { !$0.isEmpty }) { waiting, _ in
        start(waiting.removeFirst())
    }
    join.when(start) { job async in
        await job.work()
        free()
    }

    free()  // as many copies as printers
    return submit
}
// snippet.end

let done = Mutex<[Int]>([])
try await submit(
    Job(urgency: 0) {
        // The printer is busy until all have been submitted.
        for urgency in [1, 3, 2, 3] {
            try? await submit(Job(urgency: urgency) { done.withLock { $0.append(urgency) } })
        }
    }
)
try await ChemicalMachine.shared.quiescence()
precondition(done.withLock { $0 } == [3, 3, 2, 1], "the most urgent first")
extendLifetime(submit)
