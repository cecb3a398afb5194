/// What the runtime aims at, and whether this run reached it. A missed target never fails the program.
struct TargetReport: CustomStringConvertible {
    private struct Target {
        enum Limit {
            /// At most this many times the other row.
            case times(Double, String)
            /// At least this many times faster than the other row.
            case faster(Double, String)
            /// At most this much, in the unit of the row.
            case amount(Double)
        }

        let name: String
        let limit: Limit
    }

    private static let targets = [
        Target(name: "counter/inject", limit: .times(5, "baseline/mutex-increment")),
        Target(name: "counter/inject", limit: .faster(12, "baseline/asyncstream")),
        Target(name: "counter/updating", limit: .times(1, "counter/inject")),
        Target(name: "counter/contended-8", limit: .times(1.5, "counter/inject")),
        Target(name: "fast/call", limit: .times(1, "baseline/actor-call")),
        Target(name: "fast/call-main", limit: .times(1.2, "fast/call")),
        Target(name: "pairs/two-injectors", limit: .times(10, "baseline/mutex-increment")),
        Target(name: "bag/1e6", limit: .times(2, "bag/1e3")),
        Target(name: "mapreduce/1e5", limit: .faster(5, "baseline/taskgroup-mapreduce")),
        Target(name: "runall/1e5", limit: .faster(5, "baseline/taskgroup-runall")),
        Target(name: "semaphore/uncontended", limit: .times(2.5, "baseline/actor-call")),
        Target(name: "channel/1p1c", limit: .faster(5, "baseline/asyncstream")),
        Target(name: "async-body", limit: .times(0.5, "baseline/taskgroup-child")),
        Target(name: "memory/waiting", limit: .amount(24)),
    ]

    private let results: [String: RowResult]

    init(_ results: [RowResult]) {
        self.results = Dictionary(uniqueKeysWithValues: results.map { ($0.row.name, $0) })
    }

    var description: String {
        let lines = Self.targets.compactMap(line)
        return lines.isEmpty ? "targets: none of these rows has one" : "targets\n" + lines.joined(separator: "\n")
    }

    private func line(_ target: Target) -> String? {
        guard let result = results[target.name] else { return nil }
        let wanted: String
        let measured: String
        let isReached: Bool
        switch target.limit {
        case .times(let limit, let other):
            guard let ratio = result.ratios[other] else { return nil }
            wanted = "≤ \(limit.ratioText) × \(other)"
            measured = ratio.ratioText
            isReached = ratio <= limit
        case .faster(let limit, let other):
            guard let ratio = result.ratios[other] else { return nil }
            wanted = "≥ \(limit.ratioText) times faster than \(other)"
            measured = (1 / ratio).ratioText
            isReached = 1 / ratio >= limit
        case .amount(let limit):
            wanted = "≤ \(limit.ratioText) \(result.row.unit.rawValue)"
            measured = result.distribution.median.ratioText
            isReached = result.distribution.median <= limit
        }
        return "  \(isReached ? "reached" : "MISSED ")  \(target.name) \(wanted): \(measured)"
    }
}
