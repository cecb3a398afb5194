#if EXPLORED
    import ChemActors

    // Calls that wait, give up, are cancelled, or are answered: each ends once, and what it took isn't lost.
    extension Scenario {
        private struct Exchange: Sendable {
            let ask: FastMolecule<Void, Int>
            let item: SlowMolecule<Int>
            let definition: Join

            init(_ machine: ChemicalMachine) {
                (ask, item, definition) = machine.define("exchange") { join in
                    let ask = join.fast("ask", returning: Int.self)
                    let item = join.slow("item", of: Int.self)
                    join.answer(ask, with: item) { _, item in item }
                    return (ask, item, join.definition)
                }
            }
        }

        private static let twoCallers = Scenario(name: "two callers") { world in
            let exchange = Exchange(world.machine())
            await world.concurrently([
                { world.notes["sum", default: 0] += try await exchange.ask() },
                { world.notes["sum", default: 0] += try await exchange.ask() },
                {
                    exchange.item(1); exchange.item(2)
                },
            ])
            world.check(world.notes["sum"] == 3, "they got \(world.notes["sum"] ?? 0)")
        }

        /// Who is the worker for what it has injected, until nothing is possible.
        private final class Asker: Beneficiary, Sendable {
            let isSettled = false
        }

        private static let callAfterInject = Scenario(name: "call after inject", monitorMayLook: true) { world in
            let (question, answer, definition) = world.machine().define("asked") { join in
                let question = join.slow("question", of: Int.self)
                let found = join.slow("found", of: Int.self)
                let answer = join.fast("answer", returning: Int.self)
                join.when(question) { number in found(number) }
                join.when(answer, found) { reply, number in reply(number) }
                return (question, answer, join.definition)
            }
            await world.concurrently(
                (1...2).map { number in
                    {
                        _ = definition.work(for: Asker(), holdsActor: false) { question(number) }
                        world.notes["sum", default: 0] += try await answer()
                    }
                }
            )
            world.check(world.notes["sum"] == 3, "they got \(world.notes["sum"] ?? 0)")
        }

        private static let cancelledCall = Scenario(name: "cancelled call") { world in
            let exchange = Exchange(world.machine())
            let call = Task { try? await exchange.ask() }
            await world.concurrently([{ exchange.item(7) }, { world.cancel(call) }])
            if let got = await call.value {
                world.check(got == 7, "it got \(got)")
            } else {
                let left = try await exchange.ask()
                world.check(left == 7, "what was left is \(left)")
            }
        }

        private static let timedCall = Scenario(name: "timed call", timeMayPass: true) { world in
            let exchange = Exchange(world.machine())
            await world.concurrently([
                {
                    do {
                        world.notes["got"] = try await exchange.ask(within: .milliseconds(1))
                    } catch let error as CallError where error.code == .timedOut {}
                },
                { exchange.item(7) },
            ])
            let got = if let got = world.notes["got"] { got } else { try await exchange.ask() }
            world.check(got == 7, "it got \(got)")
        }

        private static let pausedCall = Scenario(name: "paused call") { world in
            let exchange = Exchange(world.machine())
            exchange.definition.pause()
            exchange.item(7)
            let call = Task { try? await exchange.ask() }
            let quiet = Task { try await exchange.definition.quiescence() }
            await world.rest()
            world.cancel(call)
            try await quiet.value
            let got = await call.value
            world.check(got == nil, "a paused definition has answered")
            exchange.definition.resume()
            let left = try await exchange.ask()
            world.check(left == 7, "what was left is \(left)")
        }

        private static let keptReply = Scenario(name: "kept reply") { world in
            let (call, go, definition) = world.machine().define("kept") { join in
                let call = join.fast("call", of: Int.self, returning: Int.self)
                let parked = join.slow("parked", of: Reply<Int, Int>.self)
                let gone = join.slow("gone")
                let go = join.slow("go", of: Int.self)
                join.when(call) { reply in
                    reply.onCancel { gone() }
                    parked(reply)
                }
                join.when(parked, go) { reply, n in reply(reply.value * n) }
                join.when(gone, parked) { _, _ in }
                return (call, go, join.definition)
            }
            let first = Task { try? await call(2) }
            await world.concurrently([{ go(3) }, { world.cancel(first) }])
            let got = await first.value
            world.check(got == nil || got == 6, "it got \(got ?? 0)")
            try await definition.quiescence()
        }

        private static let asynchronousAnswer = Scenario(name: "asynchronous answer", timeMayPass: true) { world in
            let (ask, item, definition) = world.machine().define("asynchronous") { join in
                let ask = join.fast("ask", returning: Int.self)
                let item = join.slow("item", of: Int.self)
                join.failurePolicy = .putBack(after: .milliseconds(1))
                join.answer(ask, with: item) { _, item in
                    await world.rest()
                    try Task.checkCancellation()
                    return item
                }
                return (ask, item, join.definition)
            }
            let call = Task { try? await ask(within: .milliseconds(1), coveringBody: true) }
            await world.concurrently([{ item(7) }, { world.cancel(call) }])
            let got = await call.value
            world.check(got == nil || got == 7, "it got \(got ?? 0)")
            try await definition.quiescence()
        }

        static let calling = [
            twoCallers, callAfterInject, cancelledCall, timedCall, pausedCall, keptReply, asynchronousAnswer,
        ]
    }
#endif
