#if EXPLORED
    import ChemActors

    // Ends: quiet is told of to all who wait for it, and a definition that nobody can reach is gone.
    extension Scenario {
        private final class Last: Sendable {
            let deed: @Sendable () -> Void
            init(_ deed: @escaping @Sendable () -> Void) { self.deed = deed }
            deinit { deed() }
        }

        private static let lastName = Scenario(name: "last name") { world in
            let (put, take) = world.machine().define("last name") { join in
                let put = join.slow("put", of: Int.self)
                let take = join.fast("take", returning: Int.self)
                join.answer(take, with: put) { _, n in n }
                return (put, take)
            }
            let taker = Task { try? await take() }
            let putter = Task { [put] in put(1) }
            await putter.value
            let got = await taker.value
            world.check(got == 1, "it got \(got.map { "\($0)" } ?? "nothing")")
        }

        private static let quietAndNewWork = Scenario(name: "quiet and new work") { world in
            let machine = world.machine()
            let (work, definition) = machine.define("work") { join in
                let work = join.slow("work", of: Int.self)
                join.when(work) { n in
                    world.pause()
                    if n > 0 { work(n - 1) }
                }
                return (work, join.definition)
            }
            await world.concurrently([
                { work(1) },
                { try await definition.quiescence() },
                {
                    work(0); try await machine.quiescence()
                },
            ])
            try await machine.quiescence()
            let left = machine.residue.molecules
            world.check(left.isEmpty, "\(left)")
        }

        private static let deinitElsewhere = Scenario(name: "deinit elsewhere") { world in
            let machine = world.machine()
            let (told, count, listener) = machine.define("listener") { join in
                let told = join.slow("told")
                let count = join.fast("count", returning: Int.self)
                let n = join.state("n", 0)
                join.when(told, updating: n) { n, _ in n += 1 }
                join.answer(count, reading: n) { n, _ in n }
                return (told, count, join.definition)
            }
            // A worker ends the holder, whose last name has gone by then.
            do {
                let (hold, go) = machine.define("holder") { join in
                    let hold = join.slow("hold", of: Last.self)
                    let never = join.slow("never")
                    let go = join.slow("go")
                    join.when(hold, never) { _, _ in }
                    join.when(go) { _ in world.pause() }
                    return (hold, go)
                }
                hold(Last { told() })
                go()
            }
            try await machine.quiescence()
            let n = try await count()
            world.check(n == 1, "the machine was quiet before the last word was heard")
            withExtendedLifetime(listener) {}
        }

        private static let deactivated = Scenario(name: "deactivated") { world in
            let machine = world.machine()
            let (ask, item, definition) = machine.define("deactivated") { join in
                let ask = join.fast("ask", returning: Int.self)
                let item = join.slow("item", of: Int.self)
                join.answer(ask, with: item) { _, item in item }
                return (ask, item, join.definition)
            }
            await world.concurrently([
                { _ = try? await ask() },
                { item(1) },
                { definition.deactivate() },
            ])
            try await definition.quiescence()
            definition.activate()
            item(2)
            let got = try await ask()
            world.check(got == 2 || got == 1, "it got \(got)")
            definition.clear()
        }

        private static let cleared = Scenario(name: "cleared") { world in
            let (ask, item, definition) = world.machine().define("cleared") { join in
                let ask = join.fast("ask", returning: Int.self)
                let item = join.slow("item", of: Int.self)
                join.when(ask, item) { reply, item in
                    world.pause()
                    reply(item)
                }
                return (ask, item, join.definition)
            }
            let call = Task { try? await ask() }
            await world.concurrently([
                {
                    item(1); item(2)
                },
                { definition.clear() },
                {
                    definition.pause(); definition.resume()
                },
            ])
            item(4)
            _ = await call.value
            try await definition.quiescence()
        }

        private static let scope = Scenario(name: "scope") { world in
            try await withChemicalMachine(world.configuration) { machine in
                let (ask, item) = machine.define("scope") { join in
                    let ask = join.fast("ask", returning: Int.self)
                    let item = join.slow("item", of: Int.self)
                    join.answer(ask, with: item) { _, item in item }
                    return (ask, item)
                }
                let start = machine.define("asker") { join in
                    let start = join.slow("start")
                    join.when(start) { _ in
                        let first = try? await ask()
                        world.notes["first"] = first ?? -1
                        do {
                            _ = try await ask()
                            world.check(false, "somebody has answered what nobody can")
                        } catch let error as CallError {
                            world.check(error.code == .neverAnswerable, "it ended with \(error)")
                        }
                    }
                    return start
                }
                start()
                item(1)
            }
            world.check(world.notes["first"] == 1, "the first call got \(world.notes["first"] ?? 0)")
        }

        /// Whoever looks whether the scope can end finds the list of definitions changed.
        private static let scopeAndLastName = Scenario(name: "scope and last name") { world in
            try await withChemicalMachine(world.configuration) { machine in
                let (start, item) = machine.define("desk") { join in
                    let (start, item) = (join.slow("start"), join.slow("item"))
                    let ask = join.fast("ask")
                    join.answer(ask, with: item) { _, _ in }
                    join.when(start) { _ in
                        do {
                            try await ask()
                            world.check(false, "somebody has answered what nobody can")
                        } catch is CallError {}
                    }
                    return (start, item)
                }
                let short = machine.define("short") { join in
                    let short = join.slow("short")
                    join.when(short) { _ in }
                    return short
                }
                Task.detached { [short] in withExtendedLifetime(short) {} }
                start()
                withExtendedLifetime(item) {}
            }
        }

        /// The last name of a definition goes while one that was made in its closure is at work, and another one next.
        private static let inner = Scenario(name: "inner") { world in
            let machine = world.machine()
            let (told, count) = machine.define("listener") { join in
                let (told, count) = (join.slow("told"), join.fast("count", returning: Int.self))
                let n = join.state("n", 0)
                join.when(told, updating: n) { n, _ in n += 1 }
                join.answer(count, reading: n) { n, _ in n }
                return (told, count)
            }
            do {
                let begin = machine.define("outer") { join in
                    let (begin, ended) = (join.slow("begin"), join.slow("ended"))
                    let second = Join.define("second") { join in
                        let second = join.slow("second")
                        join.when(second) { _ in ended() }
                        return second
                    }
                    let first = Join.define("first") { join in
                        let first = join.slow("first")
                        join.when(first) { _ in second() }
                        return first
                    }
                    join.when(begin) { _ in first() }
                    join.when(ended) { _ in told() }
                    return begin
                }
                begin()
            }
            try await machine.quiescence()
            let n = try await count()
            world.check(n == 1, "the outer definition ended before the inner one had done its work")
            withExtendedLifetime(told) {}
        }

        private static let cancelledWaiter = Scenario(name: "cancelled waiter") { world in
            let (work, definition) = world.machine().define("waited for") { join in
                let work = join.slow("work")
                join.when(work) { _ in }
                return (work, join.definition)
            }
            definition.pause()
            work()
            let waiter = Task { try await definition.quiescence() }
            let other = Task { try await definition.quiescence() }
            await world.concurrently([{ world.cancel(waiter) }, { world.cancel(other) }])
            for task in [waiter, other] {
                do {
                    try await task.value
                    world.check(false, "it was quiet, although something is possible")
                } catch is CancellationError {}
            }
            definition.resume()
            try await definition.quiescence()
        }

        static let ending = [
            cancelledWaiter, lastName, quietAndNewWork, deinitElsewhere, deactivated, cleared, scope, scopeAndLastName,
            inner,
        ]
    }
#endif
