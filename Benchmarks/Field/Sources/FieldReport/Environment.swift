/// Where and when a run took place.
package struct Environment: Codable, Sendable {
    package var date: String
    package var commit: String
    package var cpu: String
    package var cores: Int
    package var system: String
    /// How often each program was started for each work, and how many repetitions it then made.
    package var rounds: Int
    package var repetitions: Int

    package init(
        date: String,
        commit: String,
        cpu: String,
        cores: Int,
        system: String,
        rounds: Int,
        repetitions: Int
    ) {
        self.date = date
        self.commit = commit
        self.cpu = cpu
        self.cores = cores
        self.system = system
        self.rounds = rounds
        self.repetitions = repetitions
    }
}
