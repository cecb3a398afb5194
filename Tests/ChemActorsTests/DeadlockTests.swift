import ChemActors
import Testing

/// Calls that can't be answered because those who could wait for each other.
@Suite("Bodies that wait for each other")
struct DeadlockTests {
    /// The error with which `call` ends.
    private func error(of call: () async throws -> Void) async -> CallError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? CallError
        }
    }

    @Test("A body that calls for the state it holds gets an error that names both", .endsInTime, arguments: 1...50)
    func itself(round: Int) async throws {
        let (ask, read) = Join.define("loop") { join in
            let ask = join.fast("ask", returning: Int.self)
            let read = join.fast("read", returning: Int.self)
            let number = join.state("number", 7)
            join.answer(ask, updating: number) { number, _ in
                number += 1
                return try await read()
            }
            join.answer(read, reading: number) { number, _ in number }
            return (ask, read)
        }
        let error = await error { _ = try await ask() }
        #expect(error?.code == .deadlock)
        #expect(error?.molecule == "loop.read")
        #expect(error?.explanation.contains("waits for state 'number'") == true)
        #expect(error?.explanation.contains("the body of ask & number") == true)
        #expect(error?.explanation.contains("DeadlockTests.swift:") == true)
        // The state is back.
        #expect(try await read() == 8)
    }

    /// Bodies in a ring: each holds its own state and asks the next definition for that one's.
    private func ring(_ length: Int) -> [(begin: FastMolecule<Void, Void>, go: SlowMolecule<Void>)] {
        let next = Shared<[FastMolecule<Void, Int>]>([])
        let members = (0..<length).map { index in
            Join.define("member \(index)") { join in
                let begin = join.fast("begin")
                let read = join.fast("read", returning: Int.self)
                let go = join.slow("go")
                let ready = join.fast("ready")
                let number = join.state("number", index)
                join.answer(begin, updating: number) { _, _ in
                    try await ready()
                    _ = try await next.value[(index + 1) % length]()
                }
                join.answer(ready, with: go) { _, _ in }
                join.answer(read, reading: number) { number, _ in number }
                return (begin, read, go)
            }
        }
        next.update { $0 = members.map { $0.1 } }
        return members.map { ($0.0, $0.2) }
    }

    @Test(
        "A ring of bodies, each waiting for the state of the next: one of them gets the error, the others go on",
        .endsInTime,
        arguments: [2, 3, 7]
    )
    func inARing(length: Int) async throws {
        for _ in 1...30 {
            let members = ring(length)
            let callers = Callers()
            let tasks = members.map { member in
                Task { try await callers.call { try await member.begin() } }
            }
            await callers.suspended(length)
            for member in members { member.go() }
            var errors: [CallError] = []
            for task in tasks {
                if case .failure(let error) = await task.result, let error = error as? CallError {
                    errors.append(error)
                }
            }
            // Once one of them has ended, its state is there for the one before it, and so on.
            #expect(errors.count == 1)
            #expect(errors.first?.code == .deadlock)
            let lines = errors.first?.explanation.split(separator: ";").count
            #expect(lines == length)
        }
    }

    @Test("Whoever waits for a body that goes on waits, however long the chain", .endsInTime)
    func chain() async throws {
        let mayEnd = ControlProbe.Gate()
        var last: FastMolecule<Void, Int>?
        for index in 0..<20 {
            last = Join.define("link \(index)") { [last] join in
                let read = join.fast("read", returning: Int.self)
                let number = join.state("number", 1)
                join.answer(read, updating: number) { number, _ in
                    guard let last else {
                        await mayEnd.pass()
                        return number
                    }
                    number += try await last()
                    return number
                }
                return read
            }
        }
        let callers = Callers()
        let read = try #require(last)
        let tasks = (0..<3).map { _ in Task { try await callers.call { try await read() } } }
        await callers.suspended(3)
        mayEnd.open()
        for task in tasks { #expect(try await task.value >= 20) }
    }

    @Test("A call that another reaction can answer waits for that one", .endsInTime)
    func anotherWay() async throws {
        let (ask, help) = Join.define("two ways") { join in
            let ask = join.fast("ask", returning: Int.self)
            let read = join.fast("read", returning: Int.self)
            let help = join.slow("help")
            let number = join.state("number", 7)
            join.answer(ask, updating: number) { _, _ in try await read() }
            join.answer(read, reading: number) { number, _ in number }
            join.answer(read, with: help) { _, _ in -1 }
            return (ask, help)
        }
        let callers = Callers()
        let task = Task { try await callers.call { try await ask() } }
        await callers.suspended(1)
        help()
        #expect(try await task.value == -1)
    }

    @Test("A call that gives up after a while isn't in a deadlock", .endsInTime)
    func timed() async throws {
        let ask = Join.define("patient") { join in
            let ask = join.fast("ask", returning: Int.self)
            let read = join.fast("read", returning: Int.self)
            let number = join.state("number", 7)
            join.answer(ask, updating: number) { number, _ in
                do {
                    return try await read(within: .milliseconds(5))
                } catch let error as CallError where error.code == .timedOut {
                    return number
                }
            }
            join.answer(read, reading: number) { number, _ in number }
            return ask
        }
        #expect(try await ask() == 7)
    }

    @Test("In a scope, on an executor and on the main actor the same", .endsInTime)
    func elsewhere() async throws {
        @Sendable func make(_ machine: ChemicalMachine, on actor: MainActor.Type? = nil) -> FastMolecule<Void, Int> {
            machine.define("loop", on: actor) { join in
                let ask = join.fast("ask", returning: Int.self)
                let read = join.fast("read", returning: Int.self)
                let number = join.state("number", 7)
                join.answer(ask, updating: number) { _, _ in try await read() }
                join.answer(read, reading: number) { number, _ in number }
                return ask
            }
        }
        let onExecutor = make(ChemicalMachine(.init(executor: BlockingExecutor())))
        #expect(await error { _ = try await onExecutor() }?.code == .deadlock)
        let onMain = make(ChemicalMachine(), on: MainActor.self)
        #expect(await error { _ = try await onMain() }?.code == .deadlock)
        let inScope = try await withChemicalMachine { machine in
            let ask = make(machine)
            return await error { _ = try await ask() }?.code
        }
        #expect(inScope == .deadlock)
    }
}
