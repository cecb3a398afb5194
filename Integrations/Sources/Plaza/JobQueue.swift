import ChemActors
import Recipes

// snippet.queue
/// Jobs that wait for one of a few workers. Only so many may wait.
struct JobQueue: JoinDefinition {
    /// Answered at once: with the job, or with nil if too many wait.
    let submit = FastMolecule<Int, Job?>()
    /// Answered at once: with the job and its end, or with nil if there is no job with this number.
    let find = FastMolecule<Int, Entry?>()
    private let waiting: BoundedMolecule<Ticket>
    private let worker = SlowMolecule<Void>()
    private let began = SlowMolecule<Int>()
    private let ended = SlowMolecule<(ticket: Ticket, result: Result<Int, any Error>)>()
    private let ledger: StateMolecule<Ledger>
    private let attempts: Attempts
    private let workers: Int

    init(_ limits: Limits, work: @escaping Attempts.Work) {
        waiting = BoundedMolecule(capacity: limits.waitingJobs, order: .oldestFirst)
        ledger = StateMolecule(Ledger(limit: limits.endedJobs))
        attempts = Join.make(Attempts(limits, work: work))
        workers = limits.workers
    }

    func react(in join: inout Join.Builder) {
        join.answer(submit, updating: ledger) { ledger, input in
            let ticket = Ticket(id: ledger.last + 1, input: input)
            guard waiting.tryInject(ticket) else { return nil }
            return ledger.add(ticket)
        }
        join.when(waiting, worker) { [attempts] ticket, _ async in
            began(ticket.id)
            let result: Result<Int, any Error>
            do {
                result = .success(try await attempts.work(ticket.input))
            } catch {
                result = .failure(error)
            }
            ended((ticket, result))
            worker()
        }
        join.when(began, updating: ledger) { ledger, id in ledger.begin(id) }
        join.when(ended, updating: ledger) { ledger, end in
            ledger.end(end.ticket.id, with: end.result)
            end.ticket.ended.fulfill(())
        }
        join.answer(find, reading: ledger) { ledger, id in ledger.entries[id] }
        worker.inject(contentsOf: repeatElement((), count: workers))
    }
}

/// Work that is tried again if it fails. A definition of its own, since the policy holds for all
/// reactions of one.
struct Attempts: JoinDefinition {
    typealias Work = @concurrent @Sendable (Int) async throws -> Int

    let work = FastMolecule<Int, Int>()
    private let limits: Limits
    private let body: Work

    init(_ limits: Limits, work body: @escaping Work) {
        self.limits = limits
        self.body = body
    }

    func react(in join: inout Join.Builder) {
        join.failurePolicy = .retry(limits.attempts, backOff: limits.backOff)
        // Jobs compute: on threads of their own, so that the server always has its threads.
        join.answer(work, on: BlockingExecutor.shared) { [body] input async throws in
            try await body(input)
        }
    }
}
// snippet.end
