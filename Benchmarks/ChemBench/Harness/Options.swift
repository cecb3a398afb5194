/// What the command line asks for.
struct Options {
    enum Task {
        case measure, help, list
    }

    var task = Task.measure
    var filter: String?
    var isQuick = true
    var json: String?
    var earlierRun: String?
    /// Whether rows are measured without what they are compared with.
    var isAlone = false
    /// How much worse a row may be than in the earlier run, as a factor.
    var tolerance = 1.3

    private var givenSamples: Int?

    /// Whether a reader wants the figures besides the picture.
    var showsTable: Bool { !isQuick || filter != nil }

    /// How often each row is measured, if its time lasts.
    var samples: Int { givenSamples ?? (isQuick ? 15 : 30) }

    /// After this time a row that has been measured a few times is done. `nil`: it is measured as often as was asked.
    var timeForRow: Duration? { isQuick && givenSamples == nil ? .seconds(1) : nil }

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let flag = rest.popFirst() {
            switch flag {
            case "--filter": filter = try Self.value(of: flag, from: &rest)
            case "--samples": givenSamples = try Self.number(of: flag, from: &rest)
            case "--full": isQuick = false
            case "--quick": isQuick = true
            case "--json": json = try Self.value(of: flag, from: &rest)
            case "--baseline": earlierRun = try Self.value(of: flag, from: &rest)
            case "--tolerance": tolerance = 1 + Double(try Self.number(of: flag, from: &rest)) / 100
            case "--alone": isAlone = true
            case "--list": task = .list
            case "--help", "-h": task = .help
            default: throw UsageError("unknown argument '\(flag)'")
            }
        }
    }

    private static func value(of flag: String, from rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError("\(flag) needs a value")
        }
        return value
    }

    private static func number(of flag: String, from rest: inout ArraySlice<String>) throws(UsageError) -> Int {
        let text = try value(of: flag, from: &rest)
        guard let number = Int(text), (1...1_000_000_000).contains(number) else {
            throw UsageError("\(flag) needs a whole number of at least 1, not '\(text)'")
        }
        return number
    }

    static func help(of program: Program) -> String {
        """
        \(program.purpose)

        USAGE: \(program.command) [--full] [--filter TEXT] [--samples N] [--json PATH]
               [--alone] [--baseline PATH [--tolerance PERCENT]] [--list] [--help]

          --full                all samples, and the figures: about a quarter of an hour
          --filter TEXT         only the rows whose name contains TEXT, with the baselines they need, and the figures
          --alone               with --filter: the one row of that name, without baselines, for a profiler
          --samples N           how often each row is measured: 30 with --full, otherwise 5 to 15, for about a second
          --json PATH           also write the results as JSON
          --baseline PATH       compare the ratios with those of an earlier --json
          --tolerance PERCENT   how much worse a ratio may get: 30
          --quick               smaller counts and fewer samples, as without --full
          --list                print the names of the rows
          --help                print this

        Every row checks its own result. It is measured in turn with its baseline (A B A B); the ratio is the median of
        the ratios of those pairs, the row divided by its baseline, so below 1 the row is faster.

        Exit status: 0; 1 if a result was wrong; 2 for a mistake in the arguments or a debug build; 3 if a row got worse.
        """
    }
}

/// A request that can't be fulfilled.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
