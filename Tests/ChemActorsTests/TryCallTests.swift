import ChemActors
import Dispatch
import TestSupport
import Testing

/// Calls that don't wait, and reactions without a body.
@Suite(.endsInTime)
struct TryCallTests {
    /// A box of numbers, whose calls of `take` are answered with one of them.
    private func box(
        on machine: ChemicalMachine = .shared
    ) -> (put: SlowMolecule<Int>, take: FastMolecule<Void, Int>, definition: Join) {
        let (put, take, definition) = machine.define("box") { join in
            let put = join.slow("put", of: Int.self, order: .oldestFirst)
            let take = join.fast("take", returning: Int.self, order: .oldestFirst)
            join.answer(take, with: put) { _, n in n }
            return (put, take, join.definition)
        }
        return (put, take, definition)
    }

    @Test func itIsAnsweredIfTheReactionIsPossibleAndElseNothingHasHappened() throws {
        let (put, take, definition) = box()
        #expect(try take.tryCall() == nil)
        put(1)
        put(2)
        #expect(try take.tryCall() == 1)
        #expect(try take.tryCall() == 2)
        #expect(try take.tryCall() == nil)
        #expect(definition.snapshot().waitingCalls.isEmpty)
    }

    @Test(
        "A task may call while the closure of 'define' still declares answers, and is answered as soon as that has returned"
    )
    func callsWhileDeclaring() async throws {
        for round in 0..<20 {
            let (names, task) = Join.define("growing") { join in
                let ask = join.fast("ask", returning: Int.self)
                let task = Task.detached { () -> (refused: Int, answer: Int) in
                    var refused = 0
                    while true {
                        if let answer = try? ask.tryCall() { return (refused, answer) }
                        refused += 1
                        await Task.yield()
                    }
                }
                let names = (0..<100).map { number in
                    let name = join.slow("number \(number)")
                    join.answer(ask, with: name) { _, _ in number }
                    name()
                    return name
                }
                return (names, Calling(task))
            }
            let (_, answer) = await task.value
            #expect((0..<100).contains(answer), "round \(round)")
            extendLifetime(names)
        }
    }

    /// A task that the closure of `define` has started.
    private struct Calling: Exportable {
        let task: Task<(refused: Int, answer: Int), Never>

        init(_ task: Task<(refused: Int, answer: Int), Never>) { self.task = task }

        var value: (refused: Int, answer: Int) { get async { await task.value } }
        var exported: Calling { self }
    }

    @Test func itDoesntOvertakeCallsThatWait() async throws {
        let (put, take, definition) = box()
        definition.pause()
        async let waiting = take()
        try await until { definition.snapshot().waitingCalls.count == 1 }
        put(1)
        put(2)
        #expect(try take.tryCall() == nil)
        definition.resume()
        #expect(try await waiting == 1)
        #expect(try take.tryCall() == 2)
    }

    @Test func itThrowsTheErrorOfTheBody() {
        struct Broken: Error {}
        let fail = Join.define("failing") { join in
            let fail = join.fast("fail", returning: Int.self)
            join.answer(fail) { _ in throw Broken() }
            return fail
        }
        #expect(throws: Broken.self) { try fail.tryCall() }
    }

    @Test func aCancelledTaskMayTry() async throws {
        let (put, take, _) = box()
        put(1)
        let task = Task { () throws -> Int? in
            withUnsafeCurrentTask { $0?.cancel() }
            return try take.tryCall()
        }
        #expect(try await task.value == 1)
    }

    @Test func itRunsInTheCallingThreadAlsoOnAMachineWithAnExecutor() throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(executor: SerialExecutor()))
        let (put, take, _) = box(on: machine)
        put(1)
        #expect(try take.tryCall() == 1)
    }

    @Test func namesTravelExported() throws {
        let (makeLamp, light) = Join.define("factory") { join in
            let make = join.fast("make", returning: FastMolecule<Void, Int>.self)
            let light = join.fast("light", of: FastMolecule<Void, Int>.self, returning: Int?.self)
            join.answer(make) { _ in
                Join.define("lamp") { join in
                    let isOn = join.fast("isOn", returning: Int.self)
                    join.answer(isOn) { _ in 7 }
                    return isOn
                }
            }
            join.answer(light) { lamp in try lamp.tryCall() }
            return (make, light)
        }
        let lamp = try #require(try makeLamp.tryCall())
        #expect(try lamp.tryCall() == 7)
        #expect(try light.tryCall(lamp) == 7)
    }

    @Test func whereBodiesRetryItIsNeverAnswered() throws {
        let square = Join.define("retrying") { join in
            join.failurePolicy = .retry(2, backOff: .milliseconds(1))
            let square = join.fast("square", of: Int.self, returning: Int.self)
            join.answer(square) { $0 * $0 }
            return square
        }
        #expect(try square.tryCall(3) == nil)
    }

    @Test func onTheMainActorItIsAnsweredOnTheMainThreadOnly() async throws {
        let square = Join.define("main", on: MainActor.self) { join in
            let square = join.fast("square", of: Int.self, returning: Int.self)
            join.answer(square) { $0 * $0 }
            return square
        }
        #expect(try await MainActor.run { try square.tryCall(3) } == 9)
        let elsewhere = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Result { try square.tryCall(3) }) }
        }
        #expect(try elsewhere.get() == nil)
    }

    @Test func aReactionOfAWorkerWithTheSameInputsIsLeftOut() throws {
        let (call, partner) = Join.define("either") { join in
            let call = join.fast("call", returning: Int.self)
            let partner = join.slow("partner")
            join.when(call, partner) { reply, _ in reply(1) }
            join.answer(call, with: partner) { _, _ in 2 }.mayCompete()
            return (call, partner)
        }
        partner()
        #expect(try call.tryCall() == 2)
    }

    // MARK: turn

    /// A gate for numbers, with room for so many.
    private func gate(
        room count: Int
    ) -> (send: FastMolecule<Int, Void>, take: FastMolecule<Void, Int>, close: FastMolecule<Void, Void>) {
        let (send, take, close) = Join.define("gate") { join in
            let send = join.fast("send", of: Int.self, order: .oldestFirst)
            let take = join.fast("take", returning: Int.self)
            let close = join.fast("close")
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let room = join.slow("room")
            let open = join.slow("open")
            join.turn(send, into: item, with: room, while: open)
            join.answer(take, with: item) { _, n in
                room()
                return n
            }
            join.answer(close, with: open) { _, _ in }
            room.inject(contentsOf: repeatElement((), count: count))
            open()
            return (send, take, close)
        }
        return (send, take, close)
    }

    @Test func aCallTurnsIntoACopyIfThereIsRoomAndTheGateIsThere() async throws {
        let (send, take, close) = gate(room: 2)
        #expect(try send.tryCall(1) != nil)
        try await send(2)
        #expect(try send.tryCall(3) == nil)
        async let third: Void = send(3)
        #expect(try await take() == 1)
        try await third
        try await close()
        #expect(try await take() == 2)
        #expect(try await take() == 3)
        #expect(try send.tryCall(4) == nil)
        await #expect(throws: CallError.self) { try await send(4, within: .zero) }
    }

    @Test func whatHasPassedTheGateIsThereWhenTheGateIsGone() async throws {
        for round in 1...200 {
            let (send, take, close) = gate(room: 100)
            let sender = Task.detached {
                var count = 0
                while count < 100, try send.tryCall(count) != nil { count += 1 }
                return count
            }
            if round % 2 == 0 { await Task.yield() }
            try await close()
            var present = 0
            while try take.tryCall() != nil { present += 1 }
            #expect(try await sender.value == present, "round \(round)")
        }
    }

    @Test func aCallTakesACopyAndLeavesRoomInOneStep() async throws {
        for round in 1...100 {
            let (send, take, definition) = Join.define("buffer") { join in
                let send = join.fast("send", of: Int?.self, order: .oldestFirst)
                let take = join.fast("take", returning: Int?.self, order: .oldestFirst)
                let item = join.slow("item", of: Int?.self, order: .oldestFirst)
                let room = join.slow("room")
                join.turn(send, into: item, with: room)
                join.turn(take, from: item, into: room)
                room.inject(contentsOf: repeatElement((), count: 3))
                return (send, take, join.definition)
            }
            let observer = Task.detached {
                while !Task.isCancelled {
                    let molecules = definition.statistics.molecules
                    let (items, rooms) = (molecules["item"]?.present ?? -1, molecules["room"]?.present ?? -1)
                    if items + rooms != 3 { return false }
                    await Task.yield()
                }
                return true
            }
            let sender = Task.detached {
                for n in 0..<200 { try await send(n) }
                try await send(nil)
            }
            // Takers that wait are answered by a worker, others in their own task.
            var taken: [Int] = []
            while let n = try await take() {
                taken.append(n)
                if n % 7 == round % 7 { await Task.yield() }
            }
            #expect(taken == Array(0..<200), "round \(round)")
            try await sender.value
            observer.cancel()
            #expect(await observer.value, "round \(round)")
            // The end stays for whoever asks next, and takes no room a second time.
            #expect(try await take() == nil)
            #expect(try take.tryCall() == .some(nil))
            #expect(definition.statistics.molecules["room"]?.present == 2)
            #expect(definition.statistics.isBalanced)
        }
    }

    @Test func turningIntoAMoleculeOfAnotherDefinitionIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("first") { join in
                let item = join.slow("item", of: Int.self)
                join.when(item) { _ in }
                Join.define("second") { join in
                    let send = join.fast("send", of: Int.self)
                    join.turn(send, into: item)
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("definition 'second' turns calls of 'second.send'"), "\(text)")
        #expect(text.contains("into 'first.item', which belongs to another definition"), "\(text)")
        #expect(text.contains("TryCallTests.swift"), "\(text)")
    }

    // MARK: answer(_:while:)

    @Test func aCallIsAnsweredWhileACopyIsPresentWhichStays() async throws {
        let (put, take, ready) = Join.define("box") { join in
            let put = join.slow("put", of: Int.self)
            let take = join.fast("take", returning: Int.self)
            let ready = join.fast("ready")
            join.answer(take, with: put) { _, n in n }
            join.answer(ready, while: put)
            return (put, take, ready)
        }
        #expect(try ready.tryCall() == nil)
        let waiting = (0..<5).map { _ in Task { try await ready() } }
        put(1)
        for task in waiting { try await task.value }
        try await ready()
        #expect(try ready.tryCall() != nil)
        #expect(try await take() == 1)
        #expect(try ready.tryCall() == nil)
    }
}

/// Reactions that consume several copies of one molecule.
@Suite(.endsInTime)
struct CopiesTests {
    @Test(arguments: [1, 2, 7, 100])
    func theReactionTakesSoManyCopiesOrNone(_ count: Int) async throws {
        let groups = Shared<[[Int]]>([])
        let (one, definition) = Join.define("groups") { join in
            let one = join.slow("one", of: Int.self, order: .oldestFirst)
            join.when(count, of: one) { numbers in groups.update { $0.append(numbers) } }
            return (one, join.definition)
        }
        one.inject(contentsOf: 0..<(3 * count))
        if count > 1 { one.inject(contentsOf: 0..<(count - 1)) }
        try await definition.quiescence()
        // On a busy machine a body may seem long, and then two run at once: either may be the first to note its group.
        let inOrder = groups.value.sorted { $0[0] < $1[0] }
        #expect(inOrder == (0..<3).map { Array($0 * count..<($0 + 1) * count) })
        #expect(definition.statistics.molecules["one"]?.present == count - 1)
    }

    @Test(arguments: [false, true])
    func ifTheBodyThrowsAllCallersGetTheError(_ suspends: Bool) async throws {
        struct Broken: Error {}
        let call = Join.define("callers") { join in
            let call = join.fast("call")
            if suspends {
                join.when(3, of: call) { _ in
                    await Task.yield()
                    throw Broken()
                }
            } else {
                join.when(3, of: call) { _ in throw Broken() }
            }
            return call
        }
        let callers = (0..<3).map { _ in Task { try await call() } }
        for caller in callers { await #expect(throws: Broken.self) { try await caller.value } }
    }

    @Test func whatAFailedBodyHadTakenCanBePutBack() async throws {
        struct Broken: Error {}
        let attempts = Shared(0)
        let machine = ChemicalMachine(ChemicalMachine.Configuration { _ in })
        let (one, definition) = machine.define("groups") { join in
            join.failurePolicy = .putBack(after: .milliseconds(1), limit: 3)
            let one = join.slow("one", of: Int.self)
            join.when(2, of: one) { numbers in
                if attempts.update({
                    $0 += 1; return $0
                }) < 3 {
                    throw Broken()
                }
                #expect(numbers.sorted() == [4, 5])
            }
            return (one, join.definition)
        }
        one(4)
        one(5)
        try await definition.quiescence()
        #expect(attempts.value == 3)
    }

    @Test(
        "Whoever tries isn't refused for the sake of callers who wait for nothing but a worker, and comes behind them"
    )
    func triesBehindThoseWhoCanBeServed() throws {
        var shown = 0
        for seed in UInt64(1)...20 {
            let executor = SeededExecutor(seed: seed)
            let machine = ChemicalMachine(ChemicalMachine.Configuration(executor: executor))
            let (send, take, definition) = machine.define("channel") { join in
                let send = join.fast("send", of: Int?.self, order: .oldestFirst)
                let take = join.fast("take", returning: Int?.self, order: .oldestFirst)
                let item = join.slow("item", of: Int?.self, order: .oldestFirst)
                let room = join.slow("room")
                join.turn(send, into: item, with: room)
                join.turn(take, from: item, into: room)
                for _ in 0..<3 { room() }
                return (send, take, join.definition)
            }
            for number in 1...2 { Task(executorPreference: executor) { try await send(number) } }
            while executor.hasJobs, definition.snapshot().waitingCalls.count < 2 { executor.runOne() }
            // The worker that would serve them is a job that hasn't run.
            guard definition.snapshot().waitingCalls.count == 2 else { continue }
            shown += 1
            #expect(try send.tryCall(3) != nil, "seed \(seed)")
            #expect(definition.snapshot().waitingCalls.isEmpty)
            #expect(try send.tryCall(4) == nil, "seed \(seed): there is no room")
            let taken = try (0..<4).compactMap { _ in try take.tryCall() ?? nil }
            #expect(taken.count == 3 && taken.last == 3, "seed \(seed)")
            executor.drain()
            #expect(definition.statistics.isBalanced)
            #expect(definition.statistics.running == 0)
            extendLifetime((send, take))
        }
        #expect(shown > 0)
    }

    @Test func noCopiesAreRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("nothing") { join in
                let one = join.slow("one")
                join.when(0, of: one) { _ in }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("consumes 0 copies of 'nothing.one': it needs at least 1"), "\(text)")
    }
}
