import ChemActors
import CoreMetrics

/// What definitions are told apart by.
struct GroupName: Hashable {
    let name: String
    let location: String

    init(name: String, location: String) {
        self.name = name
        self.location = location
    }

    init(_ group: MachineCensus.Group) { self.init(name: group.name, location: group.location) }

    /// Those that are counted together, here and in a census.
    static let others = GroupName(name: "others", location: "")
}

/// What is so at the moment.
struct Gauges: Equatable {
    var definitions = 0
    var running = 0
    var waitingCalls = 0
    var longestWait = 0.0
    var present = 0
    var pendingRetries = 0

    init() {}

    init(_ group: MachineCensus.Group) {
        definitions = group.definitions
        running = group.running
        waitingCalls = group.waitingCalls
        longestWait = group.longestWait.map { $0 / .seconds(1) } ?? 0
        present = group.present
        pendingRetries = group.pendingRetries
    }

    static func += (sum: inout Gauges, other: Gauges) {
        sum.definitions += other.definitions
        sum.running += other.running
        sum.waitingCalls += other.waitingCalls
        sum.longestWait = max(sum.longestWait, other.longestWait)
        sum.present += other.present
        sum.pendingRetries += other.pendingRetries
    }
}

/// What has happened.
struct Counts: Equatable {
    var started = 0
    var failed = 0
    var dissolved = 0

    init() {}

    init(_ group: MachineCensus.Group) {
        started = group.started
        failed = group.failed
        dissolved = group.dissolved
    }

    /// By how much each is larger than in `other`.
    func exceeding(_ other: Counts) -> Counts {
        var excess = Counts()
        excess.started = max(0, started - other.started)
        excess.failed = max(0, failed - other.failed)
        excess.dissolved = max(0, dissolved - other.dissolved)
        return excess
    }

    static func += (sum: inout Counts, other: Counts) {
        sum.started += other.started
        sum.failed += other.failed
        sum.dissolved += other.dissolved
    }
}

/// How long things took.
struct LatenciesOfGroup {
    private(set) var waits = Latencies()
    private(set) var bodies = Latencies()

    init() {}

    init(_ group: MachineCensus.Group) {
        waits = group.waits
        bodies = group.bodies
    }

    func since(_ earlier: LatenciesOfGroup) -> LatenciesOfGroup {
        var result = LatenciesOfGroup()
        result.waits = waits.since(earlier.waits)
        result.bodies = bodies.since(earlier.bodies)
        return result
    }

    static func += (sum: inout LatenciesOfGroup, other: LatenciesOfGroup) {
        sum.waits += other.waits
        sum.bodies += other.bodies
    }
}

/// The metrics of a group.
final class Series: Sendable {
    private let definitions: Gauge
    private let running: Gauge
    private let waitingCalls: Gauge
    private let longestWait: Gauge
    private let present: Gauge
    private let pendingRetries: Gauge
    private let started: Counter
    private let failed: Counter
    private let dissolved: Counter
    private let waits: [(fraction: Double, gauge: Gauge)]
    private let bodies: [(fraction: Double, gauge: Gauge)]

    init(_ name: GroupName, _ factory: any MetricsFactory) {
        let dimensions = [("definition", name.name), ("location", name.location)]
        func gauge(_ label: String) -> Gauge { Gauge(label: label, dimensions: dimensions, factory: factory) }
        func counter(_ label: String) -> Counter { Counter(label: label, dimensions: dimensions, factory: factory) }
        definitions = gauge("chem_definitions")
        running = gauge("chem_bodies_running")
        waitingCalls = gauge("chem_calls_waiting")
        longestWait = gauge("chem_longest_wait_seconds")
        present = gauge("chem_molecules_present")
        pendingRetries = gauge("chem_retries_pending")
        started = counter("chem_reactions_started")
        failed = counter("chem_reactions_failed")
        dissolved = counter("chem_definitions_dissolved")
        func quantiles(_ label: String) -> [(fraction: Double, gauge: Gauge)] {
            [0.5, 0.99].map {
                ($0, Gauge(label: label, dimensions: dimensions + [("quantile", "\($0)")], factory: factory))
            }
        }
        waits = quantiles("chem_call_wait_seconds")
        bodies = quantiles("chem_body_seconds")
    }

    func record(_ gauges: Gauges, _ growth: Counts, _ latencies: LatenciesOfGroup) {
        definitions.record(gauges.definitions)
        running.record(gauges.running)
        waitingCalls.record(gauges.waitingCalls)
        longestWait.record(gauges.longestWait)
        present.record(gauges.present)
        pendingRetries.record(gauges.pendingRetries)
        started.increment(by: growth.started)
        failed.increment(by: growth.failed)
        dissolved.increment(by: growth.dissolved)
        for (fraction, gauge) in waits { gauge.record((latencies.waits.quantile(fraction) ?? .zero) / .seconds(1)) }
        for (fraction, gauge) in bodies { gauge.record((latencies.bodies.quantile(fraction) ?? .zero) / .seconds(1)) }
    }

    /// Leaves nothing behind on a dashboard.
    func end() {
        record(Gauges(), Counts(), LatenciesOfGroup())
        for (_, gauge) in waits + bodies { gauge.destroy() }
        for gauge in [definitions, running, waitingCalls, longestWait, present, pendingRetries] { gauge.destroy() }
        for counter in [started, failed, dissolved] { counter.destroy() }
    }
}
