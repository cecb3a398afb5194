/// How many definitions a machine has, and what they have done, by name: for dashboards, metrics and watchdogs.
///
/// ```swift
/// for group in machine.census().groups where group.waitingCalls > 0 {
///     print("\(group.name): \(group.waitingCalls) calls wait,")
///     print("the longest for \(group.longestWait ?? .zero)")
/// }
/// ```
public struct MachineCensus: Sendable {
    /// Definitions that have one name and were made at one place, such as all the sessions of a server.
    public struct Group: Sendable {
        /// Their name.
        public let name: String
        /// Where they were made: `Module/File.swift:12`.
        public let location: String
        /// How many there are.
        public internal(set) var definitions = 0
        /// How many have dissolved since the first census of the machine.
        public internal(set) var dissolved = 0
        /// Reactions that have started. From census to census it never decreases: what dissolved definitions have done
        /// since the first one is part of it.
        public internal(set) var started = 0
        /// Reactions whose body threw, counting each attempt. It never decreases either.
        public internal(set) var failed = 0
        /// Bodies that are running.
        public internal(set) var running = 0
        /// Calls that wait.
        public internal(set) var waitingCalls = 0
        /// Copies of slow molecules and of states in the soups.
        public internal(set) var present = 0
        /// Failed reactions that wait to be tried again.
        public internal(set) var pendingRetries = 0
        /// How long the call has been waiting that has waited longest. Nil if none waits.
        public internal(set) var longestWait: Duration?
        /// How long calls have waited that reactions have taken since the first census. What was answered at once isn't
        /// among them, nor what was cancelled or timed out.
        public internal(set) var waits = Latencies()
        /// How long bodies have run since the first census. Of a reaction with a synchronous body that takes less than
        /// 20 µs, one of 64 is looked at, and counts for all; those of calls that are answered at once, in their
        /// caller's task, aren't among them. On a machine with an executor, only asynchronous bodies are.
        public internal(set) var bodies = Latencies()

        init(name: String, location: String) {
            self.name = name
            self.location = location
        }
    }

    /// The groups, by name and location.
    public let groups: [Group]

    /// How many definitions there are.
    public var definitions: Int { groups.reduce(0) { $0 + $1.definitions } }
    /// Reactions that have started.
    public var started: Int { groups.reduce(0) { $0 + $1.started } }
    /// Reactions whose body threw, counting each attempt.
    public var failed: Int { groups.reduce(0) { $0 + $1.failed } }
    /// Bodies that are running.
    public var running: Int { groups.reduce(0) { $0 + $1.running } }
    /// Calls that wait.
    public var waitingCalls: Int { groups.reduce(0) { $0 + $1.waitingCalls } }
    /// How long the call has been waiting that has waited longest. Nil if none waits.
    public var longestWait: Duration? { groups.compactMap(\.longestWait).max() }
}

extension ChemicalMachine {
    /// Counts the definitions that exist now, with what they have done and what waits in them, by name.
    ///
    /// The first census also has the machine measure latencies, and remember what definitions have done that dissolve,
    /// so that the numbers of a group never decrease. Of these it tells a thousand groups apart; those beyond are
    /// counted together, under the name `others`.
    ///
    /// - Returns: the groups.
    /// - Complexity: O(definitions + molecules + waiting calls + groups · log(groups)). Each definition is held up for
    ///   a moment only, whose length doesn't depend on the number of calls.
    public func census() -> MachineCensus { CensusTaker(self).take().census }
}
