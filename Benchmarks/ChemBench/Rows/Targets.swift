extension Catalogue {
    /// What the runtime and the library aim at.
    static let targets = [
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
        Target(name: "ring/503", limit: .faster(3, "baseline/ring-503-stream")),
        Target(name: "async-body", limit: .times(0.5, "baseline/taskgroup-child")),
        Target(name: "memory/waiting", limit: .amount(24)),
        Target(name: "beside/call", limit: .latency(50_000, worst: 5_000_000)),
        Target(name: "beside/inject-unrelated", limit: .latency(50_000, worst: 5_000_000)),
        Target(name: "beside/snapshot", limit: .latency(50_000, worst: 5_000_000)),
    ]
}
