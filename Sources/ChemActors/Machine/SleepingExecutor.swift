#if os(Linux)
    // Only with it does `Task.sleep` ask the executor of the task. The toolchains for Apple's systems don't have it.
    @_spi(ExperimentalScheduling) package import _Concurrency

    /// An executor whose tasks sleep by a time of its own.
    package protocol SleepingExecutor: SchedulingExecutor {
        /// Has `job` run when so much time has passed.
        func sleep(_ job: UnownedJob, for duration: Duration)
    }

    // Only clocks of Swift's come here, whose durations are of this type.
    extension SleepingExecutor {
        package var asSchedulingExecutor: (any SchedulingExecutor)? { self }

        package func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            at instant: C.Instant,
            tolerance: C.Duration?,
            clock: C
        ) {
            sleep(UnownedJob(job), for: clock.now.duration(to: instant) as? Duration ?? .zero)
        }

        package func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            after delay: C.Duration,
            tolerance: C.Duration?,
            clock: C
        ) {
            sleep(UnownedJob(job), for: delay as? Duration ?? .zero)
        }
    }
#endif
