import ChemBase
import Dispatch
import Synchronization

/// Checks every millisecond whether a worker is stuck in a body that was taken to be short, and has it relieved.
///
/// So a wrong guess about a body's length holds up the other reactions of its definition for about two milliseconds at
/// most. A body that keeps its thread for seconds is reported. The monitor's timer runs only while workers do, and for
/// a few ticks longer.
final class Monitor: Sendable {
    static let shared = Monitor()

    /// A worker, and how often it was looked at. The count isn't in the record, which belongs to the worker.
    private struct Watched {
        let record: SharedPointer<WorkerRecord>
        var looks = 0

        /// The body that has had the thread for just as long as the machine has patience, if there is one.
        ///
        /// A busy machine may take the core from any body, however short, for a while, so a second is the least.
        var keeper: (join: Join, reaction: Int)? {
            guard looks >= Monitor.leastPatience else { return nil }
            let join = record.memory.pointee.join.takeUnretainedValue()
            guard let patience = join.machine.configuration.patience,
                looks == max(Monitor.leastPatience, Int(clamping: patience.clampedNanoseconds / 1_000_000))
            else { return nil }
            return (join, record.memory.pointee.reaction.load(ordering: .relaxed))
        }
    }

    /// Milliseconds.
    private static let leastPatience = 1000

    private struct Watch {
        var workers: [Watched] = []
        var timer: (any DispatchSourceTimer)?
        var isTicking = false
        var idleTicks = 0

        /// Nobody works.
        mutating func countIdleTick() {
            idleTicks += 1
            guard idleTicks > 50 else { return }
            idleTicks = 0
            isTicking = false
            timer?.suspend()
        }
    }

    private let watch = Guarded(Watch())

    func add(_ record: UnsafeMutablePointer<WorkerRecord>) {
        let record = SharedPointer(record)
        let mustStart = watch.withLock { watch in
            record.memory.pointee.place = watch.workers.count
            watch.workers.append(Watched(record: record))
            defer { watch.isTicking = watch.isTicking || !Interleaving.isOn }
            return !watch.isTicking && !Interleaving.isOn
        }
        if mustStart { start() }
    }

    func remove(_ record: UnsafeMutablePointer<WorkerRecord>) {
        let record = SharedPointer(record)
        watch.withLock { watch in
            let last = watch.workers.removeLast()
            if last.record != record {
                watch.workers[record.memory.pointee.place] = last
                last.record.memory.pointee.place = record.memory.pointee.place
            }
        }
    }

    /// Notes that the worker goes on with another definition.
    func move(_ record: UnsafeMutablePointer<WorkerRecord>, to join: Join) {
        let record = SharedPointer(record)
        watch.withLock { _ in record.memory.pointee.join = .passUnretained(join) }
    }

    private func start() {
        watch.withLock { watch in
            let timer = watch.timer ?? makeTimer()
            watch.timer = timer
            timer.resume()
        }
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let new = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "ChemActors.Monitor", qos: .userInteractive)
        )
        new.schedule(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1), leeway: .microseconds(100))
        new.setEventHandler { [unowned self] in tick() }
        return new
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
        watch.withLock { watch in
            guard !watch.workers.isEmpty else {
                watch.countIdleTick()
                return ([], [], [])
            }
            watch.idleTicks = 0
            var relieved: [Join] = []
            var woken: [Join] = []
            var keepers: [(join: Join, reaction: Int)] = []
            // A record stays in the list until its worker has taken it out under this lock, so it is valid here.
            for index in watch.workers.indices {
                watch.workers[index].looks += 1
                let record = watch.workers[index].record.memory
                if watch.workers[index].looks > 2 { record.pointee.isOverdue.store(true, ordering: .relaxed) }
                if let keeper = watch.workers[index].keeper { keepers.append(keeper) }
                let join = record.pointee.join.takeUnretainedValue()
                guard join.relieve(record) else { continue }
                relieved.append(join)
                if let join = record.pointee.handoff.close() { woken.append(join) }
            }
            return (relieved, woken, keepers)
        }
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
