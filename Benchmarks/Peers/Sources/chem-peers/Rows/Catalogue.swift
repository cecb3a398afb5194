/// All rows, in the order in which they are printed.
enum Catalogue {
    static let program = Program(
        name: "chem-peers",
        command: "swift run -c release chem-peers",
        purpose:
            "Measures the streams and the mall of ChemLibrary against OpenCombine, swift-async-algorithms and AsyncStream."
    )

    static let rows: [Row] = OpenCombineRows.all + AsyncAlgorithmsRows.all + AsyncStreamRows.all

    static let targets: [Target] = []
}
