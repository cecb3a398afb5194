import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Actors that become others, keep things, and do jobs.
extension MailboxTests {
    @Test func a14AnActorBecomesAnotherOne() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: "") { (_, word: String, context) in
            log.add("first \(word)")
            context.become { (_, word, context) async in
                await Task.yield()
                log.add("then \(word)")
                context.become { _, word, _ in log.add("at last \(word)") }
            }
        }.start()
        for word in ["a", "b", "c", "d"] { actor.tell(word) }
        #expect(try await log.first(4) == ["first a", "then b", "at last c", "at last d"])
    }

    @Test func a14WhatIsPutAsideComesBackBeforeTheMailboxInItsOrder() async throws {
        for seed in 0..<50 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed)))
            let log = Log<String>()
            let actor = MailboxActor(state: 0, options: MailboxOptions(machine: machine)) {
                (_, word: String, context) in
                if word == "open" {
                    context.unstashAll()
                    context.become { _, word, _ in log.add(word) }
                } else {
                    context.stash(word)
                }
            }
            for word in ["a", "b", "open", "c", "d"] { actor.tell(word) }
            actor.start()
            #expect(try await log.first(4) == ["a", "b", "c", "d"], "seed \(seed)")
        }
    }

    @Test func a14AnActorMakesActorsAndSendsToThem() async throws {
        let log = Log<Int>()
        let actor = MailboxActor(state: 0) { (_, n: Int, context) in
            let child = context.spawn(MailboxActor(state: 0) { (_, n: Int, _) in log.add(n) })
            child.tell(n)
        }.start()
        for n in 0..<5 { actor.tell(n) }
        #expect(try await log.first(5).sorted() == Array(0..<5))
        actor.cancel()
        try await actor.termination()
    }

    @Test func a16AStorageIsConsistentUnderEightThousandOperations() async throws {
        enum Command: Sendable {
            case put(String, Int)
            case remove(String)
            case get(String, ReplyTo<Int?>)
            case all(ReplyTo<[String: Int]>)
        }
        let storage = MailboxActor(state: [String: Int]()) { (data, command: Command, _) in
            switch command {
            case .put(let key, let value): data[key] = value
            case .remove(let key): data[key] = nil
            case .get(let key, let reply): reply(data[key])
            case .all(let reply): reply(data)
            }
        }.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for n in 0..<1000 {
                        let key = "\(task).\(n % 10)"
                        storage.tell(.put(key, n))
                        if n % 100 == 0 {
                            let seen = try await storage.ask { .get(key, $0) }
                            #expect(seen == n)
                        }
                        if n % 10 == 9 { storage.tell(.remove(key)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try await storage.ask(Command.all)
        #expect(all.count == 72)
        #expect(all.allSatisfy { $0.value >= 990 })
    }

    @Test func a16TheSameStorageIsAJoinDefinition() async throws {
        let (put, remove, get, count) = Join.define("storage") { join in
            let data = join.state("data", [String: Int]())
            let put = join.slow("put", of: (key: String, value: Int).self, order: .oldestFirst)
            let remove = join.slow("remove", of: String.self, order: .oldestFirst)
            let get = join.fast("get", of: String.self, returning: Int?.self)
            let count = join.fast("count", returning: Int.self)
            join.when(put, updating: data) { data, entry in data[entry.key] = entry.value }
            join.when(remove, updating: data) { data, key in data[key] = nil }
            join.answer(get, reading: data) { data, key in data[key] }
            join.answer(count, reading: data) { data, _ in data.count }
            return (put, remove, get, count)
        }
        await withDiscardingTaskGroup { group in
            for task in 0..<8 { group.addTask { for n in 0..<1000 { put(("\(task).\(n % 10)", n)) } } }
        }
        var left = 80
        while left > 0 {
            left = 0
            // The calls answer in this task, and so never leave the thread to who puts.
            await Task.yield()
            for task in 0..<8 {
                for n in 0..<10 where try await get("\(task).\(n)") != 990 + n { left += 1 }
            }
        }
        #expect(try await count() == 80)
        for task in 0..<8 { remove("\(task).0") }
        while try await count() != 72 { await Task.yield() }
    }

    @Test func a17AWorkflowOfIndependentTasksIsDoneByActorsInARow() async throws {
        let log = Log<String>()
        let print = MailboxActor(state: 0) { (_, text: String, _) in log.add(text) }.start()
        let square = MailboxActor(state: 0) { (_, n: Int, _) async in print.tell("\(n * n)") }.start()
        let parse = MailboxActor(state: 0) { (_, text: String, _) in
            if let n = Int(text) { square.tell(n) }
        }.start()
        for n in 1...10 { parse.tell("\(n)") }
        #expect(try await log.first(10) == (1...10).map { "\($0 * $0)" })
    }

    @Test func a17AJobThatWaitsCanBeCancelled() async throws {
        let log = Log<String>()
        let jobs = (0..<3).map { number in
            MailboxActor(state: 0) { (_, _: Int, context) async throws in
                log.add("begun \(number)")
                try await Task.sleep(for: .seconds(600))
            }.start()
        }
        for job in jobs { job.tell(0) }
        _ = try await log.first(3)
        for job in jobs { job.cancel() }
        for job in jobs { #expect(try await job.termination().word == "cancelled") }
    }

    @Test func a17ActorsRunAtTheSameTime() async throws {
        // Each of them waits for the other, which goes well only if both handlers run.
        let (left, right) = Join.define("rendezvous") { join in
            let left = join.fast("left")
            let right = join.fast("right")
            join.when(left, right) { left, right in
                left()
                right()
            }
            return (left, right)
        }
        let log = Log<String>()
        let one = MailboxActor(state: 0) { (_, _: Int, _) async throws in
            try await left()
            log.add("left")
        }.start()
        let other = MailboxActor(state: 0) { (_, _: Int, _) async throws in
            try await right()
            log.add("right")
        }.start()
        one.tell(0)
        other.tell(0)
        #expect(try await Set(log.first(2)) == ["left", "right"])
    }

    /// Waits until an actor that has ended has seen everything that was told.
    func drained(_ actor: MailboxActor<some Any>) async throws {
        let end = ContinuousClock.now + .seconds(1_100)
        while actor.statistics.depth > 0, ContinuousClock.now < end { await Task.yield() }
        #expect(actor.statistics.depth == 0)
    }
}
