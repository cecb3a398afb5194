#if EXPLORED
    import ChemActors

    // Bodies that fail: what they took comes back, or is tried again, and whoever waits meanwhile is told.
    extension Scenario {
        private struct Broken: Error {}

        private static let retried = Scenario(name: "retried", timeMayPass: true) { world in
            let (work, definition) = world.machine().define("retried") { join in
                let work = join.slow("work", of: Int.self)
                join.failurePolicy = .retry(3, backOff: .milliseconds(1))
                join.when(work) { n in
                    world.notes["tries", default: 0] += 1
                    if world.notes["tries"]! < 3 { throw Broken() }
                }
                return (work, join.definition)
            }
            await world.concurrently([{ work(1) }, { try await definition.quiescence() }])
            try await definition.quiescence()
            world.check(world.notes["tries"] == 3, "it was tried \(world.notes["tries"] ?? 0) times")
        }

        private static let putBackInAScope = Scenario(name: "put back in a scope", timeMayPass: true) { world in
            try await withChemicalMachine(world.configuration) { machine in
                let (ask, lost, token) = machine.define("put back") { join in
                    let ask = join.fast("ask", returning: Int.self)
                    let lost = join.fast("lost", returning: Int.self)
                    let token = join.slow("token")
                    let never = join.slow("never")
                    join.failurePolicy = .putBack(after: .milliseconds(1))
                    join.answer(ask, with: token) { _, _ in throw Broken() }
                    join.answer(lost, with: never) { _, _ in 1 }
                    return (ask, lost, token)
                }
                let start = machine.define("asker") { join in
                    let start = join.slow("start")
                    join.when(start) { _ in
                        do {
                            world.check(try await ask() == 0, "a body that has thrown has answered")
                        } catch is Broken {}
                        do {
                            world.check(try await lost() == 0, "somebody has answered what nobody can")
                        } catch let error as CallError {
                            world.check(error.code == .neverAnswerable, "it ended with \(error)")
                        }
                    }
                    return start
                }
                token()
                start()
            }
        }

        private static let droppedWhileItWaits = Scenario(name: "dropped while it waits", timeMayPass: true) { world in
            let machine = world.machine()
            let (work, definition) = machine.define("dropped") { join in
                let work = join.slow("work")
                join.failurePolicy = .retry(2, backOff: .milliseconds(1))
                join.when(work) { _ in throw Broken() }
                return (work, join.definition)
            }
            await world.concurrently([
                { work() },
                { definition.deactivate() },
                { try await definition.quiescence() },
            ])
            try await machine.quiescence()
            definition.activate()
        }

        private static let putBackAndQuiet = Scenario(name: "put back and quiet", timeMayPass: true) { world in
            let (ask, look, token, definition) = world.machine().define("put back") { join in
                let ask = join.fast("ask", returning: Int.self)
                let look = join.fast("look", returning: Int.self)
                let token = join.slow("token", of: Int.self)
                join.failurePolicy = .putBack(after: .milliseconds(1))
                join.answer(ask, with: token) { _, _ in throw Broken() }
                join.answer(look, with: token) { _, n in n }
                return (ask, look, token, join.definition)
            }
            token(7)
            do {
                _ = try await ask()
                world.check(false, "a body that has thrown has answered")
            } catch is Broken {}
            try await definition.quiescence()
            // What was put back is there now.
            let found = try? look.tryCall()
            world.check(found == 7, "the token isn't there: \(found.map { "\($0)" } ?? "nothing")")
        }

        static let failing = [putBackAndQuiet, retried, putBackInAScope, droppedWhileItWaits]
    }
#endif
