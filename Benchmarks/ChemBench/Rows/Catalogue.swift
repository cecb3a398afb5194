/// All rows, in the order in which they are printed.
enum Catalogue {
    static let rows: [Row] =
        CounterRows.all + FastRows.all + PairRows.all + MapReduceRows.all + PhilosopherRows.all + ChainRows.all
        + AsyncBodyRows.all + DefinitionRows.all + ControlRows.all + ScopeRows.all + MemoryRows.all + PlainRows.all
        + ActorRows.all + TaskRows.all + FlowRows.all

    /// The turns of the rows whose name contains `text`. A row that is only somebody's partner has no turn of its own.
    static func turns(matching text: String?) throws(UsageError) -> [Turn] {
        let selected = rows.filter { text.map($0.name.contains) ?? true }
        guard !selected.isEmpty else {
            throw UsageError("--filter: no row's name contains '\(text ?? "")'; see --list")
        }
        let partners = Set(selected.flatMap(\.partners))
        return selected.compactMap { row in
            if row.partners.isEmpty && partners.contains(row.name) { return nil }
            return Turn(subject: row, partners: row.partners.map(named))
        }
    }

    private static func named(_ name: String) -> Row {
        guard let row = rows.first(where: { $0.name == name }) else { fatalError("no row is named '\(name)'") }
        return row
    }
}
