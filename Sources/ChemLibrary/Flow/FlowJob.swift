/// Work that a wave waits for and that may suspend.
struct FlowJob: Sendable {
    /// The place of the operator: results are written in the order of operators, not in the order in which jobs end.
    let position: Int
    let isOnMainActor: Bool
    /// Does the work. The function it returns writes the results, in the wave.
    let run: @Sendable () async -> @Sendable () -> Void
}

/// The result of a job.
struct FlowDone: Sendable {
    let position: Int
    let write: @Sendable () -> Void
}
