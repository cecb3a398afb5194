/// All rows, in the order in which they are printed.
enum Catalogue {
    static let program = Program(
        name: "chem-bench",
        command: "swift run -c release chem-bench",
        purpose: "Measures ChemActors against plain Swift concurrency."
    )

    /// What most rows are compared with to say how large they are, and not because it does the same.
    static let measure: String? = "baseline/mutex-increment"

    static let rows: [Row] = [
        CounterRows.all, FastRows.all, PairRows.all, MapReduceRows.all, JobRows.all, PhilosopherRows.all, ChainRows.all,
        CoordinationRows.all, GuardRows.all, WaitingRows.all, MailboxRows.all, RingRows.all, FlowRows.all, MallRows.all,
        AsyncBodyRows.all,
        DefinitionRows.all, ControlRows.all, BesideRows.all, RecorderRows.all, InspectRows.all, ScopeRows.all,
        ExploreRows.all,
        MemoryRows.all, PlainRows.all,
        ActorRows.all, TaskRows.all,
        JobRows.baselines,
    ].flatMap { $0 }
}
