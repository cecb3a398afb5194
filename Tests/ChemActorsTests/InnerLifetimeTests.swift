import ChemActors
import TestSupport
import Testing

/// How long definitions live that are made in the closure of another one, and how long that lives.
@Suite("Lifetimes of inner definitions", .endsInTime)
struct InnerLifetimeTests {
    private static func machine() -> ChemicalMachine { ChemicalMachine(.init(reporter: { _ in }, patience: nil)) }

    private func names(of machine: ChemicalMachine) -> [String] { machine.snapshot().map(\.definition).sorted() }

    private func isEmpty(_ machine: ChemicalMachine) async -> Bool { await Patience.until { names(of: machine) == [] } }

    /// A place for one value.
    private struct Box: JoinDefinition {
        let put = SlowMolecule<Int>()
        let take = FastMolecule<Void, Int>()

        func react(in join: inout Join.Builder) { join.answer(take, with: put) { _, number in number } }
    }

    /// One made of another one.
    private struct Desk: JoinDefinition {
        let put = SlowMolecule<Int>()
        let take = FastMolecule<Void, Int>()
        let drawer = Join.make(Box())

        func react(in join: inout Join.Builder) {
            join.when(put) { drawer.put($0 + 1) }
            join.answer(take) { _ async throws in try await drawer.take() }
        }
    }

    private struct Room: JoinDefinition {
        let desk = Join.make(Desk())
        let visit = FastMolecule<Int, Int>()

        func react(in join: inout Join.Builder) {
            join.answer(visit) { number in
                desk.put(number)
                return try await desk.take()
            }
        }
    }

    @Test("What a definition uses that was made in its closure, in three stages, ends with it")
    func properties() async throws {
        let machine = Self.machine()
        for number in 0..<100 {
            let room = machine.make(Room())
            #expect(try await room.visit(number) == number + 1)
        }
        #expect(await isEmpty(machine))
    }

    @Test("So does what is made by statements, and what it has in its soup and in its states")
    func statements() async throws {
        let machine = Self.machine()
        for number in 0..<100 {
            let visit = machine.define("room") { join in
                let visit = join.fast("visit", of: Int.self, returning: Int.self)
                let desk = Join.make(Desk())
                let spare = join.slow("spare", of: Box.self)
                let boxes = join.state("boxes", [Join.make(Box())])
                spare(Join.make(Box()))
                join.answer(visit, reading: boxes) { boxes, number in
                    desk.put(number)
                    boxes[0].put(10)
                    return try await desk.take() + boxes[0].take()
                }
                join.when(spare, updating: boxes) { boxes, box in boxes.append(box) }
                return visit
            }
            #expect(try await visit(number) == number + 11)
        }
        #expect(await isEmpty(machine))
    }

    @Test("Who has a name of an inner definition alone keeps both, however it came by it", arguments: 0..<4)
    func innerNamesAlone(way: Int) async throws {
        let machine = Self.machine()
        let sums = Guarded<[Int]>([])
        var put: SlowMolecule<Int>?
        do {
            let kept = Guarded<SlowMolecule<Int>?>(nil)
            let (own, ask, add) = machine.define("outer") { join in
                let (add, ask) = (join.slow("add", of: Int.self), join.fast("ask", returning: SlowMolecule<Int>.self))
                let sum = join.state("sum", 0)
                join.when(add, updating: sum) { sum, number in
                    sum += number
                    sums.append(sum)
                }
                let inner = Join.define("inner") { join in
                    let put = join.slow("put", of: Int.self)
                    join.when(put) { add($0) }
                    return put
                }
                join.answer(ask) { inner }
                if way == 1 { kept.withLock { $0 = inner.exported } }
                return (inner, ask, add)
            }
            switch way {
            case 0: put = own
            case 1: put = kept.now
            case 2: put = try await ask()
            default:
                // By a molecule of another definition.
                let (carry, read) = machine.define("carrier") { join in
                    let carry = join.slow("carry", of: SlowMolecule<Int>.self)
                    let read = join.fast("read", returning: SlowMolecule<Int>.self)
                    join.answer(read, with: carry) { _, name in name }
                    return (carry, read)
                }
                carry(own)
                put = try await read()
            }
            extendLifetime((own, ask, add))
        }
        for round in 1...3 {
            try await machine.quiescence()
            #expect(names(of: machine) == ["inner", "outer"])
            put?(1)
            #expect(await Patience.until { sums.now.count == round })
        }
        #expect(sums.now == [1, 2, 3])
        put = nil
        #expect(await isEmpty(machine))
    }

    @Test("A definition that nobody reaches doesn't end while what was made in its closure is busy")
    func busyInner() async throws {
        let machine = Self.machine()
        let (door, got) = (ControlProbe.Gate(), Guarded<[Int]>([]))
        for _ in 0..<1 {
            let begin = machine.define("outer") { join in
                let (begin, ended) = (join.slow("begin", of: Int.self), join.slow("ended", of: Int.self))
                let later = Join.define("inner") { join in
                    let (later, again) = (join.slow("later", of: Int.self), join.slow("again", of: Int.self))
                    join.when(later) { number in
                        await door.pass()
                        again(number)
                    }
                    join.when(again) { ended($0) }
                    return later
                }
                join.when(begin) { later($0) }
                join.when(ended) { number in
                    got.append(number)
                    if number < 10 { later(number + 1) }
                }
                return begin
            }
            begin(0)
        }
        try await ControlProbe.letOthersRun()
        #expect(names(of: machine) == ["inner", "outer"])
        door.open()
        #expect(await isEmpty(machine))
        #expect(got.now == Array(0...10))
    }

    @Test("Inner definitions that set each other going keep it until the last of them is quiet", arguments: 0..<5)
    func relay(seed: UInt64) async throws {
        let machine = ChemicalMachine(.init(seed: seed, reporter: { _ in }, patience: nil))
        let got = Guarded<[Int]>([])
        let rounds = heavy(300, debug: 10)
        for _ in 0..<1 {
            let begin = machine.define("outer") { join in
                let (begin, ended) = (join.slow("begin", of: Int.self), join.slow("ended", of: Int.self))
                // Each hands on to the one before, and is quiet then.
                var next = ended
                for place in 0..<5 {
                    let target = next
                    next = Join.define("step \(place)") { join in
                        let step = join.slow("step", of: Int.self)
                        if place.isMultiple(of: 2) {
                            join.when(step) { target($0) }
                        } else {
                            join.when(step) { number in
                                await Task.yield()
                                target(number)
                            }
                        }
                        return step
                    }
                }
                let first = next
                join.when(begin) { first($0) }
                join.when(ended) { number in if number > 0 { first(number - 1) } else { got.append(number) } }
                return begin
            }
            begin(rounds)
        }
        #expect(await Patience.until { got.now == [0] }, "seed \(seed)")
        #expect(await isEmpty(machine), "seed \(seed)")
    }

    @Test("A call by a name of an inner definition keeps both while it waits")
    func waitingCall() async throws {
        let machine = Self.machine()
        let (door, arrived) = (ControlProbe.Gate(), Guarded(false))
        let call = machine.define("outer") { join in
            let give = join.slow("give", of: Int.self)
            let (take, put) = Join.define("inner") { join in
                let (take, put) = (join.fast("take", returning: Int.self), join.slow("put", of: Int.self))
                join.answer(take, with: put) { _, number in number }
                return (take, put)
            }
            join.when(give) { number in
                arrived.withLock { $0 = true }
                await door.pass()
                put(number)
            }
            give(7)
            return take
        }
        let waiting = Task { [call] in try await call() }
        #expect(await Patience.until { machine.statistics.waitingCalls == 1 && arrived.now })
        door.open()
        #expect(try await waiting.value == 7)
        extendLifetime(call)
    }

    @Test("A call that waits in an inner definition, whose name is gone, is answered by a body of the outer one")
    func lastCall() async throws {
        let machine = Self.machine()
        var call: FastMolecule<Void, Int>? = nil
        var ticks: SlowMolecule<Int>?
        do {
            let (take, give) = machine.define("outer") { join in
                let give = join.slow("give", of: Int.self)
                let (take, put) = Join.define("inner") { join in
                    let (take, put) = (join.fast("take", returning: Int.self), join.slow("put", of: Int.self))
                    join.answer(take, with: put) { _, number in number }
                    return (take, put)
                }
                join.when(give) { put($0) }
                return (take, give)
            }
            (call, ticks) = (take, give)
        }
        let waiting = Task { [call] in try await call!() }
        #expect(await Patience.until { machine.statistics.waitingCalls == 1 })
        call = nil
        ticks?(5)
        #expect(try await waiting.value == 5)
        ticks = nil
        #expect(await isEmpty(machine))
    }

    @Test("What was made in a closure that throws ends by itself")
    func throwing() async throws {
        struct Bad: Error {}
        let machine = Self.machine()
        for _ in 0..<20 {
            #expect(throws: Bad.self) {
                try machine.define("outer") { join -> SlowMolecule<Int> in
                    let put = join.slow("put", of: Int.self)
                    let box = Join.make(Box())
                    join.when(put) { box.put($0) }
                    throw Bad()
                }
            }
        }
        #expect(await isEmpty(machine))
    }

    @Test("A paused or deactivated definition with inner ones ends, too", arguments: [false, true])
    func control(isPaused: Bool) async throws {
        let machine = Self.machine()
        for _ in 0..<20 {
            let (put, definition) = machine.define("outer") { join in
                let put = join.slow("put", of: Int.self)
                let box = Join.make(Box())
                join.when(put) { box.put($0) }
                return (put, join.definition)
            }
            put(1)
            if isPaused { definition.pause() } else { definition.deactivate() }
            put(2)
        }
        #expect(await isEmpty(machine))
    }

    @Test("A name of an inner definition that comes back home keeps nothing alive by that")
    func homecoming() async throws {
        let machine = Self.machine()
        for _ in 0..<20 {
            let go = machine.define("pool") { join in
                let (take, free) = (join.fast("take", returning: Box.self), join.slow("free", of: Box.self))
                let go = join.fast("go", returning: Int.self)
                join.answer(take, with: free) { _, box in box }
                free(Join.make(Box()))
                // In a definition of its own, whose molecules the names come to rest on as well.
                let (rest, fetch) = Join.define("shelf") { join in
                    let (rest, fetch) = (join.slow("rest", of: Box.self), join.fast("fetch", returning: Box.self))
                    join.answer(fetch, with: rest) { _, box in box }
                    return (rest, fetch)
                }
                join.answer(go) { _ async throws in
                    let box = try await take()
                    box.put(1)
                    rest(box)
                    let again = try await fetch()
                    rest(again)
                    free(again)
                    return try await again.take()
                }
                return go
            }
            #expect(try await go() == 1)
        }
        #expect(await isEmpty(machine))
    }

    @Test("A definition with inner ones ends although a signal waits for its quiet")
    func signal() async throws {
        let machine = Self.machine()
        let told = Guarded(0)
        let tell = machine.define("told") { join in
            let tell = join.slow("tell")
            join.when(tell) { _ in told.withLock { $0 += 1 } }
            return tell
        }
        let door = ControlProbe.Gate()
        for _ in 0..<1 {
            let (put, definition) = machine.define("outer") { join in
                let put = join.slow("put")
                let box = Join.make(Box())
                join.when(put) { _ in
                    await door.pass()
                    box.put(1)
                }
                return (put, join.definition)
            }
            put()
            definition.signalQuiescence(to: tell)
        }
        door.open()
        #expect(await Patience.until { names(of: machine) == ["told"] })
        #expect(await Patience.until { told.now == 1 })
        extendLifetime(tell)
    }

    @Test("Whoever waits for the quiet of a machine waits for the end of what an inner definition has kept")
    func quiet() async throws {
        for round in 0..<100 {
            let machine = Self.machine()
            let heard = Guarded(0)
            let tell = machine.define("told") { join in
                let tell = join.slow("tell")
                join.when(tell) { _ in heard.withLock { $0 += 1 } }
                return tell
            }
            for _ in 0..<1 {
                let begin = machine.define("outer") { join in
                    let (begin, never) = (join.slow("begin"), join.slow("never"))
                    let left = join.slow("left", of: AtEnd.self)
                    join.when(left, never) { _, _ in }
                    let inner = (0..<2).map { number in
                        Join.define("inner \(number)") { join in
                            let work = join.slow("work")
                            join.when(work) { _ in for _ in 0...number { await Task.yield() } }
                            return work
                        }
                    }
                    join.when(begin) { _ in for one in inner { one() } }
                    left(AtEnd { tell() })
                    return begin
                }
                begin()
            }
            try await machine.quiescence()
            #expect(heard.now == 1, "round \(round)")
            extendLifetime(tell)
        }
    }

    private final class AtEnd: Sendable {
        let deed: @Sendable () -> Void
        init(_ deed: @escaping @Sendable () -> Void) { self.deed = deed }
        deinit { deed() }
    }

    @Test("A definition that nobody has a name of, but whose inner one is at work, isn't said to do nothing")
    func doesSomething() async throws {
        let events = Record<String>()
        let machine = ChemicalMachine(.init(reporter: { events.append("\($0)") }, patience: nil))
        let (door, ticks) = (ControlProbe.Gate(), Guarded(0))
        machine.define("app") { join in
            let tick = join.slow("tick")
            join.when(tick) { _ in ticks.withLock { $0 += 1 } }
            Join.define("timer") { join in
                let go = join.slow("go")
                join.when(go) { _ in
                    await door.pass()
                    tick()
                }
                go()
            }
        }
        door.open()
        #expect(await isEmpty(machine))
        #expect(ticks.now == 1)
        #expect(events.all == [])
    }

    @Test("An inner definition that reaches its home by way of others, while nobody else does, loses nothing")
    func replyAddress() async throws {
        for round in 0..<heavy(500, debug: 100) {
            let machine = Self.machine()
            let got = Guarded<[Int]>([])
            let service = machine.define("service") { join in
                let service = join.slow("service", of: (Int, SlowMolecule<Int>).self)
                join.when(service) { number, reply in reply(number + 1) }
                return service
            }
            for _ in 0..<1 {
                let begin = machine.define("outer") { join in
                    let (begin, ended) = (join.slow("begin"), join.slow("ended", of: Int.self))
                    let ask = Join.define("inner") { join in
                        let (ask, answer) = (join.slow("ask"), join.slow("answer", of: Int.self))
                        join.when(ask) { _ in service((round, answer)) }
                        join.when(answer) { ended($0) }
                        return ask
                    }
                    join.when(begin) { _ in ask() }
                    join.when(ended) { number in got.append(number) }
                    return begin
                }
                begin()
            }
            try await machine.quiescence()
            #expect(got.now == [round + 1])
            // Whoever lets go of a name last may do so just after its definition has come to rest.
            #expect(await Patience.until { names(of: machine) == ["service"] })
            extendLifetime(service)
        }
    }
}
