/// `Docs/field.md`, from the results.
package struct Page {
    private let results: Results

    package init(_ results: Results) { self.results = results }

    /// The files of the page, by their path below the root of the repository.
    package func files() throws -> [String: String] {
        try results.check()
        return [
            "Docs/field.md": try markdown(),
            "Docs/field-light.svg": Plot(results, theme: .light).svg,
            "Docs/field-dark.svg": Plot(results, theme: .dark).svg,
        ]
    }

    private var languages: [Language] { Language.allCases.filter { results.versions[$0] != nil } }

    private func markdown() throws -> String {
        let sections = try Catalogue.works.map(section)
        return [opening, table, "## Work by work", sections.joined(separator: "\n\n"), Recorded.section, closing]
            .joined(separator: "\n\n") + "\n"
    }

    private var opening: String {
        let others = languages.filter { $0 != .chem }.map(\.title).joined(separator: ", ")
        return """
            # The field

            <!-- Written by `swift run -c release --package-path Benchmarks/Field field`. Don't edit: change \
            Benchmarks/Field/Sources/FieldReport. -->

            The same works with ChemActors and others: \(others). Each is written as a programmer of that language would \
            write it, checks its own result, and is measured in turn with the others on one machine, pinned to one core and on \
            all \(results.environment.cores). \(summary)

            <picture>
              <source media="(prefers-color-scheme: dark)" srcset="field-dark.svg">
              <img src="field-light.svg" width="800" alt="Nanoseconds for each operation on a logarithmic axis: a row for \
            each work, a mark for each language. The figures are in the table below.">
            </picture>

            Where a language has several ways, the picture and this table show the fastest one, and of the mailbox \
            actors those that are mailbox actors; the sections below have all.
            """
    }

    /// Where ChemActors stands, counted.
    private var summary: String {
        let ahead = Cores.allCases.map { cores in
            Catalogue.works.filter { results.leader($0.name, on: cores)?.language == .chem }.map(\.title)
        }
        let others = Catalogue.works.filter { work in
            Cores.allCases.allSatisfy { results.leader(work.name, on: $0)?.language != .chem }
        }
        func list(_ titles: [String]) -> String { titles.isEmpty ? "nowhere" : titles.joined(separator: "; ") }
        let place =
            ahead[0] == ahead[1]
            ? "ChemActors is the fastest here: \(list(ahead[0]))."
            : "ChemActors is the fastest here: on one core \(list(ahead[0])); on all cores \(list(ahead[1]))."
        return """
            \(place) In \(others.count) of \(Catalogue.works.count) works somebody else is ahead, on one core and on all: \
            each section says who, and why.
            """
    }

    /// The fastest way of each language.
    private var table: String {
        let head = "| ns for each operation, one core / all | \(languages.map(\.title).joined(separator: " | ")) |"
        let rule = "|---|" + languages.map { _ in "--:|" }.joined()
        let rows = Catalogue.works.map { work in
            let cells = languages.map { language in
                let cell = Cores.allCases.map { cores in
                    guard let best = results.best(work.name, language, on: cores) else { return "" }
                    let isFirst = results.leader(work.name, on: cores)?.language == language
                    return isFirst ? "**\(best.median.nanoseconds)**" : best.median.nanoseconds
                }
                return cell.contains("") ? "–" : cell.joined(separator: " / ")
            }
            return "| \(work.title) | \(cells.joined(separator: " | ")) |"
        }
        return ([head, rule] + rows).joined(separator: "\n")
    }

    private func section(_ work: Catalogue.Work) throws -> String {
        let remarks = try work.remarks.compactMap { try $0.sentence(for: work.name, results) }
        let rows = languages.flatMap { language in
            results.figures(of: work.name, language).map { row in
                let cells = Cores.allCases.map { cores in
                    let figures = row.figures(on: cores)
                    return "\(figures.median.nanoseconds) (\(figures.minimum.nanoseconds))"
                }
                return "| \(language.title), \(row.variant) | \(cells.joined(separator: " | ")) |"
            }
        }
        let parts =
            ["### \(capitalized(work.title))", "\(work.what) \(lead(work))"]
            + (remarks.isEmpty ? [] : [remarks.map { "- \($0)" }.joined(separator: "\n")])
            + [
                (["| median (minimum), ns | one core | all cores |", "|---|--:|--:|"] + rows).joined(separator: "\n")
            ]
        return parts.joined(separator: "\n\n")
    }

    private func lead(_ work: Catalogue.Work) -> String {
        let clauses = Cores.allCases.compactMap { cores -> String? in
            guard let leader = results.leader(work.name, on: cores),
                let own = results.best(work.name, .chem, on: cores)
            else { return nil }
            let place = cores == .one ? "on one core" : "on all"
            if leader.language == .chem { return "ChemActors \(place)" }
            let factor = (own.median / leader.median).factor
            return "\(leader.title) \(place), where ChemActors takes \(factor) × as long"
        }
        return "The fastest is \(clauses.joined(separator: ", and "))."
    }

    private func capitalized(_ title: String) -> String { title.prefix(1).uppercased() + title.dropFirst() }

    private var closing: String {
        let environment = results.environment
        let versions = languages.filter { $0 != .chem }.compactMap { results.versions[$0] }.joined(separator: "; ")
        return """
            ## What isn't comparable

            - A Swift task, a goroutine and a process differ in what they carry. Erlang's processes share no memory, copy each \
            message, and are preempted; a call of ChemActors or of an actor is cooperative, and can be cancelled.
            - A lock protects memory and does nothing else: whoever has to wait blocks a thread, and nobody can be told to do \
            something later. It is here because it is what one would take for a counter.
            - A goroutine that is asked, or an Erlang process, has to be switched to. ChemActors and Swift's actors run what an \
            idle server is asked for in the caller's task. That is a difference of designs, not of care.
            - Pinned, Go and Erlang notice that they have one core, and run on one thread at a time: an atomic instruction \
            never waits for another core, and nobody is woken elsewhere.
            - Not in the table: an atomic number for the counter, which is faster than any lock; chunks for map and reduce; an \
            Erlang `gen_server` for the counter, which adds its own checks; a mutex for what is called, since that is no server.
            - Erlang runs on the version that Debian has.

            ## Machine and versions

            Measured \(environment.date) at commit \(environment.commit): \(environment.cpu), \(environment.cores) cores, \
            \(environment.system). \(versions). What ChemActors takes on newer commits, [benchmarks.md](benchmarks.md) says.

            Each program was started \(environment.rounds == 1 ? "once" : "\(environment.rounds) times") for each work, pinned and not, in turn with those of the other \
            languages; each time it warmed up once and made \(environment.repetitions) repetitions. The table has medians. \
            Differences of a tenth mean nothing, and rows in which threads wake each other vary more from run to run.

            ## Reproducing

            ```sh
            swift run -c release --package-path Benchmarks/Field field
            ```

            It builds and runs what is installed, in less than ten minutes, and writes this page, its picture and \
            [field.json](field.json), from which `field --render` makes them again. Use a machine that does nothing else. \
            [Benchmarks/Field](../Benchmarks/Field/README.md) has the programs, and says how to get the languages.
            """
    }
}
