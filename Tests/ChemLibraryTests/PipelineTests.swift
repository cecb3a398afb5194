import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Pipelines, and fork and join.
@Suite("Pipeline, fork and join", .endsInTime)
struct PipelineTests {
    private func all<Input, Output>(_ pipeline: RunningPipeline<Input, Output>) async throws -> [Output] {
        var results: [Output] = []
        while let result = try await pipeline.receive() { results.append(result) }
        return results
    }

    @Test func resultsComeInTheOrderOfTheValues() async throws {
        let pipeline = Pipeline(atMost: 4) { (number: Int) in
            await yield(number % 5)
            return number * 2
        }
        .stage(atMost: 3) { number in
            await yield(number % 3)
            return "\(number)"
        }
        .start(capacity: 2)
        let sender = Task {
            for number in 0..<500 { try await pipeline.send(number) }
            try await pipeline.finish()
        }
        #expect(try await all(pipeline) == (0..<500).map { "\($0 * 2)" })
        try await sender.value
        #expect(try await pipeline.receive() == nil)
    }

    @Test func anEmptyPipelineEndsAtOnce() async throws {
        let pipeline = Pipeline { (number: Int) in number }.start()
        try await pipeline.finish()
        #expect(try await all(pipeline) == [])
        for number in 1...3 {
            await #expect(throws: PipelineFinished.self) { try await pipeline.send(number) }
            #expect(!pipeline.trySend(number))
        }
        #expect(try await pipeline.receive() == nil)
        try await pipeline.finish()
    }

    /// Sends five values. Returns those that were.
    private func sent(to pipeline: RunningPipeline<Int, Int>) async throws -> [Int] {
        var sent: [Int] = []
        for number in 1...5 {
            do {
                try await pipeline.send(number)
                sent.append(number)
            } catch is PipelineFinished {}
        }
        return sent
    }

    @Test("What was sent before the end arrives, and every other sender is told", .endsInTime)
    func senderBesideTheEnd() async throws {
        for seed in Soak.seeds(50, soak: 2_000) {
            try await withChemicalMachine(ChemicalMachine.Configuration(seed: seed)) { _ in
                let pipeline = Pipeline { (number: Int) in number }.start()
                async let sent = sent(to: pipeline)
                async let end: Void = pipeline.finish()
                let received = try await all(pipeline)
                #expect(try await received == sent, "seed \(seed)")
                try await end
            }
        }
    }

    @Test func optionalResultsAreNotTheEnd() async throws {
        let pipeline = Pipeline { (number: Int) -> Int? in number == 1 ? nil : number }.start(capacity: 4)
        for number in 0..<3 { try await pipeline.send(number) }
        try await pipeline.finish()
        #expect(try await all(pipeline) == [0, nil, 2])
    }

    @Test func nothingGrowsWithoutBoundAndTrySendSaysSo() async throws {
        let machine = ChemicalMachine()
        let inside = Occupancy()
        let pipeline = machine.making {
            Pipeline(atMost: 2) { (number: Int) in
                inside.enter()
                defer { inside.leave() }
                await Task.yield()
                return number
            }
            .stage(atMost: 3) { $0 }
            .start(capacity: 4)
        }
        // Nobody receives: 3 wait after the second stage, 2 after the first, 4 before it.
        var sent = 0
        for _ in 0..<50 {
            while pipeline.trySend(sent) { sent += 1 }
            try await machine.quiescence()
        }
        #expect(sent == 9)
        #expect(inside.peak <= 2)
        for number in 0..<9 { #expect(try await pipeline.receive() == number) }
        #expect(try await pipeline.send(9) == ())
        #expect(try await pipeline.receive() == 9)
    }

    @Test func anErrorComesInThePlaceOfItsResult() async throws {
        let pipeline = Pipeline { (number: Int) in
            if number == 1 { throw Mishap(number: 1) }
            return number
        }
        .stage { $0 * 10 }
        .start(capacity: 4)
        for number in 0..<3 { try await pipeline.send(number) }
        try await pipeline.finish()
        #expect(try await pipeline.receive() == 0)
        await #expect(throws: Mishap(number: 1)) { try await pipeline.receive() }
        #expect(try await pipeline.receive() == 20)
        #expect(try await pipeline.receive() == nil)
    }

    @Test func aCancelledPipelineLeavesNobodyWaiting() async throws {
        let (inside, gate) = (Occupancy(), Gate())
        let pipeline = Pipeline { (number: Int) in
            inside.enter()
            defer { inside.leave() }
            try await gate.pass()
            return number
        }
        .start()
        let sender = Task { for number in 0..<10 { try await pipeline.send(number) } }
        let receiver = Task { try await pipeline.receive() }
        try await eventually { inside.now == 1 }
        pipeline.cancel()
        await #expect(throws: CallError.self) { try await sender.value }
        await #expect(throws: CallError.self) { _ = try await receiver.value }
        try await eventually { inside.now == 0 }
    }

    @Test func sendersThatWaitForRoomAreServedOldestFirst() async throws {
        let machine = ChemicalMachine()
        let gate = Gate()
        let pipeline = machine.making {
            Pipeline { (number: Int) in
                try await gate.pass()
                return number
            }
            .start()
        }
        // One is in the stage, and one before it.
        for number in 0..<2 { try await pipeline.send(number) }
        var senders: [Task<Void, any Error>] = []
        for number in 2..<12 {
            senders.append(Task { try await pipeline.send(number) })
            try await machine.waits(for: number - 1)
        }
        gate.open()
        for number in 0..<12 { #expect(try await pipeline.receive() == number) }
        for sender in senders { try await sender.value }
    }

    @Test func cancelledSendersAndReceiversLoseNothingIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let pipeline = Pipeline(atMost: 2) { (number: Int) in
                await yield(number % 3)
                return number
            }
            .stage { $0 }
            .start()
            let (sent, received) = (Locked<[Int]>([]), Locked<[Int]>([]))
            let senders = (0..<12).map { number in
                Task {
                    try await pipeline.send(number)
                    sent.update { $0.append(number) }
                }
            }
            let receivers = (0..<6).map { _ in
                Task { if let number = try await pipeline.receive() { received.update { $0.append(number) } } }
            }
            for task in senders + receivers {
                await yield(Int.random(in: 0..<2, using: &random))
                if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
            }
            let rest = Task { try await self.all(pipeline) }
            for task in senders { _ = await task.result }
            try await pipeline.finish()
            for task in receivers { _ = await task.result }
            let all = try await rest.value + received.value
            #expect(all.sorted() == sent.value.sorted(), "seed \(seed)")
        }
    }

    @Test func stagesAndPipelinesWithoutRoomAreRefused() async throws {
        let stage = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Pipeline(atMost: 0) { (number: Int) in number }
        }
        #expect(text(stage).contains("a stage needs room for at least 1 value, not 0"))
        #expect(text(stage).contains("PipelineTests.swift"))
        let second = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Pipeline { (number: Int) in number }.stage(atMost: -1) { $0 }
        }
        #expect(text(second).contains("a stage needs room for at least 1 value, not -1"))
        #expect(text(second).contains("PipelineTests.swift"))
        let capacity = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Pipeline { (number: Int) in number }.start(capacity: 0)
        }
        #expect(text(capacity).contains("a pipeline needs room for at least 1 value, not 0"))
    }

    // MARK: Fork and join

    private func sum(_ numbers: Range<Int>, seed: UInt64 = 1) async throws -> [Int] {
        try await forkJoin(
            numbers,
            configuration: .init(seed: seed),
            split: { range in
                if range.count <= 3 { return [] }
                let third = range.count / 3
                return [
                    range.lowerBound..<range.lowerBound + third,
                    range.lowerBound + third..<range.lowerBound + 2 * third,
                    range.lowerBound + 2 * third..<range.upperBound,
                ]
            },
            solve: { Array($0) },
            join: { $0.flatMap(\.self) }
        )
    }

    @Test func solutionsAreJoinedInTheOrderOfTheParts() async throws {
        #expect(try await sum(0..<1) == [0])
        #expect(try await sum(0..<10_000) == Array(0..<10_000))
    }

    @Test func theFirstErrorOfAnyClosureIsThrown() async throws {
        await #expect(throws: Mishap.self) {
            try await forkJoin(8, split: { _ in throw Mishap() }, solve: { $0 }, join: { $0.reduce(0, +) })
        }
        await #expect(throws: Mishap.self) {
            try await forkJoin(
                8,
                split: { $0 > 1 ? [$0 / 2, $0 / 2] : [] },
                solve: { _ in throw Mishap() },
                join: { $0.reduce(0, +) }
            )
        }
        await #expect(throws: Mishap.self) {
            try await forkJoin(
                8,
                split: { $0 > 1 ? [$0 / 2, $0 / 2] : [] },
                solve: { $0 },
                join: { _ in throw Mishap() }
            )
        }
    }

    @Test func forksAreCancelledWithTheirTaskIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let task = Task { try await sum(0..<100, seed: seed) }
            await yield(Int(seed % 10))
            task.cancel()
            switch await task.result {
            case .success(let numbers): #expect(numbers == Array(0..<100), "seed \(seed)")
            case .failure(let error): #expect(error is CancellationError, "seed \(seed)")
            }
        }
    }
}
