import FieldWorks

/// The works of the field report with ChemActors.
@main
struct FieldChem {
    static func main() async {
        let works = [
            Counters.works, Calls.works, Pairs.works, Jobs.works, Philosophers.works, Ring.works, Passing.works,
        ]
        let program = Program("field-chem", version: "ChemActors, \(Program.swiftVersion)", works.flatMap { $0 })
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }
}
