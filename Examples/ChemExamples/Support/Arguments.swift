/// What the command line asks for.
package struct Arguments: Equatable, Sendable {
    package enum Task: Equatable, Sendable {
        case list
        case help
        /// The examples of these names, in this order.
        case run([String])
    }

    package var task = Task.list
    package var seed: UInt64?
    package var seconds: Double?
    package var philosophers: Int?
    /// Where to write a recording of the run.
    package var record: String?
    /// Whether another program wants to look into the run.
    package var isInspected = false
    package var isSmall = false
    package var isPlain = false

    /// Reads the arguments behind the program's name.
    package init(_ arguments: some Sequence<String>, names: [String] = Gallery.all.map(\.name)) throws(UsageError) {
        var rest = Array(arguments)[...]
        var wanted: [String] = []
        var wantsAll = false
        var wantsHelp = false
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--small": isSmall = true
            case "--plain": isPlain = true
            case "--seed":
                seed = try Self.value(of: argument, "a whole number of at least 0", from: &rest) { UInt64($0) }
            case "--seconds":
                seconds = try Self.value(of: argument, "a number from 1 to 3600", from: &rest) { text in
                    Double(text).flatMap { (1...3600).contains($0) ? $0 : nil }
                }
            case "--philosophers":
                philosophers = try Self.value(of: argument, "a whole number from 2 to 1000", from: &rest) { text in
                    Int(text).flatMap { (2...1000).contains($0) ? $0 : nil }
                }
            case "--record": record = try Self.value(of: argument, "the name of a file", from: &rest) { $0 }
            case "--inspect": isInspected = true
            case "all": wantsAll = true
            default:
                if argument.hasPrefix("-") { throw UsageError("unknown option '\(argument)'") }
                guard names.contains(argument) else {
                    throw UsageError("there is no example '\(argument)'", isName: true)
                }
                wanted.append(argument)
            }
        }
        if wantsHelp {
            task = .help
        } else if wantsAll {
            task = .run(names)
        } else if !wanted.isEmpty {
            task = .run(wanted)
        } else if isInspected {
            task = .run([Gallery.greedy.name])
        }
        if record != nil, !wantsHelp, wantsAll || wanted.count != 1 {
            throw UsageError("--record needs the name of one example, as in: --record run.chem philosophers")
        }
        if isInspected, !wantsHelp, wantsAll || wanted.count > 1 {
            throw UsageError("--inspect needs the name of one example, as in: --inspect philosophers")
        }
    }

    private static func value<Value>(
        of option: String,
        _ kind: String,
        from rest: inout ArraySlice<String>,
        _ parse: (String) -> Value?
    ) throws(UsageError) -> Value {
        guard let text = rest.popFirst() else { throw UsageError("\(option) needs \(kind)") }
        guard let value = parse(text) else { throw UsageError("\(option) needs \(kind), not '\(text)'") }
        return value
    }

    package static let help = """
        Runs classic problems of concurrency, written as chemistry. Each checks itself.

        USAGE: swift run -c release chem-examples [NAME ... | all] [--seed N] [--seconds S] [--philosophers N]
                                                  [--small] [--plain] [--record FILE] [--inspect] [--help]

          NAME               run this example; without a name, list them
          all                run all examples, and say what was checked
          --seed N           the seed of random choices: 1
          --seconds S        how long to watch the philosophers: 12, or 600 with --inspect
          --philosophers N   how many of them dine: 5
          --small            do as little as still shows the problem
          --plain            write lines also where pictures could be drawn in place
          --record FILE      write down all that happens: a recording to FILE, and a timeline
                             for https://ui.perfetto.dev to FILE.pftrace
          --inspect          let chem-inspector look into the run; of greedy, if no name is given
          --help             print this

        Exit status: 0; 1 if a check failed; 2 for a mistake in the arguments.
        """
}

/// A request that can't be fulfilled.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// Whether the name of an example was wrong, so that the right ones are worth saying.
    package let isName: Bool

    init(_ description: String, isName: Bool = false) {
        self.description = description
        self.isName = isName
    }
}
