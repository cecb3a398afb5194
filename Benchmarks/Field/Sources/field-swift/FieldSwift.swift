import FieldWorks

/// The works of the field report in Swift by hand: actors, locks, streams and channels.
@main
struct FieldSwift {
    static func main() async {
        let works = [
            Counters.works, Calls.works, Pairs.works, Jobs.works, Philosophers.works, Ring.works, Passing.works,
        ]
        let version = "\(Program.swiftVersion), swift-async-algorithms 1.1.4"
        let program = Program("field-swift", version: version, works.flatMap { $0 })
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }
}
