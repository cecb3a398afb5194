// Writes the figures of a benchmark run into the documentation:
//
//     swift run -c release chem-bench --full --json run.json
//     swift Scripts/write-benchmarks.swift run.json
//
// A run of `chem-peers` likewise: its rows go into the table beside it. The table of Docs/benchmarks.md is written
// anew, row by row as they were measured; with it, where and when that was. In README.md and in the guide to mailboxes
// the ratio of each row is replaced.

import Foundation

struct Run: Decodable {
    struct Row: Decodable {
        let name: String
        let p50: Double
        let p90: Double
        let baseline: String?
        let ratio: Double?
    }

    struct Environment: Decodable {
        let toolchain: String
        let cpu: String
        let cores: Int
        let system: String
        let isQuick: Bool
        let commit: String
        let date: String
    }

    let environment: Environment
    let results: [Row]
}

func fail(_ problem: String) -> Never {
    FileHandle.standardError.write(Data("write-benchmarks: \(problem)\n".utf8))
    exit(1)
}

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
guard CommandLine.arguments.count == 2 else { fail("usage: swift Scripts/write-benchmarks.swift run.json") }
let run: Run
do {
    run = try JSONDecoder().decode(Run.self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
} catch {
    fail("\(CommandLine.arguments[1]): \(error)")
}

/// Three digits, and the thousands set apart.
func text(_ number: Double) -> String {
    let digits = number >= 100 ? 0 : number >= 10 ? 1 : 2
    var text = String(format: "%.\(digits)f", number)
    if number >= 1_000 {
        var position = text.count - 3
        while position > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: position))
            position -= 3
        }
    }
    return text
}

func rewrite(_ path: String, _ change: (inout [String]) -> Void) {
    let file = root.appending(path: path)
    do {
        var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        change(&lines)
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    } catch {
        fail("\(path): \(error)")
    }
}

let section = run.results.contains { $0.name.hasSuffix("/chem") } ? "## Results beside others" : "## Results"

rewrite("Docs/benchmarks.md") { lines in
    guard let begin = lines.firstIndex(of: section),
        let header = lines[begin...].firstIndex(of: "| Row | median | p90 | Ratio | to |"),
        let end = lines[header...].firstIndex(where: { !$0.hasPrefix("|") }),
        let place = lines[..<header].lastIndex(where: { $0.hasPrefix("Measured ") })
    else {
        fail(
            "Docs/benchmarks.md: no section '\(section)' with a table and before it a line that begins with 'Measured'"
        )
    }
    let rows = run.results.map { row in
        let unit = row.name.hasPrefix("memory") ? "bytes" : "ns"
        return "| `\(row.name)` | \(text(row.p50)) \(unit) | \(text(row.p90)) \(unit) | "
            + "\(row.ratio.map(text) ?? "") | \(row.baseline.map { "`\($0)`" } ?? "") |"
    }
    lines.replaceSubrange((header + 2)..<end, with: rows)
    let environment = run.environment
    lines[place] =
        "Measured \(environment.date.prefix(10)) at commit \(environment.commit): \(environment.cpu), \(environment.cores) cores, "
        + "\(environment.system), \(environment.toolchain). "
        + (environment.isQuick ? "A quick run." : "A full run, on a machine that did nothing else.")
}

for document in ["README.md", "Sources/ChemLibrary/ChemLibrary.docc/mailbox-actors-or-join-definitions.md"] {
    rewrite(document) { lines in
        for row in run.results {
            guard let ratio = row.ratio,
                let index = lines.firstIndex(where: { $0.hasPrefix("| `\(row.name)` |") }),
                let sign = lines[index].range(of: " × "),
                let bar = lines[index][..<sign.lowerBound].range(of: "| ", options: .backwards)
            else { continue }
            lines[index].replaceSubrange(bar.upperBound..<sign.lowerBound, with: text(ratio))
        }
    }
}
