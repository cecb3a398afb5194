import Foundation

/// Measures the runtime against plain Swift concurrency, in one run.
///
/// ```
/// swift run -c release chem-bench --quick
/// ```
///
/// Exits with 0 if every result was right, 1 if one was wrong, 2 if it was asked for something it can't do, and 3 if a row is
/// worse than in the earlier run that `--baseline` names.
@main
struct ChemBench {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            try await run(options)
        } catch let mistake as UsageError {
            stop(2, "\(mistake)\nTry: chem-bench --help")
        } catch let wrong as WrongResult {
            stop(1, "\(wrong)")
        } catch {
            stop(1, "failed: \(error)")
        }
    }

    private static func run(_ options: Options) async throws {
        switch options.task {
        case .help: print(Options.help)
        case .list: for row in Catalogue.rows { print(row.name) }
        case .weighMolecules(let count): print(try await WaitingMolecules.bytesEach(count: count))
        case .measure: try await measure(options)
        }
    }

    private static func measure(_ options: Options) async throws {
        guard !RunEnvironment.isDebugBuild else {
            throw UsageError("this is a debug build, which says nothing about speed: swift run -c release chem-bench")
        }
        let turns = try Catalogue.turns(matching: options.filter)
        let earlier = try options.earlierRun.map(Record.init(contentsOf:))
        let environment = RunEnvironment(isQuick: options.isQuick)
        print(environment)

        let results = try await Runner(options).results(of: turns)
        print("\n\(Table(results))")
        print("\n\(TargetReport(results))")

        if let path = options.json { try Record(environment, results).write(to: path) }
        if let earlier {
            let comparison = Comparison(of: Record(environment, results), with: earlier, tolerance: options.tolerance)
            print("\n\(comparison)")
            if !comparison.worse.isEmpty {
                stop(3, "\(comparison.worse.count) row(s) are worse than in the earlier run")
            }
        }
    }

    private static func stop(_ status: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("chem-bench: \(message)\n".utf8))
        exit(status)
    }
}
