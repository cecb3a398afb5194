#if EXPLORED
    import Foundation

    /// ```
    /// explore-interleavings [--systematic N] [--random N] [--until-failure] [NAME…]
    /// explore-interleavings --replay TOKEN NAME
    /// ```
    struct CommandLineProgram {
        private var arguments: [String]

        init(_ arguments: some Sequence<String>) {
            self.arguments = Array(arguments)
        }

        /// - Returns: the status with which the program exits: 0 if nothing has failed, 2 if it can't be run like that.
        mutating func run() -> Int32 {
            let systematic = option("--systematic").flatMap { Int($0) } ?? 3_000
            let random = option("--random").flatMap { Int($0) } ?? 1_000
            let replay = option("--replay")
            let endsEarly = flag("--until-failure")
            if let unknown = arguments.first(where: { name in !Scenario.all.contains { $0.name == name } }) {
                print("no scenario '\(unknown)'; there are: \(Scenario.all.map(\.name).joined(separator: ", "))")
                return 2
            }
            let chosen = Scenario.all.filter { arguments.isEmpty || arguments.contains($0.name) }
            Baton.shared.install()
            if let replay { return again(replay, chosen) }
            var failed = 0
            for scenario in chosen where !explore(scenario, systematic: systematic, random: random) {
                failed += 1
                if endsEarly { break }
            }
            return failed == 0 ? 0 : 1
        }

        private mutating func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(index...(index + 1)) }
            return arguments[index + 1]
        }

        private mutating func flag(_ name: String) -> Bool {
            defer { arguments.removeAll { $0 == name } }
            return arguments.contains(name)
        }

        private func again(_ token: String, _ chosen: [Scenario]) -> Int32 {
            guard chosen.count == 1, let deviations = [Script.Deviation](token: token) else {
                print("--replay needs a token like 12.1,40.2 and one scenario")
                return 2
            }
            let outcome = chosen[0].run(Script(deviations), keepsLog: true)
            for line in outcome.log { print(line) }
            print("\(outcome.script.counts.count) points")
            show(outcome, of: chosen[0])
            return outcome.failures.isEmpty ? 0 : 1
        }

        /// - Returns: whether nothing has failed.
        private func explore(_ scenario: Scenario, systematic: Int, random: Int) -> Bool {
            let begin = ContinuousClock.now
            var search = Search(scenario, systematic: systematic, random: random)
            let failure = search.firstFailure()
            let time = String(format: "%6.1f s", (ContinuousClock.now - begin) / .seconds(1))
            let name = scenario.name.padding(toLength: 24, withPad: " ", startingAt: 0)
            let result = failure == nil ? "" : ": FAILED"
            print("\(name)\(time) \(search.runs) runs, up to \(search.deepest) deviations\(result)")
            if let failure { show(failure, of: scenario) }
            fflush(nil)
            return failure == nil
        }

        private func show(_ outcome: Outcome, of scenario: Scenario) {
            for failure in outcome.failures { print("  \(failure)") }
            let token = outcome.script.deviations.token
            print("  again: explore-interleavings --replay \(token) '\(scenario.name)'")
        }
    }
#endif
