import Foundation

/// What a program that uses this harness is called, and what it measures.
///
/// Beside it each program declares `Catalogue.program`, `Catalogue.measure`, `Catalogue.rows` and
/// `Catalogue.targets`.
struct Program: Sendable {
    let name: String
    /// What starts it.
    let command: String
    /// A sentence.
    let purpose: String
}

/// From the arguments of a program to its table and its exit status.
///
/// Exits with 0 if every result was right, 1 if one was wrong, 2 if it was asked for something it can't do, and 3 if a
/// row is worse than in the earlier run that `--baseline` names.
enum Command {
    static func run(_ arguments: some Sequence<String>) async {
        do {
            let options = try Options(arguments)
            switch options.task {
            case .help: print(Options.help(of: Catalogue.program))
            case .list: for row in Catalogue.rows { print(row.name) }
            case .measure: try await measure(options)
            }
        } catch let mistake as UsageError {
            stop(2, "\(mistake)\nTry: \(Catalogue.program.name) --help")
        } catch let wrong as WrongResult {
            stop(1, "\(wrong)")
        } catch {
            stop(1, "failed: \(error)")
        }
    }

    private static func measure(_ options: Options) async throws {
        guard !RunEnvironment.isDebugBuild else {
            throw UsageError("this is a debug build, which says nothing about speed: \(Catalogue.program.command)")
        }
        let turns = try Catalogue.turns(matching: options.filter, isAlone: options.isAlone)
        let earlier = try options.earlierRun.map(Record.init(contentsOf:))
        if let path = options.json, !Record.canBeWritten(to: path) {
            throw UsageError("--json: nothing can be written to \(path)")
        }
        let environment = RunEnvironment(isQuick: options.isQuick)
        let width = turns.map(\.subject.name.count).max() ?? 0
        tell("\(environment)\n\n\(Bar.title(width: width))")

        let results = try await Runner(options).results(of: turns) { tell("\(Bar($0, width: width))") }
        if options.showsTable { tell("\n\(Table(results))\n\n\(TargetReport(results))") }
        tell("\n\(Summary(results))")

        if let path = options.json { try Record(environment, results).write(to: path) }
        if let earlier {
            let comparison = Comparison(of: Record(environment, results), with: earlier, tolerance: options.tolerance)
            tell("\n\(comparison)")
            if !comparison.worse.isEmpty {
                stop(3, "\(comparison.worse.count) row(s) are worse than in the earlier run")
            }
        }
    }

    /// Prints, at once even if somebody else reads it.
    private static func tell(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func stop(_ status: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("\(Catalogue.program.name): \(message)\n".utf8))
        exit(status)
    }
}

extension Catalogue {
    /// The turns of the rows whose name contains `text`, or of the one that is called so and measured alone. A row that
    /// is only somebody's partner has no turn of its own.
    static func turns(matching text: String?, isAlone: Bool) throws(UsageError) -> [Turn] {
        let selected = rows.filter { row in
            guard let text else { return true }
            return isAlone ? row.name == text : row.name.contains(text)
        }
        guard !selected.isEmpty else {
            throw UsageError("--filter: no row's name \(isAlone ? "is" : "contains") '\(text ?? "")'; see --list")
        }
        if isAlone { return selected.map { Turn(subject: $0, partners: []) } }
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
