import ChemActors
import ChemBase

/// What one wave has to do, and what it has done so far.
@usableFromInline
package struct FlowWave {
    @usableFromInline var number: UInt64 = 0
    @usableFromInline var recomputations: UInt64 = 0
    /// How many values wait in zips for their partners.
    @usableFromInline var surplus = 0
    /// Whether the last value was taken that waited in a zip of a stream that has ended.
    @usableFromInline var isZipDrained = false
    /// A bit for each place in the order of a wave: operators that are to be run.
    @usableFromInline let dirty: UnsafeMutablePointer<UInt64>
    /// A bit for each node: stores that have changed.
    @usableFromInline let touched: UnsafeMutablePointer<UInt64>
    @usableFromInline var isTouched = false

    init(operators: Int, nodes: Int) {
        dirty = .allocate(capacity: operators / 64 + 1)
        dirty.initialize(repeating: 0, count: operators / 64 + 1)
        touched = .allocate(capacity: nodes / 64 + 1)
        touched.initialize(repeating: 0, count: nodes / 64 + 1)
    }

    /// Has the operator at `position` run in its turn.
    @inlinable
    @inline(__always)
    mutating func mark(_ position: Int) { dirty[position &>> 6] |= 1 &<< UInt64(position & 63) }

    /// Has the store `index` published after the wave.
    @inlinable
    @inline(__always)
    mutating func touch(_ index: Int) {
        touched[index &>> 6] |= 1 &<< UInt64(index & 63)
        isTouched = true
    }
}

/// Work that a wave waits for and that may suspend.
struct FlowJob: Sendable {
    /// The place of the operator, so that results count in the order of operators and not in that of their ends.
    let position: Int
    let isOnMainActor: Bool
    /// Does the work. What it returns writes the results, in the wave.
    let run: @Sendable () async -> @Sendable () -> Void
}

/// What a job gave.
struct FlowDone: Sendable {
    let position: Int
    let write: @Sendable () -> Void
}

/// The memory of a sealed graph, and the run of its waves.
///
/// It is a value of the molecule `idle` or `waiting`, of which one copy exists: the reaction that has consumed it has
/// the core to itself. That is all the synchronization there is inside.
@usableFromInline
package final class FlowCore: @unchecked Sendable {
    /// An operator that is run in its turn.
    struct Step: ~Copyable {
        var rank: Int
        var body: () -> Void

        // Borrowing here and in `Store`, so that closures aren't retained for a call: they stay as long as the core.
        @inline(__always)
        borrowing func run() { body() }
    }

    /// What the end of a wave does for a store.
    @usableFromInline
    package struct Store: ~Copyable {
        /// Shows the value to the outside.
        @usableFromInline package var commit: (FlowTime) -> Void = { _ in }
        /// Tells outlets and subscribers.
        @usableFromInline var announce: () -> Void = {}
        @usableFromInline var hasListeners = false
        @usableFromInline var hasHistory = false

        @inline(__always)
        borrowing func runCommit(at time: FlowTime) { commit(time) }

        @inline(__always)
        borrowing func runAnnounce() { announce() }
    }

    enum Outcome {
        /// All is done.
        case idle
        /// Jobs are to be started, or a group waits for its sender.
        case suspended
        /// Much is done: others may have a look in between.
        case again
        /// The next operator, in the textbook mode.
        case step(Int)
    }

    private enum Phase { case between, running, publishing }

    @usableFromInline let wave: UnsafeMutablePointer<FlowWave>
    let mode: FlowGraph.Mode
    let maxFeedback: Int
    let statistics: FlowStatisticsBox
    private let steps: UnsafeMutablePointer<Step>
    let stepCount: Int
    @usableFromInline let stores: UnsafeMutablePointer<Store>
    private let nodeCount: Int
    var ends = FlowEnds()
    /// Memory to be released with the core.
    private var owned: [FlowMemory] = []

    @exclusivity(unchecked) private var phase = Phase.between
    @exclusivity(unchecked) private var cursor = 0
    @exclusivity(unchecked) private var time = FlowTime.distantPast
    /// Values that operators have written back: each is a wave of its own.
    @exclusivity(unchecked) private var feedback = FIFO<FlowAction>()
    @exclusivity(unchecked) private var feedbackCount = 0
    @exclusivity(unchecked) private var group: FlowGroup?
    @exclusivity(unchecked) private var waiter: FlowWaiter?
    @exclusivity(unchecked) private var error: FlowError?
    /// Jobs to be started, jobs that run, and what those have given that have ended.
    @exclusivity(unchecked) private var jobs: [FlowJob] = []
    @exclusivity(unchecked) private var pending = 0
    @exclusivity(unchecked) private var results: [FlowDone] = []
    @exclusivity(unchecked) private var jobRank = 0
    @exclusivity(unchecked) private var counts = FlowStatistics()
    /// What gives each store the value of a time, as far as it is remembered.
    var restorers: [FlowRestorer] = []
    /// What has to be done after stores have got values of another time.
    var afterRestoring: [() -> Void] = []

    init(steps: Int, nodes: Int, mode: FlowGraph.Mode, maxFeedback: Int, statistics: FlowStatisticsBox) {
        self.mode = mode
        self.maxFeedback = maxFeedback
        self.statistics = statistics
        wave = .allocate(capacity: 1)
        wave.initialize(to: FlowWave(operators: steps, nodes: nodes))
        self.steps = .allocate(capacity: max(steps, 1))
        for position in 0..<steps { (self.steps + position).initialize(to: Step(rank: 0, body: {})) }
        stepCount = steps
        stores = .allocate(capacity: max(nodes, 1))
        for index in 0..<nodes { (stores + index).initialize(to: Store()) }
        nodeCount = nodes
    }

    deinit {
        steps.deinitialize(count: stepCount)
        steps.deallocate()
        stores.deinitialize(count: nodeCount)
        stores.deallocate()
        owned = []
        wave.pointee.dirty.deallocate()
        wave.pointee.touched.deallocate()
        wave.deallocate()
    }

    /// Memory that lives as long as the core.
    func allocate<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
        let memory = FlowMemoryOf<Value>(value)
        owned.append(memory)
        return memory.pointer
    }

    func setStep(_ position: Int, rank: Int) { steps[position].rank = rank }

    @usableFromInline
    func setStep(_ position: Int, run: @escaping () -> Void) { steps[position].body = run }

    // MARK: What compiled operators call

    /// Writes a value back: a wave of its own, after this one and before the next event from outside.
    @usableFromInline
    func feedBack(_ put: FlowAction) { feedback.append(put) }

    /// Starts work that the wave waits for.
    func start(_ job: FlowJob) {
        jobs.append(job)
        pending += 1
    }

    @usableFromInline
    func countFailure() { counts.failures += 1 }

    func countDroppedByRestoring(_ values: Int) { counts.droppedByRestoring += values }

    @usableFromInline
    func countIgnored() { counts.ignored += 1 }

    /// All waves take place after `time`.
    func begin(after time: FlowTime) { self.time = max(self.time, time) }

    /// Has outlets and subscribers of the store `index` told.
    func listen(to index: Int) { stores[index].hasListeners = true }

    func changeSubscribers(by change: Int) { counts.subscribers += change }

    // MARK: Waves

    /// Takes an event. The core is idle.
    func begin(_ event: FlowEvent) {
        feedbackCount = 0
        enter(event)
    }

    private func enter(_ event: FlowEvent) {
        switch event {
        case .put(let put):
            beginWave()
            put()
        case .transaction(let puts):
            beginWave()
            for put in puts { put() }
        case .group(let group):
            self.group = group
        case .awaited(let waiter):
            if waiter.isCancelled {
                waiter.finish(CancellationError())
            } else {
                self.waiter = waiter
                enter(waiter.event)
            }
        case .control(let control):
            control(self)
        }
    }

    private func beginWave() {
        wave.pointee.number &+= 1
        cursor = 0
        phase = .running
    }

    /// What gives all stores the values of `time`, in a wave of its own.
    ///
    /// - Throws: ``FlowError/Code/forgotten`` if one of them doesn't remember it.
    func restoring(to time: FlowTime) throws -> () -> Void {
        let changes = try restorers.map { try $0.restoring(time) }
        return { [unowned(unsafe) self] in
            beginWave()
            for change in changes { change() }
            for action in afterRestoring { action() }
        }
    }

    /// Goes on as far as possible.
    func proceed() -> Outcome {
        var budget = 1_000
        while true {
            if let outcome = endWave() { return outcome }
            budget -= 1
            if budget == 0 { return .again }
            if let outcome = beginNextWave() { return outcome }
        }
    }

    /// Runs what is left of a wave, and publishes what it has brought. Returns why that can't be done yet, or nil when
    /// it is done.
    private func endWave() -> Outcome? {
        if phase == .running {
            if mode == .reference {
                if let position = nextStep() { return .step(position) }
                if pending > 0 { return .suspended }
            } else if !runSteps() {
                return .suspended
            }
            phase = .publishing
            if wave.pointee.isTouched { publish() }
            if pending > 0 { return .suspended }
        }
        phase = .between
        return nil
    }

    /// Begins the next wave: one that was fed back, or of the next event of a group. Returns what to do if there is
    /// none, or nil.
    private func beginNextWave() -> Outcome? {
        if let put = feedback.popFirst() {
            feedbackCount += 1
            if feedbackCount <= maxFeedback {
                beginWave()
                put.run()
            } else {
                while feedback.popFirst() != nil { counts.feedbackDropped += 1 }
                counts.feedbackDropped += 1
                error = FlowError(.feedbackLimit, "more than \(maxFeedback) waves of feedback")
            }
            return nil
        }
        // Here, where nothing is on its way round a cycle.
        if wave.pointee.isZipDrained {
            wave.pointee.isZipDrained = false
            ends.noteDrainedZip()
        }
        if ends.isDue { ends.propagate() }
        if let group {
            switch group.next() {
            case .event(let event):
                feedbackCount = 0
                enter(event)
                return nil
            case .nothingYet:
                commitStatistics()
                return .suspended
            case .end:
                self.group = nil
            }
        }
        commitStatistics()
        if let waiter {
            self.waiter = nil
            waiter.finish(error)
        }
        error = nil
        return .idle
    }

    /// Runs the operators whose turn it is. Returns false if jobs have to end first.
    private func runSteps() -> Bool {
        let words = stepCount &>> 6
        let dirty = wave.pointee.dirty
        while cursor <= words {
            let word = dirty[cursor]
            if word == 0 {
                cursor &+= 1
                continue
            }
            let position = cursor &<< 6 &+ word.trailingZeroBitCount
            if pending > 0, steps[position].rank > jobRank { return false }
            dirty[cursor] = word & (word &- 1)
            jobRank = steps[position].rank
            steps[position].run()
        }
        return pending == 0
    }

    /// The next operator whose turn it is, in the textbook mode.
    private func nextStep() -> Int? {
        while cursor <= stepCount &>> 6 {
            let word = wave.pointee.dirty[cursor]
            if word == 0 {
                cursor &+= 1
                continue
            }
            let position = cursor &<< 6 &+ word.trailingZeroBitCount
            if pending > 0, steps[position].rank > jobRank { return nil }
            wave.pointee.dirty[cursor] = word & (word &- 1)
            return position
        }
        return nil
    }

    /// Runs one operator, in the textbook mode.
    func step(_ position: Int) {
        jobRank = steps[position].rank
        steps[position].run()
    }

    /// The jobs to be started now.
    func takeJobs() -> [FlowJob] {
        defer { jobs = [] }
        return jobs
    }

    /// Takes what a job has given. When all jobs of a rank have ended, their results are written, in the order of the
    /// operators.
    func accept(_ done: FlowDone) {
        results.append(done)
        pending -= 1
        guard pending == 0 else { return }
        cursor = 0  // it may have passed the places that the results are about to mark
        let results = results.sorted { $0.position < $1.position }
        self.results = []
        for result in results { result.write() }
    }

    /// Whether jobs still run.
    var isWaitingForJobs: Bool { pending > 0 }

    /// Shows what the wave has changed, then tells outlets and subscribers.
    private func publish() {
        let touched = wave.pointee.touched
        let words = nodeCount &>> 6
        var hasListeners = false
        var hasTime = false
        for index in 0...words {
            var word = touched[index]
            while word != 0 {
                let node = index &<< 6 &+ word.trailingZeroBitCount
                word &= word &- 1
                if stores[node].hasHistory, !hasTime {
                    hasTime = true
                    time = FlowTime(nanoseconds: max(time.nanoseconds + 1, FlowTime.now.nanoseconds))
                }
                stores[node].runCommit(at: time)
                if stores[node].hasListeners { hasListeners = true }
            }
        }
        wave.pointee.isTouched = false
        guard hasListeners else {
            for index in 0...words { touched[index] = 0 }
            return
        }
        for index in 0...words {
            var word = touched[index]
            touched[index] = 0
            while word != 0 {
                let node = index &<< 6 &+ word.trailingZeroBitCount
                word &= word &- 1
                if stores[node].hasListeners { stores[node].runAnnounce() }
            }
        }
    }

    func commitStatistics() {
        counts.waves = Int(wave.pointee.number)
        counts.recomputations = Int(wave.pointee.recomputations)
        counts.pending = wave.pointee.surplus
        counts.endLooks = ends.looks
        statistics.commit(counts)
    }
}

/// Gives one store the value of an earlier time.
struct FlowRestorer {
    /// Looks it up, and returns what writes it. Throws if it isn't remembered.
    let restoring: (FlowTime) throws -> () -> Void
}

/// Memory behind a pointer, released with its owner.
class FlowMemory {}

final class FlowMemoryOf<Value: ~Copyable>: FlowMemory {
    let pointer: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
