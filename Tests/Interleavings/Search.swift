#if EXPLORED
    /// Looks for an interleaving that comes out wrong: first those with one deviation, then with two and three, then
    /// by chance.
    struct Search {
        let scenario: Scenario
        let systematic: Int
        let random: Int
        private(set) var runs = 0
        /// How many of the systematic runs had how many deviations.
        private(set) var deepest = 0

        init(_ scenario: Scenario, systematic: Int, random: Int) {
            self.scenario = scenario
            self.systematic = systematic
            self.random = random
        }

        /// The first that fails, made as short as can be.
        mutating func firstFailure() -> Outcome? {
            if let failure = systematically() ?? byChance() { return shortened(failure) }
            return nil
        }

        private mutating func run(_ script: Script) -> Outcome {
            runs += 1
            return scenario.run(script)
        }

        private mutating func systematically() -> Outcome? {
            var waiting: [[Script.Deviation]] = [[]]
            var index = 0
            while index < waiting.count, runs < systematic {
                let deviations = waiting[index]
                index += 1
                deepest = deviations.count
                let outcome = run(Script(deviations))
                if !outcome.failures.isEmpty { return outcome }
                guard waiting.count < systematic else { continue }
                let counts = outcome.script.counts
                for point
                    in ((deviations.last?.point ?? -1) + 1)..<max(counts.count, (deviations.last?.point ?? -1) + 1)
                {
                    for choice in 1..<counts[point] {
                        waiting.append(deviations + [Script.Deviation(point: point, choice: choice)])
                    }
                }
            }
            return nil
        }

        private mutating func byChance() -> Outcome? {
            for seed in 0..<random {
                let outcome = run(Script(seed: UInt64(seed), interval: [2, 4, 8, 16][seed % 4]))
                if !outcome.failures.isEmpty { return outcome }
            }
            return nil
        }

        /// Leaves out deviations as long as it still fails.
        private mutating func shortened(_ failure: Outcome) -> Outcome {
            var best = failure
            var index = 0
            while index < best.script.deviations.count, best.script.deviations.count > 1 {
                var fewer = best.script.deviations
                fewer.remove(at: index)
                let outcome = run(Script(fewer))
                if outcome.failures.isEmpty || outcome.script.deviations.count >= best.script.deviations.count {
                    index += 1
                } else {
                    best = outcome
                    index = 0
                }
            }
            return best
        }
    }
#endif
