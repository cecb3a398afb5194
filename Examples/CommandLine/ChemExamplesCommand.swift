import ChemActors
import ChemExamples
import ChemInspection

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs the gallery from the command line.
///
/// ```
/// swift run -c release chem-examples all
/// ```
@main
struct ChemExamplesCommand {
    static func main() async {
        do throws(UsageError) {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            switch arguments.task {
            case .help: print(Arguments.help)
            case .list:
                for line in Report.list(Gallery.all) { print(line) }
                print("\nRun one: swift run -c release chem-examples philosophers")
            case .run(let names):
                let outcomes = await run(names.compactMap(Gallery.example(named:)), arguments)
                exit(outcomes.allSatisfy(\.holds) ? 0 : 1)
            }
        } catch {
            writeError("chem-examples: \(error)")
            if error.isName { for line in Report.list(Gallery.all) { writeError("  \(line)") } }
            writeError("Try: chem-examples --help")
            exit(2)
        }
    }

    private static func run(_ examples: [Example], _ arguments: Arguments) async -> [Outcome] {
        let isTerminal = isatty(STDOUT_FILENO) == 1 && !arguments.isPlain
        var stage = Stage(
            size: arguments.isSmall ? .small : .full,
            isWatched: examples.count == 1
                && (isTerminal || arguments.seconds != nil || arguments.isInspected),
            style: isTerminal ? .inPlace : .plain,
            write: {
                print($0, terminator: "")
                fflush(nil)
            }
        )
        stage.seed = arguments.seed ?? stage.seed
        stage.seconds = arguments.seconds ?? stage.seconds
        stage.philosophers = arguments.philosophers ?? stage.philosophers

        if arguments.isInspected {
            stage.inspect = { publish($0) }
            stage.seconds = arguments.seconds ?? 600
        }
        if let path = arguments.record { stage.record = { keep($0, in: path) } }

        var outcomes: [Outcome] = []
        for example in examples {
            let outcome = await example.run(on: stage)
            for line in Report.lines(of: outcome) { print(line) }
            fflush(nil)
            outcomes.append(outcome)
        }
        if examples.count > 1 {
            print()
            for line in Report.summary(of: outcomes) { print(line) }
        }
        return outcomes
    }

    /// Lets chem-inspector look into a machine, and says how.
    private static func publish(_ machine: ChemicalMachine) {
        do throws(PublicationError) {
            let publication = try machine.publish()
            print("To look inside, in the folder of ChemActors: swift run --package-path Inspector chem-inspector")
            print("It is published at \(publication.path), until it ends")
            // Whoever reads this through a pipe waits for it.
            fflush(nil)
        } catch {
            writeError("chem-examples: \(error)")
        }
    }

    /// Writes a recording, and its timeline, and says so.
    private static func keep(_ recording: Recording, in path: String) {
        do throws(RecordingError) {
            try recording.write(to: path)
            try recording.writePerfetto(to: path + ".pftrace")
            print("\(path): \(recording.events.count) events of \(recording.definitions.count) definitions")
            print(
                "To look at it, in the folder of ChemActors: swift run --package-path Inspector chem-inspector \(path)"
            )
            print("\(path).pftrace: the same as a timeline, for https://ui.perfetto.dev")
        } catch {
            writeError("chem-examples: \(error)")
            exit(2)
        }
    }

    private static func writeError(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
