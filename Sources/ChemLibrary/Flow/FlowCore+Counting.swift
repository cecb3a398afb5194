// What a core counts.

extension FlowCore {
    @usableFromInline
    func countFailure() { counts.failures += 1 }

    func countDroppedByRestoring(_ values: Int) { counts.droppedByRestoring += values }

    @usableFromInline
    func countIgnored() { counts.ignored += 1 }

    func changeSubscribers(by change: Int) { counts.subscribers += change }

    /// All values that were fed back have had their waves.
    func endFeedback() {
        feedbackCount = 0
        longFeedback.restart()
    }

    /// In how many waves values have been fed back, if that has gone on for longer than `patience`, for the first time.
    /// Called now and then while they are.
    func lookAtFeedback(_ patience: Duration) -> Int? { longFeedback.look(feedbackCount, patience) }

    func commitStatistics() {
        counts.waves = Int(wave.pointee.number)
        counts.recomputations = Int(wave.pointee.recomputations)
        counts.pending = wave.pointee.surplus
        counts.endLooks = ends.looks
        statistics.commit(counts)
    }
}
