import ChemActors
import TestSupport
import Testing

/// Callers that run what is possible before they wait.
@Suite("Callers that help")
struct HelpingTests {
    /// What a body has seen of whoever ran it.
    private struct Sight: Sendable {
        var caller = ContextTests.caller
        var isCancelled = Task.isCancelled
        var priority = Task.currentPriority
    }

    /// How a question is asked: by an injection and a call, or by an injection whose worker the asker is, and a call.
    enum Way: CaseIterable {
        case oneAfterTheOther, atOnce
    }

    private func ask(
        _ way: Way,
        _ question: SlowMolecule<Int>,
        _ answer: FastMolecule<Void, Int>,
        in definition: Join,
        _ number: Int
    ) async throws -> Int {
        switch way {
        case .oneAfterTheOther:
            question(number)
            return try await answer()
        case .atOnce:
            _ = definition.work(for: Asker(isSettled: false), holdsActor: false) { question(number) }
            return try await answer()
        }
    }

    @Test(
        "What a caller has injected before it waits doesn't see the caller, whoever runs it",
        .endsInTime,
        arguments: Way.allCases
    )
    func contextIsHidden(way: Way) async throws {
        let seen = Shared<[Sight]>([])
        let (question, answer, definition) = Join.define("asker") { join in
            let question = join.slow("question", of: Int.self)
            let found = join.slow("found", of: Int.self)
            let answer = join.fast("answer", returning: Int.self)
            join.when(question) { number in
                withUnsafeCurrentTask { $0?.cancel() }  // Cancels whatever task this is: none that calls.
                seen.update { $0.append(Sight()) }
                found(2 * number)
            }
            join.when(answer, found) { reply, number in reply(number) }
            return (question, answer, join.definition)
        }
        let rounds = 500
        try await Task(priority: .background) {
            try await ContextTests.$caller.withValue("me") {
                for number in 0..<rounds {
                    let double = try await ask(way, question, answer, in: definition, number)
                    #expect(double == 2 * number)
                    #expect(!Task.isCancelled)
                }
            }
        }.value
        #expect(seen.value.count == rounds)
        #expect(seen.value.allSatisfy { $0.caller == "nobody" && $0.priority != .background })
    }

    @Test(
        "A caller that helps isn't kept by what others do in its definition",
        .endsInTime,
        arguments: Way.allCases
    )
    func othersDoNotKeepTheCaller(way: Way) async throws {
        let (question, answer, definition) = Join.define("busy") { join in
            let question = join.slow("question", of: Int.self)
            let found = join.slow("found", of: Int.self)
            let answer = join.fast("answer", returning: Int.self)
            // Never ends by itself.
            let tick = join.slow("tick")
            join.when(tick) { _ in tick() }
            join.when(question) { number in found(number) }
            join.answer(answer, with: found) { _, number in number }
            tick()
            return (question, answer, join.definition)
        }
        for number in 0..<200 {
            let same = try await ask(way, question, answer, in: definition, number)
            #expect(same == number)
        }
        definition.deactivate()
        try await definition.quiescence()
    }

    @Test(
        "A body known to be long is left to a worker, and the caller only waits",
        .endsInTime,
        .blocksThreads,
        arguments: Way.allCases
    )
    func longBodiesAreLeft(way: Way) async throws {
        let (isInside, mayEnd) = (Signal(), Door())
        let (question, answer, slowly, definition) = Join.define("long") { join in
            let question = join.slow("question", of: Int.self)
            let answer = join.fast("answer", returning: Int.self)
            let slowly = join.slow("slowly", of: Bool.self)
            join.when(slowly) { blocks in
                let end = ContinuousClock.now + .milliseconds(1)
                while ContinuousClock.now < end {}
                if blocks {
                    isInside.send()
                    _ = mayEnd.wait()
                }
            }
            join.answer(answer, with: question) { _, number in number }
            return (question, answer, slowly, join.definition)
        }
        // The first run shows how long the body is.
        slowly(false)
        try await definition.quiescence()
        for number in 0..<20 {
            slowly(number == 19)
            let same = try await ask(way, question, answer, in: definition, number)
            #expect(same == number)
        }
        await isInside.wait()
        mayEnd.open()
        try await definition.quiescence()
    }

    @Test("A caller has its answer at once if a body that was short is long now", .endsInTime, .blocksThreads)
    func answersComeAtOnce() async throws {
        let (isSlow, mayEnd) = (Shared(false), Door())
        let (ask, definition) = Join.define("asked") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.when(ask) { reply in
                reply(1)
                if isSlow.value { _ = mayEnd.wait() }
            }
            return (ask, join.definition)
        }
        _ = try await ask()
        try await definition.quiescence()
        isSlow.update { $0 = true }
        let answer = try await ask()
        #expect(answer == 1)
        mayEnd.open()
        try await definition.quiescence()
    }

    @Test("A body that has kept one caller keeps none of the next", .endsInTime, .blocksThreads)
    func keepsOnlyOne() async throws {
        let (isLong, isSlow, mayEnd) = (Shared(false), Shared(false), Door())
        let (ask, definition) = Join.define("asked") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.when(ask) { reply in
                // Before the answer, after which the next call may come.
                let waits = isSlow.value
                reply(1)
                if waits { _ = mayEnd.wait() }
                if isLong.value {
                    let end = ContinuousClock.now + .milliseconds(1)
                    while ContinuousClock.now < end {}
                }
            }
            return (ask, join.definition)
        }
        for _ in 0..<200 { _ = try await ask() }
        isLong.update { $0 = true }
        // Long enough for a worker to look how long it takes, whoever runs it.
        for _ in 0..<200 { _ = try await ask() }
        try await definition.quiescence()
        isLong.update { $0 = false }
        // It was short often enough once, but not since it has kept somebody.
        for _ in 0..<40 { _ = try await ask() }
        isSlow.update { $0 = true }
        let answer = try await ask()
        #expect(answer == 1)
        mayEnd.open()
        try await definition.quiescence()
    }

    private actor Busy {
        private(set) var ticks = 0

        func tick() { ticks += 1 }

        func call(_ ask: FastMolecule<Void, Int>) async throws -> Int { try await ask() }
    }

    /// Who has to do with the call of an actor: its own answer, or what is injected before.
    enum Body: CaseIterable {
        case asynchronousAnswer, synchronousReply, before
    }

    @Test(
        "While a body runs, others get into the actor that waits for it",
        .endsInTime,
        .blocksThreads,
        arguments: Body.allCases
    )
    func actorsAreFree(body: Body) async throws {
        let (isSlow, isInside, mayEnd) = (Shared(false), Signal(), Door())
        @Sendable func takeTime() {
            guard isSlow.value else { return }
            isInside.send()
            _ = mayEnd.wait()
        }
        let (job, ask, definition) = Join.define("asked") { join in
            let job = join.slow("job")
            let ask = join.fast("ask", returning: Int.self)
            switch body {
            case .asynchronousAnswer:
                join.answer(ask) { _ async in
                    takeTime()
                    return 1
                }
            case .synchronousReply:
                join.when(ask) { reply in
                    takeTime()
                    reply(1)
                }
            case .before:
                let done = join.slow("done")
                join.when(job) { _ in
                    takeTime()
                    done()
                }
                join.answer(ask, with: done) { _, _ in 1 }
            }
            if body != .before { join.when(job) { _ in } }
            return (job, ask, join.definition)
        }
        let busy = Busy()
        for _ in 0..<200 {
            if body == .before { job() }
            _ = try await busy.call(ask)
        }
        isSlow.update { $0 = true }
        if body == .before { job() }
        let call = Task { try await busy.call(ask) }
        await isInside.wait()
        await busy.tick()
        mayEnd.open()
        let answer = try await call.value
        #expect(answer == 1)
        #expect(await busy.ticks == 1)
        try await definition.quiescence()
    }

    /// Where the molecule belongs that is injected with a call.
    enum Home: CaseIterable {
        case sameDefinition, another
    }

    @Test(
        "Whatever is asked at once is answered once, by many and with cancellation, and what is injected with it arrives",
        .endsInTime,
        arguments: 1...10,
        Home.allCases
    )
    func storm(seed: UInt64, home: Home) async throws {
        let handled = Shared(0)
        func addNotes(to join: inout Join.Builder) -> (SlowMolecule<Void>, FastMolecule<Void, Int>, Join) {
            let note = join.slow("note")
            let noted = join.fast("noted", returning: Int.self)
            let count = join.state("count", 0)
            join.when(note, updating: count) { count, _ in count += 1 }
            join.answer(noted, reading: count) { count, _ in count }
            return (note, noted, join.definition)
        }
        let elsewhere = Join.define("notes") { join in addNotes(to: &join) }
        let (ask, own) = Join.define("asker") { join in
            let question = join.slow("question", of: Reply<Int, Int>.self)
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            join.when(ask) { reply in question(reply) }
            join.when(question) { reply in
                handled.update { $0 += 1 }
                reply(reply.value + 1)
            }
            return (ask, Notes(addNotes(to: &join)))
        }
        let (note, noted, definition) = home == .another ? elsewhere : own.all
        let (tasks, rounds) = (8, heavy(1_000, debug: 100))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<tasks {
                group.addTask {
                    var random = SplitMix(state: seed &* 31 &+ UInt64(index))
                    var answered = 0
                    for number in 0..<rounds {
                        let asker = Asker(isSettled: random.next() % 2 == 0)
                        let isOther = random.next() % 4 == 0
                        let task = Task {
                            _ = (isOther ? elsewhere.2 : definition).work(for: asker, holdsActor: false) { note() }
                            return try await ask(number)
                        }
                        if random.next() % 4 == 0 { task.cancel() }
                        switch await task.result {
                        case .success(let answer):
                            #expect(answer == number + 1)
                            answered += 1
                        case .failure(let error): #expect(error is CancellationError)
                        }
                    }
                    return answered
                }
            }
            let answered = try await group.reduce(0, +)
            try await own.all.2.quiescence()
            #expect(handled.value >= answered, "seed \(seed)")
        }
        try await definition.quiescence()
        let count = try await noted()
        #expect(count == tasks * rounds, "seed \(seed)")
    }

    /// Whoever has what it waits for from the beginning leaves all work to others.
    private final class Asker: Beneficiary, Sendable {
        let isSettled: Bool

        init(isSettled: Bool) { self.isSettled = isSettled }
    }

    private struct Notes: Exportable {
        var all: (SlowMolecule<Void>, FastMolecule<Void, Int>, Join)

        init(_ all: (SlowMolecule<Void>, FastMolecule<Void, Int>, Join)) { self.all = all }

        var exported: Notes { Notes((all.0.exported, all.1.exported, all.2)) }
    }
}
