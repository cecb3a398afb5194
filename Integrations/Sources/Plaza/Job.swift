import ChemActors
import Recipes

/// A job, as clients see it.
struct Job: Codable, Hashable, Sendable {
    enum State: String, Codable, Sendable {
        case waiting, running, done, failed
    }

    let id: Int
    let state: State
    /// What has come out, if it is done.
    var result: Int?
    /// Why it has failed.
    var error: String?
}

/// A job on its way to a worker.
struct Ticket {
    let id: Int
    let input: Int
    /// Fulfilled when the job has ended, well or not.
    let ended = JoinPromise<Void>()
}

/// What the queue knows of a job.
struct Entry {
    var job: Job
    let ended: JoinFuture<Void>
}

/// The jobs that wait or run, and those that have ended last.
struct Ledger {
    let limit: Int
    /// The number of the last job, 0 if there was none.
    private(set) var last = 0
    private(set) var entries: [Int: Entry] = [:]
    private var ended: [Int] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ ticket: Ticket) -> Job {
        last = ticket.id
        let job = Job(id: ticket.id, state: .waiting)
        entries[ticket.id] = Entry(job: job, ended: ticket.ended.future)
        return job
    }

    mutating func begin(_ id: Int) {
        // It may have ended before this is told.
        if entries[id]?.job.state == .waiting { entries[id]?.job = Job(id: id, state: .running) }
    }

    mutating func end(_ id: Int, with result: Result<Int, any Error>) {
        switch result {
        case .success(let result): entries[id]?.job = Job(id: id, state: .done, result: result)
        case .failure(let error): entries[id]?.job = Job(id: id, state: .failed, error: "\(error)")
        }
        ended.append(id)
        if ended.count > limit { entries[ended.removeFirst()] = nil }
    }
}
