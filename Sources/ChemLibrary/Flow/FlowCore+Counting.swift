// What a core counts.

extension FlowCore {
    @usableFromInline
    func countFailure() { counts.failures += 1 }

    func countDroppedByRestoring(_ values: Int) { counts.droppedByRestoring += values }

    @usableFromInline
    func countIgnored() { counts.ignored += 1 }

    func changeSubscribers(by change: Int) { counts.subscribers += change }

    func commitStatistics() {
        counts.waves = Int(wave.pointee.number)
        counts.recomputations = Int(wave.pointee.recomputations)
        counts.pending = wave.pointee.surplus
        counts.endLooks = ends.looks
        statistics.commit(counts)
    }
}
