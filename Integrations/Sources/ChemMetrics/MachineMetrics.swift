public import ChemActors
public import CoreMetrics
public import ServiceLifecycle

/// Reports what a machine does as metrics, by the names of its definitions.
///
/// ```swift
/// let metrics = MachineMetrics(ChemicalMachine.shared, every: .seconds(10))
/// try await ServiceGroup(services: [metrics, server], logger: logger).run()
/// ```
///
/// Each metric has the dimensions `definition` and `location`:
///
/// | Metric | |
/// |---|---|
/// | `chem_definitions` | gauge: how many definitions there are |
/// | `chem_bodies_running` | gauge: bodies that run |
/// | `chem_calls_waiting` | gauge: calls that wait |
/// | `chem_longest_wait_seconds` | gauge: how long the call has been waiting that has waited longest; 0 if none waits |
/// | `chem_molecules_present` | gauge: copies of slow molecules and of states in the soups |
/// | `chem_retries_pending` | gauge: failed reactions that wait to be tried again |
/// | `chem_reactions_started` | counter: reactions that have started |
/// | `chem_reactions_failed` | counter: reactions whose body threw, counting each attempt |
/// | `chem_definitions_dissolved` | counter: definitions that have dissolved |
/// | `chem_call_wait_seconds` | gauge: how long calls waited that reactions have taken since the last report |
/// | `chem_body_seconds` | gauge: how long bodies ran since the last report |
///
/// The last two have the dimension `quantile` as well, `0.5` or `0.99`: such a part of them took no longer. They are 0
/// if there were none.
///
/// A report takes one ``ChemActors/ChemicalMachine/census()``. Names that programs make up as they go are no danger: as
/// many are told apart as `limit` says, the others are told together as `others`.
public actor MachineMetrics: Service {
    private let machine: ChemicalMachine
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let limit: Int
    private let factory: any MetricsFactory
    /// The groups with metrics of their own.
    private var series: [GroupName: Series] = [:]
    private var others: Series?
    /// What counters have been told so far.
    private var told: [GroupName: Counts] = [:]
    /// The latencies of the last report.
    private var latencies: [GroupName: LatenciesOfGroup] = [:]

    /// Creates a reporter of metrics, which keeps the machine alive. Nothing is reported before ``run()`` or
    /// ``report()``.
    ///
    /// - Parameters:
    ///   - machine: Whose definitions are counted.
    ///   - interval: The time from one report to the next; must be positive. Ten seconds by default.
    ///   - limit: How many groups of definitions of one name and place get metrics of their own, at least 1. 100 by
    ///     default.
    ///   - factory: Makes the metrics. That of `MetricsSystem` by default.
    ///   - clock: Measures the interval. The continuous one by default.
    public init(
        _ machine: ChemicalMachine,
        every interval: Duration = .seconds(10),
        limit: Int = 100,
        factory: any MetricsFactory = MetricsSystem.factory,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        precondition(interval > .zero, "the time between two reports must be positive, not \(interval)")
        precondition(limit >= 1, "at least one group must be told apart, not \(limit)")
        self.machine = machine
        self.interval = interval
        self.clock = clock
        self.limit = limit
        self.factory = factory
    }

    /// Reports at once, then after each interval, and once more at the end: when the service is shut down, or its task
    /// is cancelled.
    public func run() async {
        await cancelWhenGracefulShutdown {
            while true {
                await self.report()
                do { try await self.clock.sleep(for: self.interval) } catch { break }
            }
        }
        report()
    }

    /// Reports now.
    ///
    /// - Complexity: That of a census.
    public func report() {
        let groups = machine.census().groups
        followDissolved(groups)
        var rest = Gauges()
        var restCounts = Counts()
        var restLatencies = LatenciesOfGroup()
        for group in groups {
            let name = GroupName(group)
            let counts = Counts(group)
            let growth = counts.exceeding(told[name] ?? Counts())
            told[name] = counts
            let allLatencies = LatenciesOfGroup(group)
            let newLatencies = allLatencies.since(latencies[name] ?? LatenciesOfGroup())
            latencies[name] = allLatencies
            if let series = series(of: name, isEmpty: group.definitions == 0) {
                series.record(Gauges(group), growth, newLatencies)
            } else {
                rest += Gauges(group)
                restCounts += growth
                restLatencies += newLatencies
            }
        }
        if others == nil, rest == Gauges(), restCounts == Counts() { return }
        let others = self.others ?? Series(.others, factory)
        self.others = others
        others.record(rest, restCounts, restLatencies)
    }

    /// A census tells a thousand names of dissolved definitions apart, and counts those of further names as others:
    /// there, what was told of them while they lived isn't told again.
    private func followDissolved(_ groups: [MachineCensus.Group]) {
        let now = Dictionary(uniqueKeysWithValues: groups.map { (GroupName($0), $0) })
        for (name, before) in told where name != .others {
            told[.others, default: Counts()] += before.exceeding(now[name].map { Counts($0) } ?? Counts())
            let left = now[name].map { LatenciesOfGroup($0) } ?? LatenciesOfGroup()
            let gone = latencies[name]?.since(left) ?? LatenciesOfGroup()
            latencies[.others, default: LatenciesOfGroup()] += gone
            if now[name] == nil { (told[name], latencies[name]) = (nil, nil) }
        }
        for (name, series) in series where now[name] == nil {
            series.end()
            self.series[name] = nil
        }
    }

    /// The metrics of a group, or nil if it belongs to the others.
    private func series(of name: GroupName, isEmpty: Bool) -> Series? {
        if name == .others { return nil }
        if let own = series[name] {
            // One without definitions makes room for the next one.
            guard isEmpty, series.count >= limit else { return own }
            own.end()
            series[name] = nil
            return nil
        }
        guard !isEmpty, series.count < limit else { return nil }
        let own = Series(name, factory)
        series[name] = own
        return own
    }
}
