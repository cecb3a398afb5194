import ChemActors

/// One problem of the gallery.
package struct Example: Sendable {
    /// What the command line calls it.
    package let name: String
    /// What it is, in a line.
    package let summary: String
    /// Where the problem comes from.
    package let source: String
    /// What its machine writes down, if nothing else is asked for.
    let recorder: EventRecorder
    /// Runs it and says what was checked. The machine is that of the surrounding scope.
    let body: @concurrent @Sendable (Stage, Screen, ChemicalMachine) async throws -> [Check]

    init(
        _ name: String,
        _ summary: String,
        from source: String,
        recorder: EventRecorder = .ofEnvironment,
        _ body: @escaping @concurrent @Sendable (Stage, Screen, ChemicalMachine) async throws -> [Check]
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.recorder = recorder
        self.body = body
    }

    /// Runs the example in a scope of its own, to the end of all its reactions.
    ///
    /// What the machine reports as a mishap, and an error that ends the scope, are failed checks.
    package func run(on stage: Stage) async -> Outcome {
        let mishaps = Mishaps()
        let configuration = ChemicalMachine.Configuration(
            seed: stage.seed,
            reporter: { mishaps.hear($0) },
            recorder: stage.record != nil ? .full() : stage.inspect != nil ? .flight : recorder
        )
        let clock = ContinuousClock()
        let start = clock.now
        var checks: [Check]
        do {
            checks = try await withChemicalMachine(configuration) { machine in
                let screen = Screen(stage.style, write: stage.write)
                stage.inspect?(machine)
                let checks = try await body(stage, screen, machine)
                screen.show([])  // what was left standing stays; a bar goes
                stage.record?(machine.recording())
                return checks
            }
            if checks.isEmpty { checks = [Check("nothing was checked", holds: false)] }
        } catch {
            checks = [Check("it ended with the error: \(error)", holds: false)]
        }
        do {
            checks += try await mishaps.soFar().map { Check("the machine reports: \($0)", holds: false) }
        } catch {
            checks.append(Check("mishaps can't be known: \(error)", holds: false))
        }
        return Outcome(example: self, checks: checks, duration: start.duration(to: clock.now))
    }
}

/// What came of running an example.
package struct Outcome: Sendable {
    package let example: Example
    package let checks: [Check]
    package let duration: Duration

    /// Whether every check holds.
    package var holds: Bool { checks.allSatisfy(\.holds) }
}
