import ChemActors
import Foundation

/// Drives a machine and everything that runs on its executor, on one thread: takes one step after the other, and asks a
/// script which one.
final class Control: MachineControl, TaskExecutor, @unchecked Sendable {
    // Checked by hand: what others than the driving thread touch is under `lock`; that thread alone touches the rest.
    private enum Item {
        case job(UnownedJob)
        case step(MachineStep)
    }

    private struct Watched {
        weak var timetable: (any Timetable)?
    }

    private let lock = NSLock()
    private var ready: [Item] = []
    private var timetables: [Watched] = []
    /// Whether something has come from a thread that isn't driven here.
    private(set) var hasEscaped = false

    private let script: Script
    private let timeMayPass: Bool
    private var thread = Thread.current
    /// Who waits for others, and how many have done so before.
    private var waiter: CheckedContinuation<Bool, Never>?
    private var waits = 0
    private(set) var now: ContinuousClock.Instant
    /// How many steps have been taken.
    private(set) var steps = 0
    /// The names of the reactions that have started, if they are wanted.
    private(set) var log: [String]?

    init(_ script: Script, timeMayPass: Bool, keepsLog: Bool) {
        self.script = script
        self.timeMayPass = timeMayPass
        now = .now
        log = keepsLog ? [] : nil
    }

    // MARK: What the machine asks

    func choose(_ count: Int) -> Int { script.choose(count) }

    func ready(_ step: MachineStep) { add(.step(step)) }

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    private func add(_ item: Item) {
        let isElsewhere = lock.withLock {
            ready.append(item)
            if Thread.current !== thread { hasEscaped = true }
            return Thread.current !== thread
        }
        if isElsewhere { endWait(returning: true) }
    }

    func watch(_ timetable: any Timetable) {
        lock.withLock { timetables.append(Watched(timetable: timetable)) }
    }

    func starts(_ reaction: StartingReaction) {
        log?.append("\(reaction.definition): \(reaction.inputs ?? "another attempt")")
    }

    // MARK: Driving

    enum Halt {
        case over, limit
        /// Nothing is left to do.
        case nothing
    }

    /// Takes steps, in the calling thread, until it is over, or nothing is left to do, or `limit` steps have been
    /// taken since the beginning.
    func drive(limit: Int, until isOver: () -> Bool) -> Halt {
        lock.withLock { thread = .current }
        while !isOver() {
            guard steps < limit else { return .limit }
            let count = readyCount
            let deadline = count == 0 || timeMayPass ? watched.compactMap(\.next).min() : nil
            let possibilities = count + (deadline == nil ? 0 : 1)
            if possibilities == 0 { return .nothing }
            let choice = possibilities == 1 ? 0 : script.choose(possibilities)
            steps += 1
            if choice == count, let deadline { pass(to: deadline) } else { take(choice) }
        }
        return .over
    }

    /// Takes what steps there are, in their order and without time passing, but no more than `limit`.
    func drain(limit: Int) {
        var left = limit
        while left > 0, readyCount > 0 {
            take(0)
            left -= 1
        }
    }

    private var readyCount: Int { lock.withLock { ready.count } }

    private func take(_ index: Int) {
        let item = lock.withLock { ready.remove(at: index) }
        switch item {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .step(let step): step.take()
        }
    }

    private var watched: [any Timetable] { lock.withLock { timetables.compactMap(\.timetable) } }

    private func pass(to deadline: ContinuousClock.Instant) {
        now = max(now, deadline)
        for timetable in watched { timetable.passDue() }
    }

    /// Waits, for so many seconds at most, for what may have left the control: it would come back from another thread.
    ///
    /// - Returns: whether something has.
    func waitForOthers(_ seconds: Double) async -> Bool {
        guard seconds > 0 else { return readyCount > 0 }
        return await withCheckedContinuation { continuation in
            let wait: Int? = lock.withLock {
                guard ready.isEmpty else { return nil }
                waiter = continuation
                waits += 1
                return waits
            }
            guard let wait else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.endWait(wait, returning: false) }
        }
    }

    /// Ends a wait that hasn't ended: this one, or that which there is.
    private func endWait(_ wait: Int? = nil, returning hasCome: Bool) {
        let waiter: CheckedContinuation<Bool, Never>? = lock.withLock {
            guard wait == nil || wait == waits else { return nil }
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume(returning: hasCome)
    }
}
