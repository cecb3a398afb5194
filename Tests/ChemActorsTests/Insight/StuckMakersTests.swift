import ChemActors
import TestSupport
import Testing

/// Who is said to make a molecule, where that isn't easy to know.
@Suite("Stuck, and who makes what is missing", .endsInTime)
struct StuckMakersTests {
    private typealias Session = (data: SlowMolecule<Int>, done: FastMolecule<Void, Void>)

    /// A definition of a name that many have, which lacks a second copy of its molecule.
    private static func session(on machine: ChemicalMachine) -> Session {
        machine.define("session") { join in
            let (data, done) = (join.slow("data", of: Int.self), join.fast("done"))
            join.answer(done, with: data, data) { _, _, _ in }
            return (data, done)
        }
    }

    @Test("A body that injects into many definitions of one name makes the molecule of each")
    func aMakerOfMany() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 3
        let open = machine.define("server") { join in
            let open = join.slow("open", of: SlowMolecule<Int>.self)
            join.when(open) { session in session(1) }
            return open
        }
        // More than a reaction remembers of those that look the same.
        let sessions = (0..<9).map { _ in Self.session(on: machine) }
        for session in sessions { open(session.data) }
        try await machine.quiescence()
        let waiting = sessions.map { session in Task { try await session.done() } }
        let report = try await stuck(machine, calls: sessions.count)
        for call in report.calls {
            let maker = call.causes.first?.causes.first?.description
            #expect(maker == "open (\(here(line))) makes 'data', and lacks open")
        }
        #expect(!"\(report)".contains("gone"), "\(report)")
        #expect(!"\(report)".contains("since"), "\(report)")
        machine.deactivate()
        for task in waiting { _ = await task.result }
        extendLifetime(open)
    }

    @Test("Of several that look alike, it is the one that made it, unless that is gone", arguments: [false, true])
    func severalMakers(hasGone: Bool) async throws {
        let machine = ChemicalMachine.observed
        var servers = (0..<2).map { _ in
            machine.define("server") { join in
                let open = join.slow("open", of: SlowMolecule<Int>.self, order: .oldestFirst)
                join.when(open) { session in session(1) }
                return open
            }
        }
        let sessions = (0..<9).map { _ in Self.session(on: machine) }
        for session in sessions { servers[0](session.data) }
        try await machine.quiescence()
        if hasGone {
            servers = [servers[1]]
            let isGone = await Patience.until { machine.census().definitions == 10 }
            #expect(isGone)
        }
        let waiting = Task { try await sessions[0].done() }
        let report = try await stuck(machine, calls: 1, saying: "lacks data")
        if hasGone {
            #expect(report.says("open (", "has injected 'data', and its definition 'server' is gone"), "\(report)")
        } else {
            #expect(report.says("open (", "makes 'data', and lacks open"), "\(report)")
        }
        machine.deactivate()
        _ = await waiting.result
        extendLifetime(servers)
    }

    @Test("A body that isn't followed any more isn't taken for code outside of any reaction")
    func anUnfollowedBody() async throws {
        let machine = ChemicalMachine.observed
        let (put, take) = machine.define("slot") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take"))
            join.answer(take, with: put, put) { _, _, _ in }
            return (put, take)
        }
        let work = machine.define("worker") { join in
            let work = join.slow("work", of: Int.self, order: .oldestFirst)
            join.when(work) { number in if number == 2_001 { put(number) } }
            return work
        }
        work.inject(contentsOf: 1...2_001)
        try await machine.quiescence()
        let waiting = Task { try await take() }
        let report = try await stuck(machine, calls: 1, saying: "lacks put")
        #expect(report.says("a body of 'worker' that wasn't followed has injected 'put'"), "\(report)")
        #expect(!"\(report)".contains("outside"), "\(report)")
        machine.deactivate()
        _ = await waiting.result
        extendLifetime(work)
    }

    @Test("A call that a body has taken is explained by that body, and not by another one of its reaction")
    func theBodyThatHasTheCall() async throws {
        let machine = ChemicalMachine.observed
        let gate = ControlProbe.Gate()
        let depth = machine.define("well") { join in
            let depth = join.fast("depth", of: Int.self, returning: Int.self)
            join.answer(depth) { number async throws in
                if number == 0 {
                    await gate.pass()
                    return 0
                }
                return 1 + (try await depth(number - 1))
            }
            return depth
        }
        let waiting = Task { try await depth(2) }
        let report = try await stuck(machine, calls: 3, saying: "has taken it: its body runs")
        #expect(!"\(report)".contains("cycle"), "\(report)")
        gate.open()
        #expect(try await waiting.value == 2)
    }

    @Test("If one body of a maker runs and another one waits, both are told of")
    func oneRunsAndOneWaits() async throws {
        let machine = ChemicalMachine.observed
        let gate = ControlProbe.Gate()
        let (go, take) = machine.define("makers") { join in
            let (go, ready, token) = (join.slow("go", of: Int.self), join.slow("ready"), join.slow("token"))
            let (never, take) = (join.fast("never"), join.fast("take"))
            join.when(go) { number async throws in
                if number == 1 { await gate.pass() }
                if number == 2 { try await never() }
                ready()
            }
            join.answer(never, with: token) { _, _ in }
            join.answer(take, with: ready) { _, _ in }
            return (go, take)
        }
        // A first one shows what they make.
        go(0)
        try await take()
        go(1)
        go(2)
        let waiting = Task { try await take() }
        let report = try await stuck(machine, calls: 2, saying: "makes 'ready': its body runs; another one waits in")
        #expect(report.says("makes 'ready'", "makers.never"), "\(report)")
        machine.deactivate()
        gate.open()
        _ = await waiting.result
    }

    private struct Bad: Error {}

    @Test("Nobody has the reply of an answer that has failed and will be tried again")
    func anAnswerThatIsTriedAgain() async throws {
        let machine = ChemicalMachine.observed
        let ask = machine.define("desk") { join in
            join.failurePolicy = .retry(9, backOff: .seconds(3_600))
            let ask = join.fast("ask")
            join.answer(ask) { _ throws in throw Bad() }
            return ask
        }
        let waiting = Task { try await ask() }
        let report = try await stuck(machine, calls: 1, saying: "has failed once")
        #expect(report.says("has taken it: its body has failed once, the last time with Bad; one that has failed"))
        #expect(!"\(report)".contains("reply"), "\(report)")
        machine.deactivate()
        _ = await waiting.result
    }

    @Test("A reaction that would be possible in a definition that is paused is told of as such")
    func possibleButPaused() async throws {
        let machine = ChemicalMachine.observed
        let (ask, go, desk) = machine.define("desk") { join in
            let (ask, go) = (join.fast("ask"), join.slow("go"))
            let kept = join.slow("kept", of: Reply<Void, Void>.self)
            join.when(ask) { reply in kept(reply) }
            join.when(kept, go) { reply, _ in reply() }
            return (ask, go, join.definition)
        }
        let waiting = Task { try await ask() }
        _ = try await stuck(machine, calls: 1, saying: "somebody has the reply")
        desk.pause()
        go()
        let report = try await stuck(machine, calls: 1, saying: "is paused")
        #expect(report.says("kept & go", "is possible, but 'desk' is paused"), "\(report)")
        desk.resume()
        try await waiting.value
    }

    @Test("What was taken isn't called the last if there is another one")
    func notTheLast() async throws {
        let machine = ChemicalMachine.observed
        let (start, both) = machine.define("pool") { join in
            let (start, both) = (join.fast("start"), join.fast("both"))
            let token = join.slow("token")
            join.answer(start, with: token) { _, _ in }
            join.answer(both, with: token, token) { _, _, _ in }
            token()
            token()
            return (start, both)
        }
        try await start()
        let waiting = Task { try await both() }
        let report = try await stuck(machine, calls: 1, saying: "lacks token")
        #expect(report.says("has taken a 'token'"), "\(report)")
        #expect(!"\(report)".contains("the last 'token'"), "\(report)")
        machine.deactivate()
        _ = await waiting.result
    }

    @Test("Of many that make it, the most promising are told of, and how many more there are")
    func manyMakers() async throws {
        let machine = ChemicalMachine.observed
        let (take, place) = machine.define("hub") { join in
            let (place, take) = (join.slow("place"), join.fast("take"))
            join.answer(take, with: place) { _, _ in }
            return (take, place)
        }
        let goOn = Signal()
        let users = (0..<40).map { number in
            machine.define("user \(number)") { join in
                let (go, wait) = (join.slow("go"), join.slow("wait"))
                join.when(go) { _ in place() }
                join.when(wait) { _ async in
                    await goOn.wait()
                    place()
                }
                return (go: go, wait: wait)
            }
        }
        for (go, _) in users { go() }
        try await machine.quiescence()
        for _ in users { try await take() }
        let waiting = Task { try await take() }
        let idle = try await stuck(machine, calls: 1, saying: "… and 24 more that make 'place'")
        #expect("\(idle)".split(separator: "\n").count < 40, "\(idle)")
        // Whoever runs comes first, even the last of them.
        users[39].wait()
        goOn.send()
        try await waiting.value
        users[39].wait()
        let busy = Task { try await take() }
        let report = try await stuck(machine, calls: 1, saying: "makes 'place': its body runs")
        #expect(report.says("… and 25 more that make 'place'"), "\(report)")
        goOn.send()
        try await busy.value
        extendLifetime(users)
    }
}
