import ChemActors
import TestSupport
import Testing

private func machine(_ recorder: EventRecorder = .off) -> ChemicalMachine {
    ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: recorder))
}

private struct Session {
    let request: SlowMolecule<Int>
    let next: FastMolecule<Void, Int>
    let fail: SlowMolecule<Void>
}

private let sessionLine = #line + 3

private func makeSession(_ machine: ChemicalMachine, _ name: String = "session") -> Session {
    let (request, next, fail) = machine.define(name) { join in
        let request = join.slow("request", of: Int.self)
        let next = join.fast("next", returning: Int.self)
        let fail = join.slow("fail")
        join.answer(next, with: request) { _, n in n }
        join.when(fail) { throw CancellationError() }
        return (request, next, fail)
    }
    return Session(request: request, next: next, fail: fail)
}

@Suite(.endsInTime)
struct CensusTests {
    @Test func definitionsOfOneNameAndPlaceAreOneGroup() async throws {
        let machine = machine()
        let sessions = (0..<10_000).map { _ in makeSession(machine) }
        let other = makeSession(machine, "other")
        for session in sessions.prefix(3) {
            session.request(1)
            session.request(2)
        }
        _ = try await sessions[0].next()
        other.fail()
        try await machine.quiescence()

        let census = machine.census()
        #expect(census.groups.map(\.name) == ["other", "session"])
        let group = census.groups[1]
        #expect(group.location == "ChemActorsTests/CensusTests.swift:\(sessionLine)")
        #expect(group.definitions == 10_000)
        #expect(group.started == 1)
        #expect(group.present == 5)
        #expect(group.waitingCalls == 0)
        #expect(group.longestWait == nil)
        #expect(census.groups[0].failed == 1)
        #expect(census.definitions == 10_001)
        #expect(census.started == 2)
        withExtendedLifetime((sessions, other)) {}
    }

    @Test func theFreePlacesOfABoundedMoleculeAreNoCopies() async throws {
        let machine = machine()
        let (job, next) = machine.define("queue") { join in
            let job = join.bounded("job", of: Int.self, capacity: 100)
            let next = join.fast("next", returning: Int.self)
            join.answer(next, with: job) { _, number in number }
            return (job, next)
        }
        #expect(machine.census().groups[0].present == 0)
        for number in 0..<3 { #expect(job.tryInject(number)) }
        #expect(machine.census().groups[0].present == 3)
        _ = try await next()
        #expect(machine.census().groups[0].present == 2)
    }

    @Test func callsThatWaitAreCountedAndTheLongestWaitIsThatOfTheFirst() async throws {
        let machine = machine()
        let session = makeSession(machine)
        let first = Task { try await session.next() }
        try await until { machine.census().waitingCalls == 1 }
        let wait = try #require(machine.census().longestWait)
        let others = (0..<300).map { _ in Task { try await session.next() } }
        try await until { machine.census().waitingCalls == 301 }
        let longer = try #require(machine.census().longestWait)
        #expect(longer > wait)
        for n in 0...300 { session.request(n) }
        for task in [first] + others { _ = try await task.value }
        #expect(machine.census().longestWait == nil)
        #expect(machine.census().started == 301)
    }

    @Test func theLongestWaitIsFoundInEitherOrder() async throws {
        let machine = machine()
        let (bag, queue) = machine.define("two") { join in
            let go = join.slow("go")
            let bag = join.fast("bag", returning: Void.self)
            let queue = join.fast("queue", returning: Void.self, order: .oldestFirst)
            join.answer(bag, with: go) { _, _ in }
            join.answer(queue, with: go) { _, _ in }
            return (bag, queue)
        }
        for molecule in [bag, queue] {
            var tasks: [Task<Void, any Error>] = []
            for count in 1...5 {
                tasks.append(Task { try await molecule() })
                try await until { machine.census().waitingCalls == count }
            }
            let longest = try #require(machine.census().longestWait)
            // The one that has waited longest leaves; the second one has waited less.
            tasks[0].cancel()
            _ = await tasks[0].result
            let second = try #require(machine.census().longestWait)
            let snapshot = try #require(machine.snapshot().first)
            #expect(snapshot.waitingCalls.count == 4)
            #expect(second <= snapshot.waitingCalls[0].duration)
            #expect(longest > .zero)
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
        }
    }

    @Test func whatDissolvedDefinitionsHaveDoneStays() async throws {
        let machine = machine()
        #expect(machine.census().groups.isEmpty)
        do {
            let session = makeSession(machine)
            session.request(1)
            session.request(2)
            _ = try await (session.next(), session.next())
            session.fail()
            try await machine.quiescence()
        }
        try await until { machine.census().definitions == 0 }
        let group = try #require(machine.census().groups.first)
        #expect(group.name == "session")
        #expect(group.location == "ChemActorsTests/CensusTests.swift:\(sessionLine)")
        #expect((group.definitions, group.dissolved) == (0, 1))
        #expect((group.started, group.failed) == (3, 1))
        let session = makeSession(machine)
        session.request(1)
        _ = try await session.next()
        let both = try #require(machine.census().groups.first)
        #expect((both.definitions, both.dissolved, both.started) == (1, 1, 4))
        withExtendedLifetime(session) {}
    }

    @Test func ofThoseThatHaveDissolvedAThousandNamesAreToldApart() async throws {
        let machine = machine()
        _ = machine.census()
        for number in 0..<1100 {
            let session = makeSession(machine, "session \(number)")
            session.request(1)
            _ = try await session.next()
        }
        try await until { machine.census().definitions == 0 }
        let census = machine.census()
        #expect(census.groups.count == 1001)
        let others = try #require(census.groups.first { $0.name == "others" })
        #expect((others.dissolved, others.started) == (100, 100))
        #expect(census.started == 1100)
    }

    /// Definitions dissolve while they are counted, and nothing is counted twice or forgotten.
    @Test func theNumbersNeverDecrease() async throws {
        for seed in Soak.seeds(8, soak: 200) {
            let machine = machine()
            _ = machine.census()
            let isOver = Shared(false)
            let count = 2000
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<2 {
                    group.addTask {
                        var kept: [Session] = []
                        for step in 0..<count {
                            let session = makeSession(machine)
                            session.request(step)
                            _ = try? await session.next()
                            if (step &* 31 &+ worker &+ Int(seed)) % 3 == 0 { kept.append(session) }
                            if kept.count > 40 { kept.removeAll() }
                        }
                    }
                }
                group.addTask {
                    var last = 0
                    while !isOver.value {
                        let started = machine.census().started
                        #expect(started >= last, "seed \(seed)")
                        last = started
                        await Task.yield()
                    }
                }
                for _ in 0..<2 { await group.next() }
                isOver.update { $0 = true }
            }
            #expect(machine.census().started == 2 * count, "seed \(seed)")
        }
    }
}
