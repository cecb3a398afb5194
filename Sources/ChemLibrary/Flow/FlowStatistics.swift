import ChemBase

/// What a graph has done so far, as of the end of a wave.
public struct FlowStatistics: Sendable, Equatable {
    /// How many waves there were: one for each sent value, each transaction, and each value fed back.
    public internal(set) var waves: Int = 0
    /// How often operators were run, all added up.
    public internal(set) var recomputations: Int = 0
    /// How many operators have thrown an error.
    public internal(set) var failures: Int = 0
    /// How many sequences of values exist.
    public internal(set) var subscribers: Int = 0
    /// How many values wait in zips for their partners.
    public internal(set) var pending: Int = 0
    /// How many values came after the end of their source or of the graph, and were ignored.
    public internal(set) var ignored: Int = 0
    /// How many values were not fed back because there were more in a row than the graph allows.
    public internal(set) var feedbackDropped: Int = 0
    /// How many values waiting in zips were dropped because another time was restored.
    public internal(set) var droppedByRestoring: Int = 0
    /// How often an operator was examined to find out which nodes end. For tests of the cost.
    package internal(set) var endLooks: Int = 0

    init() {}
}

/// The statistics, readable on any thread.
@usableFromInline
package final class FlowStatisticsBox: Sendable {
    private let value = Guarded(FlowStatistics())

    func commit(_ new: FlowStatistics) { value.withLock { $0 = new } }

    var now: FlowStatistics { value.withLock { $0 } }
}
