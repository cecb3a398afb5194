import ChemActors
import TestSupport
import Testing

/// Twelve programs that hang, each for another reason, which is found within ten milliseconds.
@Suite(.endsInTime)
struct StuckTests {
    @Test func aMoleculeThatNobodyHasInjectedIsNamedWithItsLine() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 2
        let (increment, value) = machine.define("counter") { join in
            let count = join.slow("count", of: Int.self)
            let increment = join.slow("increment")
            let value = join.fast("value", returning: Int.self)
            join.when(increment, count) { _, n in count(n + 1) }.produces(count)
            join.answer(value, with: count) { _, n in
                count(n)
                return n
            }.produces(count)
            return (increment, value)
        }
        let waiting = Task { try await value() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.calls[0].molecule == "counter.value")
        #expect(report.calls[0].location == here(line + 10))
        #expect(report.says("value & count", "lacks count"))
        #expect(report.says("nobody has injected 'count' (\(here(line))) so far"))
        increment()
        waiting.cancel()
        _ = await waiting.result
    }

    /// It overflowed the stack, and all calls of a chain took cubic time.
    @Test func aLongChainOfCallsIsExplainedAsFarAsSomebodyReads() async throws {
        let machine = ChemicalMachine.observed
        let (first, arrived, go) = chainOfCalls(3_000, on: machine)
        let waiting = Task { try await first() }
        try await arrived()
        let isThere = await Patience.until { machine.statistics.waitingCalls == 1 }
        #expect(isThere)
        let report = machine.explainStuck()
        #expect(report.calls.count == 3_002)
        #expect(report.says("lacks go"))
        #expect(report.says("… and so on"))
        withExtendedLifetime(go) {}
        waiting.cancel()
        _ = await waiting.result
    }

    @Test func aTokenThatABodyForgetsToPutBackIsBlamedOnItsLine() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 4
        let (use, acquire) = machine.define("token") { join in
            let (token, use) = (join.slow("token"), join.slow("use", of: Bool.self))
            let acquire = join.fast("acquire", returning: Void.self)
            join.when(use, token) { isGood, _ in if isGood { token() } }
            join.answer(acquire, with: token) { _, _ in token() }
            token()
            return (use, acquire)
        }
        try await acquire()
        use(true)
        use(false)
        try await machine.quiescence()
        let waiting = Task { try await acquire() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("use & token (\(here(line)))", "has taken the last 'token'", "ended without another one"))
        waiting.cancel()
        _ = await waiting.result
    }

    @Test func aTokenThatWentWithAFailureIsBlamedOnItsLine() async throws {
        struct Bad: Error {}
        let machine = ChemicalMachine.observed
        let line = #line + 4
        let (use, acquire) = machine.define("token") { join in
            let (token, use) = (join.slow("token"), join.slow("use"))
            let acquire = join.fast("acquire", returning: Void.self)
            join.when(use, token) { _, _ in throw Bad() }
            join.answer(acquire, with: token) { _, _ in token() }
            token()
            return (use, acquire)
        }
        use()
        try await machine.quiescence()
        let waiting = Task { try await acquire() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("use & token (\(here(line)))", "has taken the last 'token'"))
        waiting.cancel()
        _ = await waiting.result
    }

    @Test func aStateIsTracedToTheBodyThatHasItAndToWhatThatWaitsFor() async throws {
        let machine = ChemicalMachine.observed
        let (confirm, open) = machine.define("shop") { join in
            let confirm = join.fast("confirm", returning: Void.self)
            let open = join.slow("open")
            join.answer(confirm, with: open) { _, _ in }
            return (confirm, open)
        }
        let line = #line + 4
        let (transfer, balance) = machine.define("bank") { join in
            let account = join.state("account", 0)
            let (transfer, balance) = (join.slow("transfer"), join.fast("balance", returning: Int.self))
            join.when(transfer, updating: account) { account, _ in
                try await confirm()
                account += 1
            }
            join.answer(balance, reading: account) { n, _ in n }
            return (transfer, balance)
        }
        transfer()
        _ = try await stuck(machine, calls: 1)
        let waiting = Task { try await balance() }
        let report = try await stuck(machine, calls: 2, saying: "waits in shop.confirm")
        #expect(
            report.says(
                "transfer & account (\(here(line))) has 'account'",
                "waits in shop.confirm, called at \(here(line + 1))"
            )
        )
        #expect(report.says("nobody has injected 'open'"))
        open()
        #expect(try await waiting.value == 1)
    }

    @Test func aCycleOfTokensIsNamedAsOne() async throws {
        let machine = ChemicalMachine.observed
        let (a, b) = (lock("a", on: machine), lock("b", on: machine))
        let line = #line + 7
        let (ab, ba) = machine.define("clients") { join in
            let (ab, ba) = (join.slow("ab"), join.slow("ba"))
            let (one, other) = (join.fast("one", returning: Void.self), join.fast("other", returning: Void.self))
            join.when(one, other) { one, other in
                one()
                other()
            }
            join.when(ab) { _ in
                try await a.lock()
                try await one()
                try await b.lock()
                a.unlock()
                b.unlock()
            }.produces(a.unlock, b.unlock)
            join.when(ba) { _ in
                try await b.lock()
                try await other()
                try await a.lock()
                a.unlock()
                b.unlock()
            }.produces(a.unlock, b.unlock)
            return (ab, ba)
        }
        ab()
        ba()
        let report = try await stuck(machine, calls: 2, saying: "this is a cycle")
        #expect(report.says("ab (\(here(line + 1))) makes 'unlock': its body waits in b.lock"))
        #expect(report.says("this is a cycle"))
        machine.deactivate()
    }

    @Test func whoIsGoneIsNamed() async throws {
        let machine = ChemicalMachine.observed
        let (take, put) = machine.define("slot") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            join.answer(take, with: put) { _, n in n }
            return (take, put)
        }
        let line = #line + 3
        var work: SlowMolecule<Int>? = machine.define("worker") { join in
            let work = join.slow("work", of: Int.self)
            join.when(work) { n in put(n) }
            return work
        }
        work?(1)
        #expect(try await take() == 1)
        work = nil
        #expect(await Patience.until { machine.snapshot().count == 1 })
        let waiting = Task { try await take() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("work (\(here(line))) has injected 'put', and its definition 'worker' is gone"))
        waiting.cancel()
        _ = await waiting.result
        extendLifetime(put)
    }

    @Test func philosophersWaitInACircle() async throws {
        let machine = ChemicalMachine.observed
        let count = 5
        let forks = (0..<count).map { lock("fork\($0)", on: machine) }
        let seated = machine.define("table") { join in
            let seated = join.fast("seated", returning: Void.self)
            join.when(count, of: seated) { replies in for reply in replies { reply() } }
            return seated
        }
        let sit = machine.define("philosophers") { join in
            let sit = join.slow("sit", of: Int.self)
            join.when(sit) { place in
                try await forks[place].lock()
                try await seated()
                try await forks[(place + 1) % count].lock()
                forks[place].unlock()
                forks[(place + 1) % count].unlock()
            }.produces(forks.map(\.unlock))
            return sit
        }
        sit.inject(contentsOf: 0..<count)
        #expect(
            await Patience.until {
                machine.explainStuck().calls.count { $0.molecule.hasPrefix("fork") } == count
            }
        )
        let report = try await stuck(machine, calls: count, saying: "this is a cycle")
        #expect(report.says("sit (", "waits in fork"))
        // Each is explained by the whole circle, fork by fork, and back.
        for call in report.calls where call.molecule.hasPrefix("fork") {
            var way = call.causes
            var forks: [String] = []
            while let cause = way.first {
                let parts = cause.description.split(separator: "waits in fork")
                if parts.count == 2 { forks.append(String(parts[1].prefix(1))) }
                #expect(way.count == 1)
                if cause.causes.isEmpty { #expect(cause.description.hasSuffix("this is a cycle")) }
                way = cause.causes
            }
            let own = String(call.molecule.dropFirst(4).prefix(1))
            #expect(forks.last == own, "\(report)")
            #expect(forks.count == count && Set(forks).count == count, "\(report)")
        }
        // In a text, once.
        let text = report.description
        #expect(text.ranges(of: "this is a cycle").count == 1, "\(text)")
        #expect(text.ranges(of: "  see fork").count == count - 1, "\(text)")
        machine.deactivate()
    }

    /// A recorder that has learned who makes what still knows who has a token.
    @Test func whoHasATokenIsKnownHoweverOftenItWasTaken() async throws {
        let machine = ChemicalMachine.observed
        let forks = (0..<2).map { lock("fork\($0)", on: machine) }
        for _ in 0..<3000 {
            try await forks[0].lock()
            forks[0].unlock()
        }
        try await machine.quiescence()
        let (sit, wait) = machine.define("two") { join in
            let (sit, wait) = (join.slow("sit", of: Int.self), join.slow("wait", of: Int.self))
            join.when(sit) { place in
                try await forks[0].lock()
                try await forks[1].lock()
                forks[0].unlock()
            }.produces(forks[0].unlock)
            join.when(wait) { place in
                try await forks[0].lock()
                forks[0].unlock()
            }.produces(forks[0].unlock)
            return (sit, wait)
        }
        try await forks[1].lock()
        let line = #line - 11
        sit(0)
        _ = try await stuck(machine, calls: 1)
        wait(0)
        let report = try await stuck(machine, calls: 2)
        #expect(report.says("sit (\(here(line - 1)))", "its body waits in fork1.lock, called at \(here(line + 1))"))
        #expect(!report.says("wait (", "its body waits"))
        machine.deactivate()
    }

    @Test func manyCallsForTheSameReasonAreToldOfOnce() async throws {
        let machine = ChemicalMachine.observed
        let (take, put) = machine.define("slot") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            join.answer(take, with: put) { _, n in n }
            return (take, put)
        }
        let waiting = (0..<100).map { _ in Task { try await take() } }
        let report = try await stuck(machine, calls: 100, saying: " 100 times, ")
        #expect("\(report)".split(separator: "\n").count == 4)
        #expect(report.says("slot.take, called at ", " 100 times, the longest for "))
        for number in 0..<100 { put(number) }
        for task in waiting { _ = try await task.value }
    }

    @Test func aBodyThatIsTriedAgainRunsOnce() async throws {
        struct Bad: Error {}
        let machine = ChemicalMachine.observed
        let (stream, release) = AsyncStream.makeStream(of: Never.self)
        let attempts = Tally()
        let (work, done) = machine.define("work") { join in
            join.failurePolicy = .retry(2, backOff: .milliseconds(1))
            let (work, ready, done) = (join.slow("work"), join.slow("ready"), join.fast("done", returning: Void.self))
            join.when(work) { _ in
                attempts.add()
                if attempts.value < 3 { throw Bad() }
                for await _ in stream {}
                ready()
            }.produces(ready)
            join.answer(done, with: ready) { _, _ in }
            return (work, done)
        }
        work()
        let waiting = Task { try await done() }
        #expect(await Patience.until { attempts.value == 3 })
        let report = try await stuck(machine, calls: 1, saying: "its body runs")
        #expect(report.says("makes 'ready': its body runs"))
        release.finish()
        try await waiting.value
    }

    @Test func aPausedDefinitionIsSaidToBePaused() async throws {
        let machine = ChemicalMachine.observed
        let (ask, definition) = machine.define("desk") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.answer(ask) { 1 }
            return (ask, join.definition)
        }
        definition.pause()
        let waiting = Task { try await ask() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("'desk' is paused"))
        definition.resume()
        #expect(try await waiting.value == 1)
    }

    @Test func aFullMoleculeIsTracedToItsConsumer() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 3
        let (job, begin) = machine.define("jobs") { join in
            let (job, begin) = (join.bounded("job", of: Int.self, capacity: 1), join.slow("begin"))
            join.when(begin, job) { _, _ in }
            return (job, begin)
        }
        try await job.inject(1)
        let waiting = Task { try await job.inject(2) }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("begin & job (\(here(line))) makes 'job.room', and lacks begin"))
        #expect(report.says("nobody has injected 'begin'"))
        begin()
        try await waiting.value
    }

    @Test func aChainIsFollowedToItsBeginning() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 5
        let (first, last) = machine.define("chain") { join in
            let (first, second, third) = (join.slow("first"), join.slow("second"), join.slow("third"))
            let key = join.slow("key")
            let last = join.fast("last", returning: Void.self)
            join.when(first, key) { _, _ in second() }.produces(second)
            join.when(second) { _ in third() }.produces(third)
            join.answer(last, with: third) { _, _ in }
            return (first, last)
        }
        first()
        let waiting = Task { try await last() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("second (\(here(line + 1))) makes 'third', and lacks second"))
        #expect(report.says("first & key (\(here(line))) makes 'second', and lacks key"))
        #expect(report.says("nobody has injected 'key'"))
        waiting.cancel()
        _ = await waiting.result
    }

    @Test func aBodyThatRunsIsNamed() async throws {
        let machine = ChemicalMachine.observed
        let (stream, release) = AsyncStream.makeStream(of: Never.self)
        let line = #line + 3
        let (work, done) = machine.define("slow work") { join in
            let (work, ready, done) = (join.slow("work"), join.slow("ready"), join.fast("done", returning: Void.self))
            join.when(work) { _ in
                for await _ in stream {}
                ready()
            }.produces(ready)
            join.answer(done, with: ready) { _, _ in }
            return (work, done)
        }
        work()
        let waiting = Task { try await done() }
        let report = try await stuck(machine, calls: 1, saying: "its body runs")
        #expect(report.says("work (\(here(line))) makes 'ready': its body runs"))
        release.finish()
        try await waiting.value
    }

    @Test func aConditionOfAStateIsNamed() async throws {
        let machine = ChemicalMachine.observed
        let (enter, open) = machine.define("door") { join in
            let door = join.state("door", false)
            let (enter, open) = (join.fast("enter", returning: Void.self), join.slow("open"))
            join.when(open, updating: door) { door, _ in door = true }
            join.answer(enter, updating: door.while { $0 }) { _, _ in }
            return (enter, open)
        }
        let waiting = Task { try await enter() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.says("enter & door", "lacks"))
        open()
        try await waiting.value
    }

    /// Bodies that have taken what nobody has made yet but the definition: so far nothing tells what they make.
    @Test func bodiesThatTakeOneCopyAndWaitForTheNextAreACycleTheFirstTimeAlready() async throws {
        let machine = ChemicalMachine.observed
        let arrive = machine.define("meeting") { join in
            let arrive = join.fast("arrive")
            join.when(arrive, arrive, arrive) {
                $0(); $1(); $2()
            }
            return arrive
        }
        let line = #line + 6
        let eat = machine.define("table") { join in
            let fork = (0..<3).map { join.slow("fork[\($0)]") }
            let take = (0..<3).map { join.fast("take[\($0)]") }
            let eat = (0..<3).map { join.fast("eat[\($0)]") }
            for i in 0..<3 {
                join.answer(eat[i], with: fork[i]) { _, _ in
                    try await arrive()
                    try await take[(i + 1) % 3]()
                    fork[i]()
                    fork[(i + 1) % 3]()
                }
                join.answer(take[i], with: fork[i]) { _, _ in }
                fork[i]()
            }
            return eat
        }
        let eaters = eat.map { eat in Task { try await eat() } }
        let report = try await stuck(machine, calls: 6, saying: "this is a cycle")
        #expect(
            report.says("eat[1] & fork[1] (\(here(line)))", "has taken the last 'fork[1]'", "waits in table.take[2]")
        )
        // Who has called first has waited for longest, also if a reaction has taken the call at once.
        #expect(report.calls.prefix(3).allSatisfy { $0.molecule.contains("eat") }, "\(report)")
        machine.deactivate()
        for eater in eaters { _ = await eater.result }
    }

    @Test func aReplyThatSomebodyKeepsIsTracedToTheReactionThatTookTheCall() async throws {
        let machine = ChemicalMachine.observed
        let kept = Record<Reply<Void, Int>>()
        let line = #line + 3
        let ask = machine.define("desk") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.when(ask) { reply in kept.append(reply) }
            return ask
        }
        let waiting = Task { try await ask() }
        let report = try await stuck(machine, calls: 1, saying: "has ended")
        #expect(report.says("ask (\(here(line))) has taken it, and its body has ended: somebody has the reply"))
        kept.all[0](7)
        #expect(try await waiting.value == 7)
        #expect(machine.explainStuck().calls.isEmpty)
    }

    @Test func aReportOfALongWaitSaysTheSameUnasked() async throws {
        let reports = Record<String>()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(
                reporter: { reports.append("\($0)") },
                patience: .milliseconds(10),
                recorder: .flight
            )
        )
        let take = machine.define("slot") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            join.answer(take, with: put) { _, n in n }
            return take
        }
        let waiting = Task { try await take() }
        #expect(await Patience.until { reports.count == 1 })
        #expect(reports.all[0].contains("nobody has injected 'put'"))
        waiting.cancel()
        _ = await waiting.result
    }

    @Test func withoutARecorderItSaysWhatIsDeclaredAndWhatIsNotKnown() async throws {
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .off)
        )
        let (fill, take, put) = machine.define("slot") { join in
            let (fill, put) = (join.slow("fill", of: Int.self), join.slow("put", of: Int.self))
            let take = join.fast("take", returning: Int.self)
            join.when(fill) { n in put(n) }.produces(put)
            join.answer(take, with: put) { _, n in n }
            return (fill, take, put)
        }
        let waiting = Task { try await take() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.lacksRecorder)
        #expect(report.says("fill (", "makes 'put', and lacks fill"))
        #expect(report.says("CHEMACTORS_RECORDER=flight"))
        fill(3)
        #expect(try await waiting.value == 3)
        extendLifetime(put)
    }

    @Test func callsThatHaveNotWaitedForSoLongAreLeftOut() async throws {
        let machine = ChemicalMachine.observed
        let (take, put) = machine.define("slot") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            join.answer(take, with: put) { _, n in n }
            return (take, put)
        }
        let waiting = Task { try await take() }
        let report = try await stuck(machine, calls: 1)
        #expect(report.calls[0].duration < .seconds(3600))
        #expect(machine.explainStuck(after: .seconds(3600)).calls.isEmpty)
        put(1)
        #expect(try await waiting.value == 1)
        #expect("\(machine.explainStuck())" == "No call waits.")
    }
}

private struct TestLock {
    let lock: FastMolecule<Void, Void>
    let unlock: SlowMolecule<Void>
}

private func lock(_ name: String, on machine: ChemicalMachine) -> TestLock {
    let (lock, unlock) = machine.define(name) { join in
        let (free, unlock) = (join.slow("free"), join.slow("unlock"))
        let lock = join.fast("lock", returning: Void.self)
        join.answer(lock, with: free) { _, _ in }
        join.when(unlock) { _ in free() }.produces(free)
        free()
        return (lock, unlock)
    }
    return TestLock(lock: lock, unlock: unlock)
}
