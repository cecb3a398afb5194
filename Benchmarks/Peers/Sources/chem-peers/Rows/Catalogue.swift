/// All rows, in the order in which they are printed.
enum Catalogue {
    static let program = Program(
        name: "chem-peers",
        command: "swift run -c release chem-peers",
        purpose:
            "Measures the streams and the mall of ChemLibrary against OpenCombine, swift-async-algorithms and AsyncStream."
    )

    static let measure: String? = nil

    static let rows: [Row] = OurRows.all + OpenCombineRows.all + AsyncAlgorithmsRows.all + AsyncStreamRows.all

    /// At most the time of each peer.
    static let targets = OurRows.all.flatMap { row in
        row.partners.map { Target(name: row.name, limit: .times(1, $0)) }
    }
}
