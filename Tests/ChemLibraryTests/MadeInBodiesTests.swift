import ChemActors
import ChemLibrary
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// What lives, and for how long, if it is made where the library runs code of a user.
@Suite("Made in bodies of the library", .endsInTime)
struct MadeInBodiesTests {
    private static func machine() -> ChemicalMachine { ChemicalMachine(.init(reporter: { _ in }, patience: nil)) }

    private static func names(of machine: ChemicalMachine) -> [String] { machine.snapshot().map(\.definition).sorted() }

    @Test("An actor ends when nobody holds it, whatever its handler has made", arguments: [false, true])
    func actor(asynchronous: Bool) async throws {
        let (machine, ended) = (Self.machine(), Locked(0))
        let made = Locked<[any Sendable]>([])
        do {
            let options = MailboxOptions(name: "maker", machine: machine)
            @Sendable func make() {
                let child = MailboxActor(state: 0, options: MailboxOptions(name: "made")) { (sum, n: Int) in sum += n }
                let source = EventSource<Int>()
                let total = source.scan(0, +)
                source.send(1)
                made.update { $0 += [child.start(), JoinChannel<Int>(capacity: 1), source, total] }
            }
            let actor =
                if asynchronous {
                    MailboxActor(state: 0, options: options) { (_, _: Int) async in make() }
                } else {
                    MailboxActor(state: 0, options: options) { (_, _: Int) in make() }
                }
            _ = actor.watch { _ in ended.update { $0 += 1 } }
            actor.start()
            actor.tell(1)
            try await eventually { made.value.count == 4 }
        }
        try await eventually { ended.value == 1 }
        try await eventually { Self.names(of: machine) == ["channel", "graph", "made"] }
        made.update { $0 = [] }
        try await eventually { Self.names(of: machine) == [] }
    }

    @Test("What the first state of an actor is made of doesn't keep it alive")
    func state() async throws {
        let (machine, ended) = (Self.machine(), Locked(0))
        let channel = Locked<JoinChannel<Int>?>(nil)
        @Sendable func make() -> JoinChannel<Int> {
            let new = JoinChannel<Int>(capacity: 1)
            channel.update { $0 = new }
            return new
        }
        do {
            let actor = MailboxActor(state: make(), options: MailboxOptions(machine: machine)) { (channel, n: Int) in
                _ = channel.trySend(n)
            }
            _ = actor.watch { _ in ended.update { $0 += 1 } }
            actor.start()
            actor.tell(7)
            let received = try await channel.value?.receive()
            #expect(received == 7)
        }
        try await eventually { ended.value == 1 }
        #expect(channel.value?.trySend(1) == true)
    }

    @Test("A handler's child may use the names of the definition around the actor")
    func surroundings() async throws {
        let (machine, got) = (Self.machine(), Locked<[Int]>([]))
        let made = Locked<MailboxActor<Int>?>(nil)
        do {
            let begin = machine.define("around") { join in
                let (begin, add) = (join.slow("begin"), join.slow("add", of: Int.self))
                join.when(add) { number in got.update { $0.append(number) } }
                join.when(begin) { _ in
                    let actor = MailboxActor(state: 0) { (_, _: Int) in
                        let child = MailboxActor(state: 0) { (_, number: Int) in add(number) }
                        made.update { $0 = child.start() }
                    }
                    actor.start()
                    actor.tell(1)
                }
                return begin
            }
            begin()
        }
        try await eventually { made.value != nil }
        for number in 1...3 {
            made.value?.tell(number)
            try await eventually { got.value.count == number }
        }
        made.update { $0 = nil }
        try await eventually { Self.names(of: machine) == [] }
    }

    @Test("Whoever sends first doesn't live as long as the graph")
    func firstSend() async throws {
        let machine = Self.machine()
        let source = await machine.asCurrent { EventSource<Int>() }
        let sum = source.scan(0, +)
        do {
            let send = machine.define("sender") { join in
                let send = join.slow("send", of: Int.self)
                join.when(send) { source.send($0) }
                return send
            }
            send(7)
            try await machine.quiescence()
        }
        try await eventually { Self.names(of: machine) == ["graph"] }
        source.send(8)
        try await source.graph.quiescence()
        #expect(sum.value == 15)
    }

    @Test("A graph keeps alive the definitions in whose bodies its nodes were made")
    func nodesMade() async throws {
        let (machine, got) = (Self.machine(), Locked<[Int]>([]))
        let made = Locked<[(EventSource<Int>, Cell<Int>)]>([])
        do {
            func make(_ name: String, _ factor: Int) -> SlowMolecule<Void> {
                machine.define(name) { join in
                    let (begin, add) = (join.slow("begin"), join.slow("add", of: Int.self))
                    join.when(add) { number in got.update { $0.append(factor * number) } }
                    join.when(begin) { _ in
                        let source = EventSource<Int>()
                        let last = source.scan(0) { _, number in
                            add(number)
                            return number
                        }
                        made.update { $0.append((source, last)) }
                    }
                    return begin
                }
            }
            make("a", 1)()
            make("b", 10)()
            try await eventually { made.value.count == 2 }
        }
        let (a, b) = (made.value[0].0, made.value[1].0)
        let sum = (made.value[0].1, made.value[1].1) --^ (Cell(initialValue: 0), { $0 + $1 })
        for number in 1...3 {
            a.send(number)
            b.send(number)
            try await eventually { got.value.count == 2 * number }
        }
        #expect(got.value.sorted() == [1, 2, 3, 10, 20, 30])
        try await a.graph.quiescence()
        #expect(sum.value == 6)
        #expect(Self.names(of: machine) == ["a", "b", "graph"])
    }

    @Test("A graph of an ended machine is sealed, though reporters and values that go wire others")
    func sealedTooLate() async throws {
        final class Wiring: Sendable {
            let gone: Locked<Int>
            init(_ gone: Locked<Int>) { self.gone = gone }
            deinit {
                EventSource<Int>().map { $0 }.extended()
                gone.update { $0 += 1 }
            }
        }
        let (gone, reports) = (Locked(0), Locked(0))
        let ended = Locked<ChemicalMachine?>(nil)
        let configuration = ChemicalMachine.Configuration(reporter: { _ in
            EventSource<Int>().map { $0 }.extended()
            reports.update { $0 += 1 }
        })
        try await withChemicalMachine(configuration) { machine in ended.update { $0 = machine } }
        let machine = try #require(ended.value)
        do {
            let (source, cell) = await machine.asCurrent {
                (EventSource<Int>(), Cell(initialValue: Wiring(gone)))
            }
            source --^ (cell, { _ in Wiring(gone) })
            source.send(1)
            _ = FlowGraph("explicit", machine: machine) {
                _ = EventSource<Int>() --^ (Cell(initialValue: Wiring(gone)), { _ in Wiring(gone) })
            }
        }
        try await eventually { gone.value >= 2 }
        #expect(reports.value > 0)
    }

    /// Keeps all threads of the pool busy until `isOver` holds, once these are.
    private static func withoutPool<Result: Sendable>(
        until isOver: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let (held, gate) = (Locked(0), DispatchSemaphore(value: 0))
        let count = ProcessInfo.processInfo.activeProcessorCount
        @Sendable func hold() {
            held.update { $0 += 1 }
            gate.wait()
        }
        for _ in 0..<count { Task.detached { hold() } }
        Thread.detachNewThread {
            while !isOver() { Thread.sleep(forTimeInterval: 0.001) }
            // What mustn't happen now has time to.
            Thread.sleep(forTimeInterval: 0.05)
            for _ in 0..<count { gate.signal() }
        }
        return try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await eventually { held.value == count }
            return try await body()
        }
    }

    @Test("A fetch that is on its way keeps a scope from giving up those who wait for it", .blocksThreads)
    func fetchUnderWay() async throws {
        let (fetched, scope) = (Locked(0), Locked<ChemicalMachine?>(nil))
        let isOver: @Sendable () -> Bool = {
            let calls = scope.value?.snapshot().reduce(0) { $0 + $1.waitingCalls.count } ?? 0
            return calls >= 3 || fetched.value > 0
        }
        try await Self.withoutPool(until: isOver) {
            let configuration = ChemicalMachine.Configuration(executor: BlockingExecutor.shared)
            try await withChemicalMachine(configuration) { machine in
                let flights = SingleFlight<Int, Int> { key in key }
                Join.define("callers") { join in
                    let call = join.slow("call", of: Int.self)
                    join.when(call) { key in
                        defer { fetched.update { $0 += 1 } }
                        let value = try await flights.value(for: key)
                        #expect(value == key)
                    }
                    for key in [1, 1, 2] { call(key) }
                }
                scope.update { $0 = machine }
            }
        }
        #expect(fetched.value == 3)
    }

    @Test("A fetch that nothing can answer ends with its scope")
    func fetchWithoutEnd() async throws {
        let codes = Locked<[CallError.Code]>([])
        try await withChemicalMachine { _ in
            let channel = JoinChannel<Int>(capacity: 1)
            let flights = SingleFlight<Int, Int> { _ in try await channel.receive() ?? 0 }
            Join.define("callers") { join in
                let call = join.slow("call")
                join.when(call) { _ async in
                    do { _ = try await flights.value(for: 1) } catch {
                        codes.update { $0.append((error as? CallError)?.code ?? .cleared) }
                    }
                }
                call()
                call()
            }
        }
        #expect(codes.value == [.neverAnswerable, .neverAnswerable])
    }

    @Test("A definition that sends by a source of its closure ends when nobody holds it", arguments: [false, true])
    func sourceOfClosure(sealsInside: Bool) async throws {
        let machine = Self.machine()
        let got = Locked(0)
        do {
            let (send, events) = machine.define("connection") { join in
                let events = EventSource<Int>()
                let send = join.slow("send", of: Int.self)
                join.when(send) { events.send($0) }
                return (send, events)
            }
            let sum = events.scan(0) { sum, number in
                got.update { $0 = sum + number }
                return sum + number
            }
            if sealsInside { send(1) } else { events.send(1) }
            send(1)
            try await eventually { got.value == 2 }
            extendLifetime(sum)
        }
        try await eventually { Self.names(of: machine) == [] }
    }

    @Test("A pipeline is finished by a task that is cancelled, too")
    func finishingWhenCancelled() async throws {
        for isFull in [false, true] {
            let pipeline = Pipeline { (n: Int) in n }.start(capacity: 1)
            if isFull { while pipeline.trySend(1) {} }
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await pipeline.finish()
                #expect(!pipeline.trySend(2))
                try await pipeline.finish()
            }
            task.cancel()
            try await task.value
            while let value = try await pipeline.receive() { #expect(value == 1) }
            #expect(!pipeline.trySend(2))
            await #expect(throws: PipelineFinished.self) { try await pipeline.send(2) }
            try await pipeline.finish()
        }
    }
}

extension EventStream {
    /// Keeps it in use until here.
    fileprivate func extended() { extendLifetime(self) }
}
