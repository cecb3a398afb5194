/// What the command line asks for.
struct Options {
    enum Task: Equatable {
        case measure, check, render, checkPage, list, help
    }

    var task = Task.measure
    var work: String?
    var rounds = 3

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let flag = rest.popFirst() {
            switch flag {
            case "--work": work = try Self.value(of: flag, from: &rest)
            case "--rounds":
                let text = try Self.value(of: flag, from: &rest)
                guard let number = Int(text), (1...100).contains(number) else {
                    throw UsageError("--rounds needs a number from 1 to 100, not '\(text)'")
                }
                rounds = number
            case "--check": try set(.check)
            case "--render": try set(.render)
            case "--check-page": try set(.checkPage)
            case "--list": try set(.list)
            case "--help", "-h": try set(.help)
            default: throw UsageError("unknown argument '\(flag)'")
            }
        }
        if work != nil, task != .measure, task != .check { throw UsageError("--work goes with measuring or --check") }
    }

    private mutating func set(_ task: Task) throws(UsageError) {
        guard self.task == .measure else { throw UsageError("only one of --check, --render, --check-page and --list") }
        self.task = task
    }

    private static func value(of flag: String, from rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.hasPrefix("--") else { throw UsageError("\(flag) needs a value") }
        return value
    }

    static let help = """
        Measures ChemActors beside Go, Erlang and Swift by hand, and writes Docs/field.md.

        USAGE: swift run -c release --package-path Benchmarks/Field field [--work NAME] [--rounds N]
               … field --check | --render | --check-page | --list | --help

          --work NAME     only this work: prints its figures, and writes nothing
          --rounds N      how often each program is started for each work: 3
          --check         runs everything once with few operations, to see that the results are right
          --render        writes the page and its picture anew, from Docs/field.json, without measuring
          --check-page    fails if the page or its picture isn't what --render would write
          --list          prints the names of the works
          --help          prints this

        A language that isn't installed is left out. A full run takes less than ten minutes.

        Exit status: 0; 1 if a result was wrong or the page is out of date; 2 for a mistake in the arguments.
        """
}

/// A request that can't be fulfilled.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Something that was started and went wrong.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
