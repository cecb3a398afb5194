#if EXPLORED
    import ChemActors
    import ChemBase

    /// A small program of a few tasks, whose every interleaving has to come out right.
    struct Scenario: Sendable {
        let name: String
        /// Whether deadlines may pass at any time, and not only once nothing else can happen.
        var timeMayPass = false
        /// Whether the monitor may look at any time.
        var monitorMayLook = false
        let body: @Sendable (World) async throws -> Void
    }

    /// What a scenario runs in.
    final class World: @unchecked Sendable {
        // Checked by hand: one thread of a run at a time goes on.
        private var machines: [ChemicalMachine] = []
        private(set) var failures: [String] = []
        fileprivate var isFinished = false
        /// What the scenario keeps.
        var notes: [String: Int] = [:]

        /// A machine whose definitions have to be gone in the end.
        func machine(workers: Int = 2) -> ChemicalMachine {
            let machine = ChemicalMachine(
                ChemicalMachine.Configuration(
                    seed: 1,
                    workerLimit: workers,
                    reporter: { [unowned self] in add($0) },
                    patience: nil,
                    recorder: .off
                )
            )
            machines.append(machine)
            return machine
        }

        /// How scopes run.
        var configuration: ChemicalMachine.Configuration { machine().configuration }

        private func add(_ event: ChemicalEvent) {
            notes["\(event.kind)".prefix { $0 != "(" }.description, default: 0] += 1
        }

        func check(_ isRight: Bool, _ text: @autoclosure () -> String) {
            if !isRight { failures.append(text()) }
        }

        /// Somebody else may go on here: a body takes its time.
        func pause() { Interleaving.point() }

        /// Others may go on before this task does.
        func rest() async { await Interleaving.yield() }

        func cancel<Value, Failure>(_ task: Task<Value, Failure>) { Interleaving.whole { task.cancel() } }

        /// Runs all at once.
        func concurrently(_ works: [@Sendable () async throws -> Void]) async {
            await withTaskGroup(of: Void.self) { group in
                for (index, work) in works.enumerated() {
                    group.addTask {
                        do { try await work() } catch { self.failures.append("task \(index) threw \(error)") }
                    }
                }
            }
        }

        fileprivate func lookAtRest() {
            guard isFinished else {
                let stuck = machines.flatMap { $0.undissolved }
                let residue = machines.flatMap { $0.residue.calls + $0.residue.lacks }
                failures.append((["somebody waits for ever, beside \(stuck)"] + residue).joined(separator: "\n  "))
                return
            }
            for machine in machines {
                let residue = machine.residue
                failures += residue.unbalanced
                failures += machine.undissolved.map { "\($0) hasn't dissolved" }
                if machine.pendingDeadlines > 0 { failures.append("\(machine.pendingDeadlines) deadlines are left") }
            }
        }
    }

    /// What has come of one run.
    struct Outcome {
        let script: Script
        let failures: [String]
        let log: [String]
    }

    extension Scenario {
        func run(_ script: Script, keepsLog: Bool = false) -> Outcome {
            let world = World()
            let run = Run(script, timeMayPass: timeMayPass, monitorMayLook: monitorMayLook, keepsLog: keepsLog)
            Baton.shared.run = run
            let body = self.body
            let hasEnded = run.go {
                Task.detached {
                    do { try await body(world) } catch { world.check(false, "the scenario threw \(error)") }
                    world.isFinished = true
                }
            }
            Baton.shared.run = nil
            if run.isEndless {
                world.check(false, "it doesn't come to an end")
            } else if hasEnded {
                world.lookAtRest()
            } else {
                world.check(false, "a thread waits for one that isn't its turn")
            }
            return Outcome(script: run.script, failures: world.failures, log: run.log ?? [])
        }
    }
#endif
