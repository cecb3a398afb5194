import ChemBase
import Dispatch
import Synchronization

/// Checks every millisecond whether a worker is stuck in a body that was taken to be short, and has it relieved.
///
/// So a wrong guess about a body's length holds up the other reactions of its definition for about two milliseconds at
/// most. A body that keeps its thread for seconds is reported. The monitor's timer runs only while workers do, and for
/// a few ticks longer.
final class Monitor: @unchecked Sendable {
    // Checked by hand: everything mutable is touched under `lock`.
    static let shared = Monitor()

    /// A worker, and how often it was looked at. The count isn't in the record, which belongs to the worker.
    private struct Watched {
        let record: UnsafeMutablePointer<WorkerRecord>
        var looks = 0

        /// The body that has had the thread for just as long as the machine has patience, if there is one.
        ///
        /// A busy machine may take the core from any body, however short, for a while, so a second is the least.
        var keeper: (join: Join, reaction: Int)? {
            guard looks >= Monitor.leastPatience else { return nil }
            let join = record.pointee.join.takeUnretainedValue()
            guard let patience = join.machine.configuration.patience,
                looks == max(Monitor.leastPatience, Int(clamping: patience.nanoseconds / 1_000_000))
            else { return nil }
            return (join, record.pointee.reaction.load(ordering: .relaxed))
        }
    }

    /// Milliseconds.
    private static let leastPatience = 1000

    private let lock = Lock()
    private var workers: [Watched] = []
    private var timer: (any DispatchSourceTimer)?
    private var isTicking = false
    private var idleTicks = 0

    func add(_ record: UnsafeMutablePointer<WorkerRecord>) {
        lock.lock()
        record.pointee.place = workers.count
        workers.append(Watched(record: record))
        let mustStart = !isTicking && !Interleaving.isOn
        isTicking = isTicking || mustStart
        lock.unlock()
        if mustStart { start() }
    }

    func remove(_ record: UnsafeMutablePointer<WorkerRecord>) {
        lock.lock()
        let last = workers.removeLast()
        if last.record != record {
            workers[record.pointee.place] = last
            last.record.pointee.place = record.pointee.place
        }
        lock.unlock()
    }

    /// Notes that the worker goes on with another definition.
    func move(_ record: UnsafeMutablePointer<WorkerRecord>, to join: Join) {
        lock.lock()
        record.pointee.join = .passUnretained(join)
        lock.unlock()
    }

    private func start() {
        lock.lock()
        if timer == nil {
            let new = DispatchSource.makeTimerSource(
                queue: DispatchQueue(label: "ChemActors.Monitor", qos: .userInteractive)
            )
            new.schedule(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1), leeway: .microseconds(100))
            new.setEventHandler { [unowned self] in tick() }
            timer = new
        }
        timer?.resume()
        lock.unlock()
    }

    /// Looks once.
    func tick() {
        let (relieved, woken, keepers) = lookAtWorkers()
        for join in relieved {
            join.soup.enter().leave()
        }
        for join in woken { join.startOwnWorker() }
        for (join, reaction) in keepers { join.reportKeptThread(by: reaction) }
    }

    /// Relieves stuck workers. Returns their definitions, which have no active worker now, the definitions that the
    /// stuck bodies have woken, and the bodies that have kept their threads for too long.
    private func lookAtWorkers() -> (relieved: [Join], woken: [Join], keepers: [(join: Join, reaction: Int)]) {
        lock.lock()
        defer { lock.unlock() }
        var relieved: [Join] = []
        var woken: [Join] = []
        var keepers: [(join: Join, reaction: Int)] = []
        if workers.isEmpty {
            idleTicks += 1
            if idleTicks > 50 {
                idleTicks = 0
                isTicking = false
                timer?.suspend()
            }
        } else {
            idleTicks = 0
            // A record stays in the list until its worker has taken it out under this lock, so it is valid here.
            for index in workers.indices {
                workers[index].looks += 1
                let record = workers[index].record
                if workers[index].looks > 2 { record.pointee.isOverdue.store(true, ordering: .relaxed) }
                if let keeper = workers[index].keeper { keepers.append(keeper) }
                let join = record.pointee.join.takeUnretainedValue()
                guard join.relieve(record) else { continue }
                relieved.append(join)
                if let join = record.pointee.handoff.close() { woken.append(join) }
            }
        }
        return (relieved, woken, keepers)
    }
}

extension Join {
    /// Reports the reaction with this number, whose body has had its thread for long. If there is none, it is a failed
    /// one that is tried again, or code that isn't a body.
    fileprivate nonisolated func reportKeptThread(by index: Int) {
        machine.longWaits.report(in: self) { _ in
            let entry = self.soup.enter()
            let reactions = entry.state.chemistry.reactions
            entry.leaveUnchanged()
            guard reactions.indices.contains(index) else { return }
            let reaction = reactions[index]
            self.report(.keepsThread(reaction: reaction.text, location: reaction.location.description))
        }
    }
}

#if EXPLORED
    extension ChemicalMachine {
        /// Has the monitor look once at all workers.
        package static func lookAtWorkers() { Monitor.shared.tick() }
    }
#endif
