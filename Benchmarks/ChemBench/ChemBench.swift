/// Measures the runtime against plain Swift concurrency, in one run.
///
/// ```
/// swift run -c release chem-bench
/// ```
///
/// What its exit status says: see `Command`.
@main
struct ChemBench {
    static func main() async {
        if let count = WaitingMolecules.requestedCount(CommandLine.arguments) {
            await WaitingMolecules.printBytesEach(count: count)
        } else {
            await Command.run(CommandLine.arguments.dropFirst())
        }
    }
}
