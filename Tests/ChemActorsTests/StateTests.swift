import ChemActors
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// State molecules: exactly one copy, changed where it lies, read without a reaction.
@Suite("States", .serialized)
struct StateTests {
    struct Broken: Error {}

    /// A name that a definition doesn't return, for tests that look at it from outside.
    final class Peek<Value: Sendable>: Sendable {
        private let state = Shared<StateReader<Value>?>(nil)
        func set(_ state: StateMolecule<Value>) { self.state.update { $0 = state.reader } }
        var value: Value { state.value!.value }
        func forget() { state.update { $0 = nil } }
    }

    /// Counts how often it had to be copied to be changed.
    struct Tracked: Sendable {
        private final class Storage: @unchecked Sendable {
            var count: Int
            init(_ count: Int) { self.count = count }
        }
        private var storage = Storage(0)
        private(set) var copies = 0
        var count: Int { storage.count }

        mutating func increment() {
            if !isKnownUniquelyReferenced(&storage) {
                storage = Storage(storage.count)
                copies += 1
            }
            storage.count += 1
        }
    }

    @Test("8 tasks of 10,000 increments each: none is lost", .endsInTime, arguments: [false, true])
    func increments(isAsync: Bool) async throws {
        let each = isAsync ? heavy(10_000, debug: 2_000) : 10_000
        let (increment, value, definition) = Join.define { join in
            let count = join.state("count", 0)
            let increment = join.slow("increment")
            let value = join.fast("value", returning: Int.self)
            if isAsync {
                join.when(increment, updating: count) { n, _ async throws in
                    n += 1
                    if n % 64 == 0 { await Task.yield() }
                }
            } else {
                join.when(increment, updating: count) { n, _ in n += 1 }
            }
            join.answer(value, reading: count) { n, _ in n }
            return (increment, value, join.definition)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<each { increment() } } }
        }
        try await definition.quiescence()
        #expect(try await value() == 8 * each)
    }

    @Test(
        "8 tasks call an updating answer 10,000 times: each gets a number of its own",
        .endsInTime,
        arguments: [0, 1, 2]
    )
    func tickets(kind: Int) async throws {
        let each = heavy(10_000, debug: 1_000)
        let next = Join.define { join in
            let count = join.state("count", 0)
            let next = join.fast("next", returning: Int.self)
            switch kind {
            case 0:
                join.answer(next, updating: count) { n, _ in
                    n += 1; return n
                }
            case 1:
                join.answer(next, updating: count) { n, _ async throws in
                    n += 1; return n
                }
            default:
                join.when(next, updating: count) { n, reply in
                    n += 1; reply(n)
                }
            }
            return next
        }
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var mine: [Int] = []
                    for _ in 0..<each { mine.append(try await next()) }
                    return mine
                }
            }
            var all: [Int] = []
            for try await mine in group {
                #expect(mine == mine.sorted(), "a later call gets a larger number")
                all += mine
            }
            return all
        }
        #expect(numbers.sorted() == Array(1...(8 * each)))
    }

    @Test(
        "A synchronous body that throws leaves the state as it left it",
        .endsInTime,
        arguments: [false, true]
    )
    func throwing(isAnswer: Bool) async throws {
        let peek = Peek<[Int]>()
        let (add, ask, definition) = ChemicalMachine(.init(reporter: { _ in })).define { join in
            let list = join.state("list", [0])
            let add = join.slow("add", of: Int.self, order: .oldestFirst)
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            join.when(add, updating: list) { list, n in
                list.append(n)
                if n % 2 == 0 { throw Broken() }
                list.append(-n)
            }
            join.answer(ask, updating: list) { list, n in
                list.append(n)
                throw Broken()
            }
            peek.set(list)
            return (add, ask, join.definition)
        }
        if isAnswer { await #expect(throws: Broken.self) { try await ask(9) } }
        add.inject(contentsOf: 1...4)
        try await definition.quiescence()
        #expect(peek.value == [0] + (isAnswer ? [9] : []) + [1, -1, 2, 3, -3, 4])
    }

    @Test(
        "An asynchronous body has the state for its duration; readers see the value from before",
        .endsInTime,
        arguments: [false, true]
    )
    func asynchronous(throwing: Bool) async throws {
        let text = Peek<String>()
        let number = Peek<Int>()
        let running = Shared<[Reply<Void, Void>]>([])
        let (change, read, definition) = ChemicalMachine(.init(reporter: { _ in })).define { join in
            let words = join.state("words", "old")
            let count = join.state("count", 1)
            let change = join.slow("change")
            let read = join.fast("read", returning: String.self)
            let wait = join.fast("wait")
            join.when(wait) { reply in running.update { $0.append(reply) } }
            join.when(change, updating: words, count) { words, count, _ async throws in
                words += ", half"
                count += 1
                try await wait()
                words += ", new"
                count += 1
                if throwing { throw Broken() }
            }
            join.answer(read, reading: words) { words, _ in words }
            text.set(words)
            number.set(count)
            return (change, read, join.definition)
        }
        change()
        let reply = try await running.first()
        #expect(text.value == "old")
        #expect(number.value == 1)
        // A reaction that needs the state waits for the body.
        let reader = Task { try await read() }
        let early = await #expect(throws: CallError.self) { try await read(within: .milliseconds(5)) }
        #expect(early?.code == .timedOut)
        reply()
        try await definition.quiescence()
        #expect(try await reader.value == "old, half, new")
        #expect(text.value == "old, half, new")
        #expect(number.value == 3)
    }

    @Test(
        "Transfers between states keep their sum, in every reader's eyes",
        .endsInTime,
        arguments: [false, true]
    )
    func transfer(isAsync: Bool) async throws {
        let count = heavy(20_000, debug: 3_000)
        let (move, sum, definition) = Join.define { join in
            let one = join.state("one", 1000)
            let other = join.state("other", 0)
            let move = join.slow("move", of: Int.self)
            let sum = join.fast("sum", returning: Int.self)
            if isAsync {
                join.when(move, updating: one, other) { one, other, n async throws in
                    one -= n
                    if n == 7 { await Task.yield() }
                    other += n
                }
            } else {
                join.when(move, updating: one, other) { one, other, n in
                    one -= n
                    other += n
                }
            }
            join.answer(sum, reading: one, other) { one, other, _ in one + other }
            return (move, sum, join.definition)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 { group.addTask { for n in 0..<count { move((n + task) % 13 - 6 + task % 2 * 7) } } }
            group.addTask {
                for _ in 0..<count {
                    let total = try await sum()
                    #expect(total == 1000)
                }
            }
            try await group.waitForAll()
        }
        try await definition.quiescence()
        #expect(try await sum() == 1000)
    }

    @Test(
        "Reading from outside sees every committed value, from 8 threads, also while bodies change it",
        .endsInTime
    )
    func readsWhileChanging() async throws {
        let list = Peek<[Int]>()
        let number = Peek<Int>()
        let (add, definition) = Join.define { join in
            let listed = join.state("list", [Int]())
            let count = join.state("count", 0)
            let add = join.slow("add")
            join.when(add, updating: listed, count) { list, n, _ in
                n += 1
                list.append(n)
            }
            list.set(listed)
            number.set(count)
            return (add, join.definition)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<2_000 { add() } }
            for _ in 0..<8 {
                group.addTask {
                    var seen = 0
                    for _ in 0..<500 {
                        let now = list.value
                        #expect(now.count >= seen && now == Array(1..<(now.count + 1)))
                        seen = now.count
                        #expect(number.value <= 2_000)
                    }
                }
            }
        }
        try await definition.quiescence()
        #expect(list.value == Array(1...2_000))
        #expect(number.value == 2_000)
    }

    @Test(
        "After an answer that updated the state, reading sees the update",
        .endsInTime,
        arguments: [false, true],
        [false, true]
    )
    func readsOwnUpdate(isAsync: Bool, isPlain: Bool) async throws {
        let list = Peek<[Int]>()
        let number = Peek<Int>()
        // With an executor no call is answered in the calling task.
        let next = ChemicalMachine(.init(executor: isPlain ? nil : SerialExecutor())).define { join in
            let listed = join.state("list", [Int]())
            let count = join.state("count", 0)
            let next = join.fast("next", returning: Int.self)
            if isAsync {
                join.answer(next, updating: listed, count) { list, n, _ async throws in
                    n += 1
                    list = [n]
                    return n
                }
            } else {
                join.answer(next, updating: listed, count) { list, n, _ in
                    n += 1
                    list = [n]
                    return n
                }
            }
            list.set(listed)
            number.set(count)
            return next
        }
        #expect(list.value.isEmpty)
        for round in 1...heavy(20_000, debug: 5_000) {
            let answer = try await next()
            let (seen, listed) = (number.value, list.value)
            guard answer == round, seen == round, listed == [round] else {
                Issue.record("the answer was \(answer), the states are \(seen) and \(listed)")
                return
            }
        }
    }

    @Test("A state is changed where it lies: nothing is copied while nobody reads it", .endsInTime)
    func notCopied() async throws {
        let count = 20_000
        let (add, ask, look, definition) = Join.define { join in
            let tracked = join.state("tracked", Tracked())
            let add = join.slow("add")
            let ask = join.fast("ask", returning: Int.self)
            let look = join.fast("look", returning: [Int].self)
            join.when(add, updating: tracked) { tracked, _ in tracked.increment() }
            join.answer(ask, updating: tracked) { tracked, _ in
                tracked.increment(); return tracked.count
            }
            join.answer(look, reading: tracked) { tracked, _ in [tracked.count, tracked.copies] }
            return (add, ask, look, join.definition)
        }
        for _ in 0..<count { add() }
        try await definition.quiescence()
        for n in 1...100 { #expect(try await ask() == count + n) }
        let seen = try await look()
        #expect(seen[0] == count + 100 && seen[1] <= 1, "\(seen): one copy at most, for the initial value")
        // Reading copies the reference, for as long as the reader has it.
        for _ in 0..<count { add() }
        try await definition.quiescence()
        let later = try await look()
        #expect(later[0] == 2 * count + 100 && later[1] <= 2, "\(later)")
    }

    @Test(
        "A state is read after its definition has dissolved, whether or not it was read before",
        arguments: [false, true]
    )
    func readAfterEnd(wasRead: Bool) async {
        // The program may not crash: semantics says of names used too late that they are ignored and reported.
        if wasRead {
            await #expect(processExitsWith: .success) { Self.readTooLate(wasRead: true) }
        } else {
            await #expect(processExitsWith: .success) { Self.readTooLate(wasRead: false) }
        }
    }

    private static func readTooLate(wasRead: Bool) {
        let peek = Peek<[Int]>()
        _ = Join.define { join in
            let state = join.state("state", [1, 2])
            let add = join.slow("add")
            join.when(add, updating: state) { list, _ in list.append(3) }
            peek.set(state)
            if wasRead { #expect(peek.value == [1, 2]) }
            return add
        }
        #expect(peek.value == [1, 2])
    }

    @Test(
        "What needs a state begins while the value that a body has replaced is still being released",
        .endsInTime,
        arguments: [false, true]
    )
    func releasingComesLast(isCall: Bool) async throws {
        let living = Living()
        let (door, hasOpened) = (Door(), Shared<Bool?>(nil))
        // No monitor looks after workers on an executor, and each has a thread of its own to block.
        let machine = ChemicalMachine(.init(executor: BlockingExecutor()))
        let (replace, call, reader, definition) = machine.define("slow to release") { join in
            let replace = join.slow("replace", of: Bool.self, order: .oldestFirst)
            let call = join.fast("call", of: Bool.self)
            let look = join.slow("look")
            let value = join.state("value", Payload(living))
            let body: @Sendable (inout Payload, Bool) -> Void = { value, isLast in
                if isLast {
                    value = Payload(living)
                    look()
                } else {
                    value = Payload(living) { hasOpened.update { $0 = door.wait() } }
                }
            }
            join.when(replace, updating: value) { body(&$0, $1) }
            join.answer(call, updating: value) { body(&$0, $1) }
            join.when(look, updating: value) { _, _ in door.open() }
            return (replace, call, value.reader, join.definition)
        }
        if isCall {
            Thread.detachNewThread { for isLast in [false, true] { _ = try? call.tryCall(isLast) } }
        } else {
            for isLast in [false, true] { replace(isLast) }
        }
        try await until { hasOpened.value != nil }
        #expect(hasOpened.value == true)
        try await definition.quiescence()
        withExtendedLifetime((replace, call, reader)) {}
    }

    @Test("Two bodies that read each other's state by name don't wait for each other", .endsInTime)
    func crossReading() async {
        await #expect(processExitsWith: .success) {
            alarm(600)  // or this process would never end
            let one = Peek<[Int]>()
            let other = Peek<[Int]>()
            let started = Shared(0)
            let definition = Join.define { join in
                let first = join.state("first", [1])
                let second = join.state("second", [2])
                let goFirst = join.slow("goFirst")
                let goSecond = join.slow("goSecond")
                let bothStarted: @Sendable () -> Void = {
                    started.update { $0 += 1 }
                    while started.value < 2 { sched_yield() }
                }
                join.when(goFirst, updating: first) { list, _ in
                    bothStarted()
                    list = other.value
                }
                join.when(goSecond, updating: second) { list, _ in
                    bothStarted()
                    list = one.value
                }
                one.set(first)
                other.set(second)
                goFirst()
                goSecond()
                return join.definition
            }
            try? await definition.quiescence()
        }
    }
}
