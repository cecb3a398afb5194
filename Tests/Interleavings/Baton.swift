#if EXPLORED
    import ChemActors
    import ChemBase
    import Dispatch
    import Foundation

    /// One run: its threads, of which one at a time goes on, and the choices which.
    ///
    /// A job of Swift's runtime, however it became ready, gets a thread of its own, since a synchronous body may be
    /// interrupted at each lock that it takes. Whoever has the baton goes on; at each point it may hand it over.
    final class Run: @unchecked Sendable {
        // Checked by hand: whoever has the baton touches it. Semaphores hand it over.
        private final class Runner {
            let number: Int
            let thread: PooledThread
            let work: () -> Void
            /// Whether it can't go on before another one has.
            var waits = false
            /// Whether no other may go on at its points: how many locks it holds, and how many parts of it are whole.
            var isWhole = 0

            init(_ number: Int, _ thread: PooledThread, _ work: @escaping () -> Void) {
                self.number = number
                self.thread = thread
                self.work = work
            }
        }

        private struct Watched {
            let next: @Sendable () -> ContinuousClock.Instant?
            let pass: @Sendable () -> Void
        }

        private static let runner = ThreadLocal()
        private static let origin = ContinuousClock.now
        /// A run that takes more steps isn't going to end.
        private static let stepLimit = 20_000

        private(set) var script: Script
        private let timeMayPass: Bool
        private let monitorMayLook: Bool
        private var looks = 0
        private var steps = 0
        private var clock: UInt64 = 1_000_000_000
        /// All that haven't ended, the oldest first.
        private var runners: [Runner] = []
        private var started = 0
        private var timetables: [Watched] = []
        private let ended = DispatchSemaphore(value: 0)
        private(set) var isEndless = false
        /// What has happened at each point, if that is wanted.
        private(set) var log: [String]?

        init(_ script: Script, timeMayPass: Bool, monitorMayLook: Bool, keepsLog: Bool = false) {
            self.script = script
            self.timeMayPass = timeMayPass
            self.monitorMayLook = monitorMayLook
            log = keepsLog ? [] : nil
        }

        /// The run that drives this thread.
        static var current: Run? { Baton.shared.run.flatMap { runner.pointer == nil ? nil : $0 } }

        private var me: Runner {
            guard let pointer = Self.runner.pointer else { fatalError("not a thread of a run") }
            return Unmanaged<Runner>.fromOpaque(pointer).takeUnretainedValue()
        }

        // MARK: The beginning and the end

        /// Has `task` make its jobs, and goes on until nothing can happen any more.
        ///
        /// - Returns: whether it ended: if not, a thread of the process waits for another one that hasn't the baton.
        func go(_ task: @escaping () -> Void) -> Bool {
            add(task)
            let first = runners[0]
            first.thread.go()
            return ended.wait(timeout: .now() + 10) == .success
        }

        /// Adds a thread that is ready.
        func add(_ work: @escaping () -> Void) {
            let runner = Runner(started, PooledThread.take(), work)
            started += 1
            runners.append(runner)
            runner.thread.prepare { [self] in
                Self.runner.pointer = Unmanaged.passUnretained(runner).toOpaque()
                runner.work()
                Self.runner.pointer = nil
                end(runner)
            }
        }

        func take(_ job: UnownedJob) { add { job.runSynchronously(on: Self.generic) } }

        /// The executor of jobs that belong to no actor.
        private static let generic = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

        private func end(_ runner: Runner) {
            runners.removeAll { $0 === runner }
            runner.thread.giveBack()
            note("\(runner.number) ends")
            handOver()
        }

        // MARK: Handing over

        private enum Candidate {
            case runner(Runner)
            /// The next deadline passes.
            case deadline(ContinuousClock.Instant)
            /// The monitor looks at the workers.
            case monitor
        }

        /// What can happen next, the usual first. `me` is the one that can go on, if it can.
        private func candidates(_ me: Runner?) -> [Candidate] {
            var all: [Candidate] = me.map { [.runner($0)] } ?? []
            for runner in runners where runner !== me && !runner.waits { all.append(.runner(runner)) }
            let isIdle = all.isEmpty
            if monitorMayLook, looks < 3, !isIdle { all.append(.monitor) }
            if timeMayPass || isIdle, let time = nextDeadline { all.append(.deadline(time)) }
            return all
        }

        /// Nobody stops at a point under the lock of a timetable, so whoever looks needn't wait for it.
        private var nextDeadline: ContinuousClock.Instant? {
            Self.runner.with(nil) { timetables.compactMap { $0.next() }.min() }
        }

        /// Hands the baton to whom the script says: perhaps to `me`, who has it.
        ///
        /// - Returns: whether `me` goes on at once.
        @discardableResult
        private func handOver(_ me: Runner? = nil) -> Bool {
            var all = candidates(me)
            if all.isEmpty, runners.contains(where: \.waits) {
                for runner in runners { runner.waits = false }
                all = candidates(me)
            }
            guard !all.isEmpty else {
                ended.signal()
                return false
            }
            let choice = all.count == 1 ? 0 : script.choose(all.count)
            switch all[choice] {
            case .runner(let next):
                for runner in runners where runner !== me { runner.waits = false }
                if next === me { return true }
                note("\(next.number) goes on")
                next.thread.go()
            case .deadline(let time):
                let (seconds, attoseconds) = (time - Self.origin).components
                clock = max(clock, UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
                let due = timetables
                start("a deadline passes") { for timetable in due { timetable.pass() } }
            case .monitor:
                looks += 1
                clock += 1_000_000
                start("the monitor looks") { ChemicalMachine.lookAtWorkers() }
            }
            return false
        }

        private func start(_ text: String, _ work: @escaping () -> Void) {
            note(text)
            add(work)
            runners.last?.thread.go()
        }

        /// Another thread may go on here.
        func point() {
            let me = self.me
            guard me.isWhole == 0 else { return }
            countStep(me)
            if !handOver(me) { me.thread.wait() }
        }

        private func countStep(_ me: Runner) {
            steps += 1
            guard steps > Self.stepLimit else { return }
            isEndless = true
            ended.signal()
            me.thread.stop()
        }

        /// This thread needs something that another one has.
        func wait() {
            let me = self.me
            countStep(me)
            me.waits = true
            note("\(me.number) waits for a lock")
            if !handOver() { me.thread.wait() }
            me.waits = false
        }

        func tookLock() { me.isWhole += 1 }

        func releasesLock() { me.isWhole -= 1 }

        func whole(_ body: () -> Void) {
            let me = self.me
            me.isWhole += 1
            body()
            me.isWhole -= 1
        }

        private func note(_ text: String) {
            if log != nil { log?.append("\(script.counts.count): \(text)") }
        }

        // MARK: The time

        var time: UInt64 {
            clock += 100
            return clock
        }

        var instant: ContinuousClock.Instant { Self.origin + .nanoseconds(Int64(clock)) }

        func watch(_ next: @escaping @Sendable () -> ContinuousClock.Instant?, _ pass: @escaping @Sendable () -> Void) {
            timetables.append(Watched(next: next, pass: pass))
        }
    }

    /// What the runtime asks: passes it on to the run of the thread.
    final class Baton: Interleaver, @unchecked Sendable {
        // Checked by hand: `run` is set while no thread of a run goes on.
        static let shared = Baton()
        var run: Run?

        private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
        private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

        /// Has all jobs that would go to the global pool come here instead.
        func install() {
            guard let symbol = Platform.symbol("swift_task_enqueueGlobal_hook") else {
                fatalError("this toolchain has no hook for jobs")
            }
            symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, enqueue in
                guard let run = Run.current else { return enqueue(job) }
                run.take(job)
            }
            Interleaving.interleaver = self
        }

        private var current: Run {
            guard let run = Run.current else { fatalError("not a thread of a run") }
            return run
        }

        var drivesThisThread: Bool { Run.current != nil }
        var time: UInt64 { current.time }
        var instant: ContinuousClock.Instant { current.instant }
        func point() { current.point() }
        func wait() { current.wait() }
        func tookLock() { current.tookLock() }
        func releasesLock() { current.releasesLock() }
        func whole(_ body: () -> Void) { current.whole(body) }
        func take(_ job: UnownedJob) { current.take(job) }
        func resumeLater(_ continuation: UnsafeContinuation<Void, Never>) { current.add { continuation.resume() } }
        func watch(_ next: @escaping @Sendable () -> ContinuousClock.Instant?, _ pass: @escaping @Sendable () -> Void) {
            current.watch(next, pass)
        }
    }

    /// A thread that is used again.
    private final class PooledThread: @unchecked Sendable {
        // Checked by hand: semaphores hand over what is touched here.
        private nonisolated(unsafe) static var free: [PooledThread] = []
        private let baton = DispatchSemaphore(value: 0)
        private var work: (() -> Void)?

        /// Takes one. Called by whoever has the baton, as is `giveBack`.
        static func take() -> PooledThread { free.popLast() ?? PooledThread() }

        private init() {
            let thread = Thread { [self] in
                while true {
                    baton.wait()
                    let work = self.work
                    self.work = nil
                    work?()
                }
            }
            thread.stackSize = 1 << 20
            thread.start()
        }

        func prepare(_ work: @escaping () -> Void) { self.work = work }

        func giveBack() { Self.free.append(self) }

        func go() { baton.signal() }

        func wait() { baton.wait() }

        /// Never goes on.
        func stop() -> Never {
            while true { baton.wait() }
        }
    }
#endif
