#if EXPLORED
    import ChemActors

    // Molecules that come from several threads: none is lost, none is taken twice, and a worker always comes.
    extension Scenario {
        private static let counter = Scenario(name: "counter", monitorMayLook: true) { world in
            let (increment, value, definition) = world.machine().define("counter") { join in
                let increment = join.slow("increment", of: Int.self)
                let value = join.fast("value", returning: Int.self)
                let count = join.state("count", 0)
                join.when(increment, updating: count) { count, n in count += n }
                join.answer(value, reading: count) { count, _ in count }
                return (increment, value, join.definition)
            }
            await world.concurrently([
                {
                    increment(1); increment(2)
                },
                { increment(4) },
                { increment(8) },
            ])
            try await definition.quiescence()
            let sum = try await value()
            world.check(sum == 15, "the sum is \(sum)")
        }

        private static let pairs = Scenario(name: "pairs") { world in
            let (left, right, sum, definition) = world.machine().define("pairs") { join in
                let left = join.slow("left", of: Int.self)
                let right = join.slow("right", of: Int.self)
                let sum = join.fast("sum", returning: Int.self)
                let total = join.state("total", 0)
                join.when(left, right, updating: total) { total, left, right in
                    world.pause()
                    total += left + right
                }
                join.answer(sum, reading: total) { total, _ in total }
                return (left, right, sum, join.definition)
            }
            await world.concurrently([
                {
                    left(1); right(2)
                },
                {
                    right(4); left(8)
                },
            ])
            try await definition.quiescence()
            let total = try await sum()
            world.check(total == 15, "the sum is \(total)")
        }

        private static let chain = Scenario(name: "chain", monitorMayLook: true) { world in
            // Each definition wakes the next: bodies hand workers on.
            let machine = world.machine()
            let (last, sum, end) = machine.define("last") { join in
                let last = join.slow("last", of: Int.self)
                let sum = join.fast("sum", returning: Int.self)
                let total = join.state("total", 0)
                join.when(last, updating: total) { total, n in total += n }
                join.answer(sum, reading: total) { total, _ in total }
                return (last, sum, join.definition)
            }
            let middle = machine.define("middle") { join in
                let middle = join.slow("middle", of: Int.self)
                join.when(middle) { n in
                    last(n)
                    world.pause()
                    last(n)
                }
                return middle
            }
            let first = machine.define("first") { join in
                let first = join.slow("first", of: Int.self)
                join.when(first) { n in middle(n) }
                return first
            }
            await world.concurrently([
                {
                    first(1); first(2)
                },
                { first(4) },
            ])
            try await machine.quiescence()
            let total = try await sum()
            world.check(total == 14, "the sum is \(total)")
            withExtendedLifetime((first, middle, end)) {}
        }

        private static let bounded = Scenario(name: "bounded", timeMayPass: true) { world in
            let (item, take, definition) = world.machine().define("bounded") { join in
                let item = join.bounded("item", of: Int.self, capacity: 1)
                let take = join.fast("take", returning: Int.self)
                join.answer(take, with: item) { _, item in item }
                return (item, take, join.definition)
            }
            await world.concurrently([
                {
                    try await item.inject(1); try await item.inject(2)
                },
                { try await item.inject(4) },
                {
                    var sum = 0
                    for _ in 0..<3 { sum += try await take() }
                    world.check(sum == 7, "the sum is \(sum)")
                },
            ])
            try await definition.quiescence()
        }

        private static let longBody = Scenario(name: "long body", monitorMayLook: true) { world in
            // A body that suspends, and others that go on beside it.
            let (start, quick, value, definition) = world.machine().define("long") { join in
                let start = join.slow("start")
                let quick = join.slow("quick")
                let value = join.fast("value", returning: Int.self)
                let count = join.slow("count", of: Int.self)
                count(0)
                join.when(start) { _ in
                    await world.rest()
                    quick()
                }
                join.when(quick, count) { _, n in count(n + 1) }
                join.answer(value, with: count) { _, n in
                    count(n)
                    return n
                }
                return (start, quick, value, join.definition)
            }
            await world.concurrently([{ start() }, { quick() }, { start() }])
            try await definition.quiescence()
            let count = try await value()
            world.check(count == 3, "there were \(count)")
        }

        static let injecting = [counter, pairs, chain, bounded, longBody]
    }
#endif
