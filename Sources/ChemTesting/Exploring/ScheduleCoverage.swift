/// What an exploration has tried: how many schedules, and how many of them were different.
///
/// A strategy that takes a sample may run the same schedule more than once. If hardly any are different, it has seen
/// what there is, and more runs show nothing new; if nearly all are, there are many more.
///
/// ```swift
/// let coverage = try await explore(.uniform(1_000)) { machine in … }
/// print(coverage)  // 1000 schedules, 212 of them different
/// ```
public struct ScheduleCoverage: Hashable, Sendable, CustomStringConvertible {
    /// How many schedules were run: up to the first one that failed, with it.
    public let runs: Int
    /// How many of them were different, by the choices at their steps.
    public let different: Int
    /// Whether these were all that matter: an exhaustive search that has come to its end, and in which none failed.
    public let areAll: Bool

    package init(runs: Int, different: Int, areAll: Bool) {
        (self.runs, self.different, self.areAll) = (runs, different, areAll)
    }

    /// A sentence's worth of it, such as `31 schedules, which are all that matter`.
    public var description: String {
        if areAll {
            return runs == 1 ? "1 schedule, the only one that matters" : "\(runs) schedules, which are all that matter"
        }
        if runs == 1 { return "1 schedule" }
        return "\(runs) schedules, \(different == runs ? "all" : "\(different) of them") different"
    }
}
