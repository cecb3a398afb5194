import ChemActors
import Dispatch
import TestSupport
import Testing

/// Inputs as an array, copies of one molecule with a state, and synchronous bodies on an executor.
@Suite("Several inputs", .endsInTime)
struct SeveralTests {
    struct Flaw: Error {}

    @Test(
        "A reaction of an array of molecules gets their values in the order of the array",
        arguments: [1, 2, 7],
        [false, true]
    )
    func all(count: Int, isAsynchronous: Bool) async throws {
        let received = Shared<[[Int]]>([])
        let (parts, definition) = Join.define("parts") { join in
            let parts = (0..<count).map { join.slow("part \($0)", of: Int.self) }
            if isAsynchronous {
                join.when(all: parts) { values in
                    await Task.yield()
                    received.update { $0.append(values) }
                }
            } else {
                join.when(all: parts) { values in received.update { $0.append(values) } }
            }
            return (parts, join.definition)
        }
        for part in parts.dropFirst().reversed() { part(parts.firstIndex(of: part)!) }
        try await definition.quiescence()
        #expect(received.value.isEmpty)
        parts[0](0)
        try await definition.quiescence()
        #expect(received.value == [Array(0..<count)])
    }

    @Test("A molecule that stands twice in the array gives two copies, and replies are answered")
    func twice() async throws {
        let meet = Join.define("meeting") { join in
            let meet = join.fast("meet", of: Int.self, returning: Int.self)
            join.when(all: [meet, meet]) { replies in
                let sum = replies.reduce(0) { $0 + $1.value }
                for reply in replies { reply(sum) }
            }
            return meet
        }
        async let one = meet(1)
        async let other = meet(2)
        #expect(try await [one, other] == [3, 3])
    }

    @Test(
        "What a failed reaction of an array has taken is put back, each copy to its molecule",
        arguments: [false, true]
    )
    func putBack(isAsynchronous: Bool) async throws {
        let attempts = Shared(0)
        let received = Shared<[Int]>([])
        let definition = ChemicalMachine(.silent).define("parts") { join in
            join.failurePolicy = .putBack(after: .nanoseconds(1))
            let parts = (0..<3).map { join.slow("part \($0)", of: Int.self) }
            let body: @Sendable ([Int]) throws -> Void = { values in
                if attempts.update({
                    $0 += 1; return $0
                }) < 3 {
                    throw Flaw()
                }
                received.update { $0 = values }
            }
            if isAsynchronous {
                join.when(all: parts) { values async throws in try body(values) }
            } else {
                join.when(all: parts, body)
            }
            for (index, part) in parts.enumerated() { part(index) }
            return join.definition
        }
        try await definition.quiescence()
        #expect(received.value == [0, 1, 2])
        #expect(attempts.value == 3)
    }

    @Test("Copies of one molecule and a state", arguments: [false, true])
    func updating(isAsynchronous: Bool) async throws {
        let (add, total, definition) = Join.define("adding") { join in
            let add = join.slow("add", of: Int.self, order: .oldestFirst)
            let total = join.state("total", [Int]())
            if isAsynchronous {
                join.when(3, of: add, updating: total) { total, values in
                    await Task.yield()
                    total.append(values.reduce(0, +))
                }
            } else {
                join.when(3, of: add, updating: total) { total, values in total.append(values.reduce(0, +)) }
            }
            return (add, total.reader, join.definition)
        }
        for n in 1...8 { add(n) }
        try await definition.quiescence()
        #expect(total.value.sorted() == [6, 15])
        #expect(definition.snapshot().molecules["add"] == 2)
    }

    @Test(
        "A body that throws leaves the state as it left it, and is tried again with the same copies",
        arguments: [false, true]
    )
    func updatingFails(isAsynchronous: Bool) async throws {
        let (total, definition) = Join.define("adding") { join in
            join.failurePolicy = .retry(2)
            let add = join.slow("add", of: Int.self)
            let total = join.state("total", 0)
            let body: @Sendable (inout Int, [Int]) throws -> Void = { total, values in
                total += values.reduce(0, +)
                if total < 6 { throw Flaw() }
            }
            if isAsynchronous {
                join.when(2, of: add, updating: total) { total, values async throws in try body(&total, values) }
            } else {
                join.when(2, of: add, updating: total, body)
            }
            add(1)
            add(1)
            return (total.reader, join.definition)
        }
        try await definition.quiescence()
        #expect(total.value == 6)
        #expect(definition.statistics.failed == 2)
    }

    @Test("Molecules without a value take an order without a type, so that they can be streamed")
    func orders() async throws {
        let (tick, ask, room, ticks) = Join.define("ordered") { join in
            let tick = join.slow("tick", order: .oldestFirst)
            let ask = join.fast("ask", order: .oldestFirst)
            let room = join.bounded("room", capacity: 1, order: .oldestFirst)
            join.answer(ask, with: room) { _, _ in }
            return (tick, ask, room, join.stream(of: tick))
        }
        tick()
        var iterator = ticks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        try await room.inject()
        #expect(!room.tryInject())
        try await ask()
        #expect(room.tryInject())
    }

    /// A function that asynchronous code can't call, such as many that block.
    @available(*, noasync)
    private static func block(_ gate: DispatchSemaphore) { gate.wait() }

    @Test("A synchronous body on an executor may call what asynchronous code can't", arguments: [1, 2, 5])
    func synchronousOnExecutor(inputs: Int) async throws {
        let gate = DispatchSemaphore(value: 0)
        let sums = Shared<[Int]>([])
        let (send, definition) = Join.define("blocking") { join in
            let a = join.slow("a", of: Int.self)
            let blocking = BlockingExecutor.shared
            switch inputs {
            case 1:
                join.when(a, on: blocking) { x in
                    Self.block(gate)
                    sums.update { $0.append(x) }
                }
            case 2:
                join.when(a, a, on: blocking) { x, y in
                    Self.block(gate)
                    sums.update { $0.append(x + y) }
                }
            default:
                join.when(a, a, a, a, a, on: blocking) { (x: Int, y: Int, z: Int, v: Int, w: Int) in
                    Self.block(gate)
                    sums.update { $0.append(x + y + z + v + w) }
                }
            }
            return (a, join.definition)
        }
        for _ in 0..<10 * inputs { send(1) }
        try await until { definition.statistics.running == 10 }
        for _ in 0..<10 { gate.signal() }
        try await definition.quiescence()
        #expect(sums.value == Array(repeating: inputs, count: 10))
    }

    @Test("Its errors are treated like any other: it is tried again on the executor")
    func synchronousOnExecutorFails() async throws {
        let attempts = Shared(0)
        let definition = ChemicalMachine(.silent).define("blocking") { join in
            join.failurePolicy = .retry(2)
            let go = join.slow("go")
            join.when(go, on: BlockingExecutor.shared) { _ in
                attempts.update { $0 += 1 }
                throw Flaw()
            }
            go()
            return join.definition
        }
        try await definition.quiescence()
        #expect(attempts.value == 3)
    }
}
