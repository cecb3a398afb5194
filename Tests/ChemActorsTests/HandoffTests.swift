import ChemActors
import TestSupport
import Testing

/// A worker goes on with what its bodies wake in other definitions. Nothing may wait for it there.
@Suite("Handoff", .endsInTime, .blocksThreads)  // waiting for a turn included
struct HandoffTests {
    /// A definition that opens `door`.
    private func opener(_ door: Door) -> SlowMolecule<Void> {
        Join.define("opener") { join in
            let open = join.slow("open")
            join.when(open) { _ in door.open() }
            return open
        }
    }

    @Test(
        "A body that was short and then blocks doesn't hold up what it woke in other definitions",
        arguments: [0, 1, 1_000],
        [1, 3]
    )
    func wakeThenBlock(shortOnes: Int, others: Int) async throws {
        for round in 0..<10 {
            let doors = (0..<others).map { _ in Door() }
            let open = doors.map(opener)
            let passed = Guarded(0)
            let (begin, definition) = Join.define("wakes") { join in
                let begin = join.slow("begin", of: Bool.self)
                join.when(begin) { blocks in
                    guard blocks else { return }
                    for one in open { one() }
                    for door in doors where door.wait() { passed.add() }
                }
                return (begin, join.definition)
            }
            begin.inject(contentsOf: repeatElement(false, count: shortOnes))
            try await definition.quiescence()
            begin(true)
            try await definition.quiescence()
            #expect(passed.now == others, "round \(round)")
        }
    }

    @Test("An asynchronous body that blocks before it first suspends doesn't hold it up either", arguments: [0, 1_000])
    func asynchronousWakeThenBlock(shortOnes: Int) async throws {
        let door = Door()
        let open = opener(door)
        let passed = Guarded(false)
        let (begin, definition) = Join.define("wakes") { join in
            let begin = join.slow("begin", of: Bool.self)
            join.when(begin) { blocks in
                if blocks {
                    open()
                    passed.withLock { $0 = door.wait() }
                }
                await Task.yield()
            }
            return (begin, join.definition)
        }
        begin.inject(contentsOf: repeatElement(false, count: shortOnes))
        try await definition.quiescence()
        begin(true)
        try await definition.quiescence()
        #expect(passed.now)
    }

    @Test("A definition with more to do doesn't hold up what its bodies have woken", arguments: [0, 1_000])
    func moreToDo(shortOnes: Int) async throws {
        enum Work { case nothing, wake, wait }
        for round in 0..<10 {
            let door = Door()
            let open = opener(door)
            let passed = Guarded(false)
            let (work, definition) = Join.define("works") { join in
                let work = join.slow("work", of: Work.self, order: .oldestFirst)
                let turn = join.slow("turn")
                join.when(work, turn) { work, _ in
                    switch work {
                    case .nothing: break
                    case .wake: open()
                    case .wait: passed.withLock { $0 = door.wait() }
                    }
                    turn()
                }
                turn()
                return (work, join.definition)
            }
            work.inject(contentsOf: repeatElement(.nothing, count: shortOnes))
            try await definition.quiescence()
            work.inject(contentsOf: [.wake, .wait])
            try await definition.quiescence()
            #expect(passed.now, "round \(round)")
        }
    }

    @Test(
        "A definition whose end takes long doesn't hold up what its last body has woken, or that end itself",
        arguments: [false, true]
    )
    func longEnd(wakesAtTheEnd: Bool) async throws {
        final class Guest: Sendable {
            let wake: SlowMolecule<Void>?
            let door: Door
            let passed: Guarded<Bool?>

            init(_ wake: SlowMolecule<Void>?, _ door: Door, _ passed: Guarded<Bool?>) {
                self.wake = wake
                self.door = door
                self.passed = passed
            }

            deinit {
                wake?()
                let passed = door.wait()
                self.passed.withLock { $0 = passed }
            }
        }
        for round in 0..<10 {
            let door = Door()
            let open = opener(door)
            let passed = Guarded<Bool?>(nil)
            Join.define("ends") { join in
                let guest = join.slow("guest", of: Guest.self), never = join.slow("never")
                let step = join.slow("step", of: Int.self)
                join.when(guest, never) { _, _ in never() }
                join.when(step) { n in
                    if n > 0 { step(n - 1) } else if !wakesAtTheEnd { open() }
                }
                guest(Guest(wakesAtTheEnd ? open : nil, door, passed))
                step(100)
            }
            try await until { passed.now != nil }
            #expect(passed.now == true, "round \(round)")
        }
    }

    @Test("A ring goes round while its members are paused and resumed at random", arguments: 0..<20 as Range<UInt64>)
    func ringUnderControl(seed: UInt64) async throws {
        let hops = heavy(20_000, debug: 2_000)
        let arrived = Guarded<Int?>(nil)
        let ring = (0..<7).map { number in
            let (token, link, definition) = Join.define("member \(number)") { join in
                let token = join.slow("token", of: Int.self), link = join.slow("link", of: SlowMolecule<Int>.self)
                join.when(token, link) { n, next in
                    link(next)
                    if n == 0 { arrived.withLock { $0 = number } } else { next(n - 1) }
                }
                return (token, link, join.definition)
            }
            return (token: token, link: link, definition: definition)
        }
        for (index, one) in ring.enumerated() { one.link(ring[(index + 1) % ring.count].token) }
        ring[0].token(hops)
        var generator = SplitMix(state: seed)
        while arrived.now == nil, !Task.isCancelled {
            let definition = ring.randomElement(using: &generator)!.definition
            definition.pause()
            for _ in 0..<Int.random(in: 0..<50, using: &generator) { await Task.yield() }
            definition.resume()
            await Task.yield()
        }
        #expect(arrived.now == hops % ring.count, "seed \(seed)")
        var finished = 0
        for one in ring {
            try await one.definition.quiescence()
            #expect(one.definition.statistics.isBalanced, "seed \(seed)")
            finished += one.definition.statistics.finished
            one.definition.deactivate()
        }
        #expect(finished == hops + 1, "seed \(seed)")
    }
}
