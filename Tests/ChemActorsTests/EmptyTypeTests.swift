import ChemActors
import TestSupport
import Testing

/// Values that take no memory: a soup only counts them.
///
/// In a release build this file is a client of the package that the optimiser has seen, where casting `()` to such
/// types once ended the compiler.
@Suite("Types without storage", .endsInTime)
struct EmptyTypeTests {
    /// A message as people write it.
    enum Command { case stop }
    enum Wrapped: Equatable {
        case stop(Void)
        static func == (one: Wrapped, other: Wrapped) -> Bool { true }
    }
    struct Empty: Hashable {}
    struct Nested: Equatable {
        var empty = Empty()
        var command = Command.stop
    }
    /// No value exists, so nothing is ever injected.
    enum Nothing: Sendable {}
    /// So that a body can fail.
    struct Flaw: Error {}

    @Test("An enumeration with one case is a message like any other")
    func command() async throws {
        let log = Shared<[Command]>([])
        let (send, ask, definition) = Join.define("machine") { join in
            let send = join.slow("send", of: Command.self)
            let ask = join.fast("ask", of: Command.self, returning: Command.self)
            let last = join.state("last", Command.stop)
            let nothing = join.slow("nothing", of: Nothing.self)
            join.when(send, updating: last) { last, command in
                last = command
                log.update { $0.append(command) }
            }
            join.answer(ask, reading: last) { last, command in
                switch command {
                case .stop: return last
                }
            }
            join.when(nothing) { _ in }
            return (send, ask, join.definition)
        }
        for _ in 0..<3 { send(.stop) }
        send.inject(contentsOf: [.stop, .stop])
        #expect(try await ask(.stop) == .stop)
        try await definition.quiescence()
        #expect(log.value == Array(repeating: .stop, count: 5))
        #expect(definition.statistics.molecules["send"]?.consumed == 5)
    }

    @Test("A case with a payload of Void, empty structures, and tuples of them")
    func others() async throws {
        try await travels(Wrapped.stop(()))
        try await travels(Empty())
        try await travels(Nested())
        let log = Shared<[String]>([])
        let definition = Join.define("tuples") { join in
            let pair = join.slow("pair", of: (Empty, Command).self)
            let voids = join.slow("voids", of: (Void, Void).self, order: .oldestFirst)
            join.when(pair, voids) { pair, _ in log.update { $0.append("\(pair.1)") } }
            pair((Empty(), .stop))
            voids(((), ()))
            return join.definition
        }
        try await definition.quiescence()
        #expect(log.value == ["stop"])
    }

    /// `value` goes through every kind of molecule.
    private func travels<Value: Sendable & Equatable>(_ value: Value) async throws {
        let log = Shared<[Value]>([])
        let (random, ask, bounded, stream, definition) = Join.define("travel") { join in
            let random = join.slow("random", of: Value.self)
            let oldest = join.slow("oldest", of: Value.self, order: .oldestFirst)
            let streamed = join.slow("streamed", of: Value.self, order: .oldestFirst)
            let bounded = join.bounded("bounded", of: Value.self, capacity: 2)
            let ask = join.fast("ask", of: Value.self, returning: Value.self)
            let state = join.state("state", value)
            join.when(random) { value in oldest(value) }
            join.when(2, of: oldest, updating: state) { state, values in
                state = values[0]
                streamed(values[1])
                log.update { $0 += values }
            }
            join.when(bounded) { value in log.update { $0.append(value) } }
            join.answer(ask, reading: state) { state, _ async throws in
                await Task.yield()
                return state
            }
            return (random, ask, bounded, join.stream(of: streamed), join.definition)
        }
        for _ in 0..<4 { random(value) }
        try await bounded.inject(value)
        try await definition.quiescence()
        #expect(log.value == Array(repeating: value, count: 5))
        #expect(try await ask(value) == value)
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == value)
        #expect(await iterator.next() == value)
    }

    @Test("They are retried, put back and dropped as counts", arguments: [false, true])
    func failing(isAsynchronous: Bool) async throws {
        let attempts = Shared(0)
        let definition = ChemicalMachine(.silent).define("failing") { join in
            join.failurePolicy = .retry(2)
            let one = join.slow("one", of: Command.self), other = join.slow("other", of: Empty.self)
            if isAsynchronous {
                join.when(one, other) { _, _ async throws in
                    attempts.update { $0 += 1 }
                    throw Flaw()
                }
            } else {
                join.when(one, other) { _, _ in
                    attempts.update { $0 += 1 }
                    throw Flaw()
                }
            }
            for _ in 0..<2 {
                one(.stop)
                other(Empty())
            }
            return join.definition
        }
        try await definition.quiescence()
        #expect(attempts.value == 6)
        let isBalanced = definition.statistics.molecules.values.allSatisfy { $0.isBalanced }
        #expect(isBalanced)
    }

    @Test("A call that carries one turns into a copy, and a copy into an answer")
    func turned() async throws {
        let (put, take) = Join.define("turning") { join in
            let item = join.slow("item", of: Command.self)
            let put = join.fast("put", of: Command.self)
            let take = join.fast("take", returning: Command.self)
            join.turn(put, into: item)
            join.answer(take, with: item) { _, command in command }
            return (put, take)
        }
        try await put(.stop)
        #expect(try await take() == .stop)
    }
}
