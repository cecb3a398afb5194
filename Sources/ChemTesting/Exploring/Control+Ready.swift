import ChemActors

// What can happen next, as it waits for its turn.

extension Control {
    enum Item {
        /// It runs on behalf of an executor, or of the control itself.
        case job(UnownedJob, (any TaskExecutor)? = nil)
        case step(MachineStep)
        /// A step that was interrupted goes on, in its own thread.
        case rest(Rest)

        var isJob: Bool { if case .job = self { true } else { false } }

        /// The name of the task that goes on, if it is known.
        var task: String? { if case .job(let job, _) = self { job.task } else { nil } }
    }

    struct Ready {
        let item: Item
        var isOfCancelledTask: Bool { if case .job(let job, _) = item { job.isOfCancelledTask } else { false } }
        var rest: Rest? { if case .rest(let rest) = item { rest } else { nil } }
        /// When the step that has made it ready began, by the clock of the system.
        let since: UInt64
        /// What a search or a walk wants to know of it, if there is one. Apart, since in other runs most of the time
        /// would go into moving it about.
        let origin: Origin?
    }

    /// Where something that is ready comes from.
    final class Origin {
        /// Counts the jobs of the run.
        let number: Int
        /// The step that has made it ready.
        let cause: Int
        /// The definition whose quiet it has waited for.
        let quiet: Int?
        /// Whose it is, if that matters.
        let agent: Agents.Agent
        /// Its task, if that matters and is known.
        let task: String?

        init(number: Int, cause: Int, quiet: Int?, agent: Agents.Agent, task: String?) {
            self.number = number
            self.cause = cause
            self.quiet = quiet
            self.agent = agent
            self.task = task
        }
    }
}
