import ChemActors
import ChemBase

/// The memory of a sealed graph, which also runs its waves.
///
/// It is the value of the molecule `idle` or `waiting`. Only one copy of that exists, so the reaction that has consumed
/// it has the core to itself. There is no other synchronization inside.
@usableFromInline
package final class FlowCore: @unchecked Sendable {
    enum Outcome {
        /// Everything is done.
        case idle
        /// There are jobs to start, or a group waits for its sender.
        case suspended
        /// Many waves have run: let others take a turn before going on.
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
    @exclusivity(unchecked) var ends = FlowEnds()
    /// Memory that is released with the core.
    private var owned: [FlowMemory] = []

    @exclusivity(unchecked) private var phase = Phase.between
    @exclusivity(unchecked) private var cursor = 0
    @exclusivity(unchecked) private var time = FlowTime.distantPast
    /// Values that operators have fed back: each gets a wave of its own.
    @exclusivity(unchecked) private var feedback = FlowFeedback()
    /// What is noted of the present wave when its values have been published.
    @exclusivity(unchecked) private var notes: [() -> Void] = []
    @exclusivity(unchecked) var feedbackCount = 0
    @exclusivity(unchecked) var longFeedback = FlowLongFeedback()
    /// The nodes to which values are fed back, for messages.
    var fedBack = ""
    @exclusivity(unchecked) private var group: FlowGroup?
    @exclusivity(unchecked) private var waiter: FlowWaiter?
    @exclusivity(unchecked) private var error: FlowError?
    /// Jobs to start, the number of jobs that run, and the results of those that have ended.
    @exclusivity(unchecked) private var jobs: [FlowJob] = []
    @exclusivity(unchecked) private var pending = 0
    @exclusivity(unchecked) private var results: [FlowDone] = []
    @exclusivity(unchecked) private var jobRank = 0
    @exclusivity(unchecked) var counts = FlowStatistics()
    /// Give each store its value at an earlier time, as far as the store remembers it.
    var restorers: [FlowRestorer] = []
    /// Actions to run after stores have got the values of another time.
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

    /// Allocates memory that lives as long as the core.
    func allocate<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
        let memory = FlowMemoryOf<Value>(value)
        owned.append(memory)
        return memory.pointer
    }

    func setStep(_ position: Int, rank: Int) { steps[position].rank = rank }

    @usableFromInline
    func setStep(_ position: Int, run: @escaping () -> Void) { steps[position].body = run }

    // MARK: What compiled operators call

    /// Feeds a value back: it gets a wave of its own, after this one and before the next event from outside.
    ///
    /// - Parameters:
    ///   - level: How far the node is from the beginning.
    ///   - order: The number of the operator.
    ///   - isDelay: Whether it comes later only since a transaction has sent to the node in this wave: that doesn't
    ///     count as feedback.
    ///   - put: Puts the value.
    @usableFromInline
    func feedBack(_ level: Int, _ order: Int, isDelay: Bool = false, _ put: @escaping () -> Void) {
        feedback.add(FlowFeedback.Put(level: level, order: order, isDelay: isDelay, run: put))
    }

    /// Runs `note` when the values of this wave have been published.
    func afterWave(_ note: @escaping () -> Void) { notes.append(note) }

    /// Starts work that the wave waits for.
    func start(_ job: FlowJob) {
        jobs.append(job)
        pending += 1
    }

    /// Makes all waves take place after `time`.
    func begin(after time: FlowTime) { self.time = max(self.time, time) }

    /// Makes the core tell outlets and subscribers of the store `index`.
    func listen(to index: Int) { stores[index].hasListeners = true }

    // MARK: Waves

    /// Takes an event. The core must be idle, or between two waves.
    func begin(_ event: FlowEvent) {
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
            guard waiter.begins() else { break }
            self.waiter = waiter
            begin(waiter.event)
        case .control(let control):
            control(self)
        }
    }

    private func beginWave() {
        wave.pointee.number &+= 1
        cursor = 0
        phase = .running
    }

    /// Returns the action that gives all stores their values at `time`, in a wave of its own.
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
            if budget == 0 {
                commitStatistics()
                return .again
            }
            if let outcome = beginNextWave(isFirst: budget == 999) { return outcome }
        }
    }

    /// Runs the rest of a wave, and publishes its changes. Returns why that can't be done yet, or nil when it is done.
    private func endWave() -> Outcome? {
        if phase == .running {
            if mode == .reference {
                if let position = nextStep() { return .step(position) }
                if pending > 0 { return .suspended }
            } else if !runSteps() {
                return .suspended
            }
            phase = .publishing
            if wave.pointee.isTouched || !notes.isEmpty { publish() }
            if feedback.hasNew { feedback.endWave() }
        }
        if pending > 0 { return .suspended }
        phase = .between
        return nil
    }

    /// Begins the next wave, with a value fed back or the next event of a group. Returns nil, or what to do if there is
    /// none.
    private func beginNextWave(isFirst: Bool) -> Outcome? {
        if let put = feedback.popFirst() {
            // Otherwise they would stand still where each wave of a cycle suspends.
            if isFirst { commitStatistics() }
            if !put.isDelay { feedbackCount += 1 }
            if put.isDelay || feedbackCount <= maxFeedback {
                beginWave()
                put.run()
            } else {
                while feedback.popFirst() != nil { counts.feedbackDropped += 1 }
                counts.feedbackDropped += 1
                error = FlowError(.feedbackLimit, "more than \(maxFeedback) waves of feedback to \(fedBack)")
            }
            return nil
        }
        // No value is on its way round a cycle.
        endFeedback()
        if wave.pointee.isZipDrained {
            wave.pointee.isZipDrained = false
            ends.noteDrainedZip()
        }
        if ends.isDue { ends.propagate() }
        if let group {
            switch group.next() {
            case .event(let event):
                begin(event)
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

    /// Takes the jobs to start now.
    func takeJobs() -> [FlowJob] {
        defer { jobs = [] }
        return jobs
    }

    /// Takes the result of a job. When all jobs of a rank have ended, writes their results, in the order of the
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

    /// Whether jobs are still running.
    var isWaitingForJobs: Bool { pending > 0 }

    /// Shows the changes of the wave to the outside, then tells outlets and subscribers.
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
                    time = max(time.advanced(by: 1), .now)
                }
                stores[node].runCommit(at: time)
                if stores[node].hasListeners { hasListeners = true }
            }
        }
        wave.pointee.isTouched = false
        if !notes.isEmpty {
            for note in notes { note() }
            notes = []
        }
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
}
