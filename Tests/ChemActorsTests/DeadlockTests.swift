import ChemActors
import Foundation
import TestSupport
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

    private struct Account: JoinDefinition {
        let transfer = FastMolecule<Account, Void>()
        let receive = FastMolecule<Void, Void>()
        private let funds = StateMolecule(0)
        let ready: FastMolecule<Void, Void>

        func react(in join: inout Join.Builder) {
            join.answer(transfer, updating: funds) { _, other in
                try await ready()
                try await other.receive()
            }
            join.answer(receive, updating: funds) { funds, _ in funds += 1 }
        }
    }

    @Test("Two definitions of one name are told apart", .endsInTime)
    func namesakes() async throws {
        let ready = Join.define("barrier") { join in
            let ready = join.fast("ready")
            join.when(ready, ready) { first, second in
                first()
                second()
            }
            return ready
        }
        let accounts = (0..<2).map { _ in Join.make(Account(ready: ready)) }
        async let first = error { try await accounts[0].transfer(accounts[1]) }
        async let second = error { try await accounts[1].transfer(accounts[0]) }
        let errors = await [first, second].compactMap(\.self)
        #expect(errors.count == 1)
        let text = errors.first?.explanation ?? ""
        #expect(text.contains("'Account.receive' of 'Account' no. 1 ("), "\(text)")
        let caller = text.components(separatedBy: "called by the body of transfer & funds (").dropFirst().first ?? ""
        #expect(caller.contains(") of 'Account' no. 2, waits for state 'funds'"), "\(text)")
        #expect(text.contains(") of 'Account' no. 1 holds; 'Account.receive' of 'Account' no. 2 ("), "\(text)")
        #expect(text.hasSuffix(") of 'Account' no. 2 holds"), "\(text)")
    }

    /// Bodies in a ring: each holds its own state and asks the next definition for that one's.
    /// Each call could be answered in several ways, all of which need that state.
    private func ring(
        _ length: Int,
        otherWays: Int = 0
    ) -> [(begin: FastMolecule<Void, Void>, go: SlowMolecule<Void>, definition: Join)] {
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
                for way in 0..<otherWays {
                    join.answer(read, with: join.slow("way \(way)"), reading: number) { number, _, _ in number }
                }
                return (begin, read, go, join.definition)
            }
        }
        next.update { $0 = members.map { $0.1 } }
        return members.map { ($0.0, $0.2, $0.3) }
    }

    /// Waits until the body of each member has its state and waits to go on.
    private func untilReady(_ members: [(begin: FastMolecule<Void, Void>, go: SlowMolecule<Void>, definition: Join)])
        async throws
    {
        try await until { members.allSatisfy { $0.definition.statistics.molecules["ready"]?.present == 1 } }
    }

    @Test(
        "A ring of bodies, each waiting for the state of the next: one of them gets the error, the others go on",
        .endsInTime,
        arguments: [2, 3, 7]
    )
    func inARing(length: Int) async throws {
        for _ in 1...30 {
            let members = ring(length)
            let tasks = members.map { member in Task { try await member.begin() } }
            try await untilReady(members)
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

    /// When the call that is answered by calling back is taken.
    enum Reentrance: CaseIterable {
        case atOnce, whileItWaits
    }

    @Test(
        "A body that is called back for the state it holds, through another definition: the call back gets the error",
        .endsInTime,
        arguments: Reentrance.allCases
    )
    func calledBack(way: Reentrance) async throws {
        for _ in 1...50 {
            let callers = Callers()
            let callBack = Shared<FastMolecule<Void, Int>?>(nil)
            let (approve, go) = Join.define("bank") { join in
                let approve = join.fast("approve", returning: Int.self)
                let go = join.slow("go")
                join.answer(approve, with: go) { _, _ in try await callBack.value?() ?? 0 }
                return (approve, go)
            }
            let (ask, read) = Join.define("account") { join in
                let ask = join.fast("ask", returning: Int.self)
                let read = join.fast("read", returning: Int.self)
                let balance = join.state("balance", 7)
                join.answer(ask, updating: balance) { balance, _ in
                    balance += 1
                    return try await callers.call { try await approve() }
                }
                join.answer(read, reading: balance) { balance, _ in balance }
                return (ask, read)
            }
            callBack.update { $0 = read }
            if way == .atOnce { go() }
            let asking = Task { await error { _ = try await ask() } }
            await callers.suspended(1)
            if way == .whileItWaits { go() }
            let found = await asking.value
            #expect(found?.code == .deadlock)
            #expect(found?.molecule == "account.read")
            let parts = found?.explanation.split(separator: ";").map(String.init) ?? []
            #expect(parts.count == 2)
            #expect(parts.first?.contains("waits for state 'balance', which the body of ask & balance") == true)
            #expect(parts.last?.contains("'bank.approve'") == true)
            #expect(parts.last?.contains("waits for the answer of the body of approve & go") == true)
            #expect(try await read() == 8)
        }
    }

    @Test("Bodies that answer each other's calls and wait for nobody's state have no deadlock", .endsInTime)
    func calledBackWithoutState() async throws {
        let back = Shared<FastMolecule<Int, Int>?>(nil)
        let down = Join.define("ping") { join in
            let down = join.fast("down", of: Int.self, returning: Int.self)
            join.answer(down) { number in
                guard number > 0, let up = back.value else { return 0 }
                return try await up(number - 1)
            }
            return down
        }
        let up = Join.define("pong") { join in
            let up = join.fast("up", of: Int.self, returning: Int.self)
            join.answer(up) { number in
                let answer = try await down(number - 1)
                return answer + 1
            }
            return up
        }
        back.update { $0 = up }
        #expect(try await down(40) == 20)
    }

    @Test("A body that only reads a state doesn't hold it, so nobody is waiting for it", .endsInTime)
    func readers() async throws {
        for _ in 1...50 {
            let (hasRead, isAway, mayEnd) = (Signal(), ControlProbe.Gate(), ControlProbe.Gate())
            let callers = Callers()
            let (begin, change) = Join.define("readers") { join in
                let begin = join.fast("begin")
                let ask = join.fast("ask", returning: Int.self)
                let change = join.fast("change")
                let number = join.state("number", 7)
                join.answer(begin, reading: number) { _, _ in
                    hasRead.send()
                    await isAway.pass()
                    let answer = try await callers.call { try await ask() }
                    #expect(answer == 8)
                }
                join.answer(change, updating: number) { number, _ in
                    isAway.open()
                    await mayEnd.pass()
                    number += 1
                }
                join.answer(ask, updating: number) { number, _ in number }
                return (begin, change)
            }
            let reading = Task { try await begin() }
            await hasRead.wait()
            // Another body has the state, which goes on, while one that has only read it waits for it.
            let changing = Task { try await change() }
            await callers.suspended(1)
            mayEnd.open()
            try await changing.value
            try await reading.value
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

    /// With a search that goes each way by itself this takes years.
    @Test("A deadlock is found in linear time, in however many ways the calls could be answered", .endsInTime)
    func manyWays() async throws {
        let members = ring(40, otherWays: 3)
        let tasks = members.map { member in Task { try await member.begin() } }
        try await untilReady(members)
        for member in members { member.go() }
        var codes: [CallError.Code] = []
        for task in tasks {
            if case .failure(let error) = await task.result, let error = error as? CallError {
                codes.append(error.code)
            }
        }
        #expect(codes == [.deadlock])
    }

    /// Each body begins within the one before it, so the last one waits first. It overflowed the stack, and was
    /// searched for a deadlock by each of its callers.
    @Test(
        "A chain of ten thousand definitions, each of which calls the next, needs no stack and linear time",
        .endsInTime,
        arguments: [false, true]
    )
    func deepChain(inScope: Bool) async throws {
        @Sendable func check(_ machine: ChemicalMachine) async throws {
            let (first, arrived, go) = chainOfCalls(10_000, on: machine)
            let answer = Task { try await first() }
            try await arrived()
            go(7)
            #expect(try await answer.value == 10_007)
        }
        if inScope { try await withChemicalMachine { try await check($0) } } else { try await check(ChemicalMachine()) }
    }

    @Test("A body that answers is found although its executor begins it late", .endsInTime)
    func lateBody() async throws {
        let executor = SeededExecutor(seed: 1)
        let outcome = Shared<[CallError.Code?]>([])
        let start = Join.define("late") { join in
            let start = join.slow("start")
            let number = join.state("number", 7)
            let ask = join.fast("ask", returning: Int.self)
            let read = join.fast("read", returning: Int.self)
            join.when(start, updating: number) { _, _ async in
                await Task.yield()
                do {
                    _ = try await ask()
                    outcome.update { $0.append(nil) }
                } catch {
                    outcome.update { $0.append((error as? CallError)?.code) }
                }
            }
            join.answer(ask, on: executor) { _ async throws in try await read() }
            join.answer(read, reading: number) { number, _ in number }
            return start
        }
        start()
        try await until { executor.hasJobs }
        // The body of `start` waits now, with hardly a doubt.
        for _ in 0..<1_000 { await Task.yield() }
        try await until {
            executor.drain()
            return !outcome.value.isEmpty
        }
        #expect(outcome.value == [.deadlock])
    }
}
