import FieldReport
import Foundation

/// Measures all languages in turn, work by work.
struct Run {
    /// How many figures a program gives each time it is started.
    static let repetitions = 3
    /// Operations of a check, which has to be quick.
    private static let few = 1_000

    private let contestants: [Contestant]

    /// Builds what is installed.
    init() throws {
        var contestants: [Contestant] = []
        for language in Language.allCases {
            tell("building \(language.title)")
            if let contestant = try Contestant(language) {
                tell("  \(contestant.version)")
                contestants.append(contestant)
            } else {
                tell("  not installed: \(language.installation)")
            }
        }
        self.contestants = contestants
    }

    /// Runs everything once. Throws if a result was wrong.
    func check(_ works: [Catalogue.Work]) throws {
        for work in works {
            for (contestant, entry) in entries(of: work) {
                let size = min(Self.few, entry.size)
                let found = try contestant.measure(entry, size: size, repetitions: 1, on: .all)
                tell("\(work.name), \(contestant.language.title), \(entry.variant): \(found[0].checked)")
            }
        }
        tell("Every result was right.")
    }

    func measure(_ works: [Catalogue.Work], rounds: Int) throws -> Results {
        let start = ContinuousClock.now
        var rows: [Row] = []
        for (index, work) in works.enumerated() {
            tell("\(index + 1)/\(works.count) \(work.title)")
            let found = try measure(work, rounds: rounds)
            for row in found { tell("  \(line(of: row))") }
            rows += found
        }
        tell("measured in \(start.duration(to: .now).components.seconds) seconds")
        return Results(
            environment: Repository.environment(rounds: rounds, repetitions: Self.repetitions),
            versions: Dictionary(uniqueKeysWithValues: contestants.map { ($0.language, $0.version) }),
            rows: rows
        )
    }

    /// Round by round, so that a machine that gets slower does so for all.
    private func measure(_ work: Catalogue.Work, rounds: Int) throws -> [Row] {
        let entries = entries(of: work)
        var operations = [Int](repeating: 0, count: entries.count)
        var samples: [Cores: [[Double]]] = [:]
        for cores in Cores.allCases { samples[cores] = [[Double]](repeating: [], count: entries.count) }
        for _ in 0..<rounds {
            for (index, (contestant, entry)) in entries.enumerated() {
                for cores in Cores.allCases {
                    let found = try contestant.measure(
                        entry,
                        size: entry.size,
                        repetitions: Self.repetitions,
                        on: cores
                    )
                    samples[cores]?[index] += found.map(\.nanoseconds)
                    operations[index] = found[0].operations
                }
            }
        }
        return entries.enumerated().map { index, entry in
            Row(
                work: work.name,
                language: entry.0.language,
                variant: entry.1.variant,
                operations: operations[index],
                oneCore: Figures(samples[.one]?[index] ?? []),
                allCores: Figures(samples[.all]?[index] ?? [])
            )
        }
    }

    private func entries(of work: Catalogue.Work) -> [(Contestant, Contestant.Entry)] {
        contestants.flatMap { contestant in
            contestant.entries.filter { $0.work == work.name }.map { (contestant, $0) }
        }
    }

    private func line(of row: Row) -> String {
        let name = "\(row.language.title), \(row.variant)"
        let padding = String(repeating: " ", count: max(1, 44 - name.count))
        return "\(name)\(padding)\(row.oneCore.median) ns on one core, \(row.allCores.median) ns on all"
    }
}

/// Prints at once, even if somebody else reads it.
func tell(_ text: String) {
    print(text)
    fflush(nil)
}
