import ChemActors
import ChemTesting
import TestSupport
import Testing

/// What becomes of a call whose time is up when a reaction has taken it, in virtual time.
@Suite("A call that is answered late", .endsInTime)
struct LateAnswerTests {
    enum Kind: CaseIterable { case alone, withPartner, updating, afterWaiting, byReply }

    @Test("The caller waits for the body, which isn't cancelled", arguments: Kind.allCases)
    func waits(_ kind: Kind) async throws {
        try await explore(.exhaustive(sharing: .molecules)) { machine in
            let (work, start) = machine.define("work") { join in
                let work = join.fast("work", returning: Int.self)
                let inner = join.fast("inner", returning: Int.self)
                let start = join.slow("start")
                let clock = MachineClock()
                @Sendable func perform() async throws -> Int {
                    try await clock.sleep(for: .seconds(1))
                    try Task.checkCancellation()
                    return try await inner()
                }
                join.answer(inner) { _ in 7 }
                switch kind {
                case .alone: join.answer(work) { _ in try await perform() }
                case .afterWaiting: join.answer(work, with: start) { _, _ in try await perform() }
                case .withPartner:
                    let partner = join.slow("partner")
                    join.answer(work, with: partner) { _, _ in try await perform() }
                    partner()
                case .updating:
                    let count = join.state("count", 0)
                    join.answer(work, updating: count) { count, _ in
                        count = try await perform()
                        return count
                    }
                case .byReply:
                    join.when(work) { reply in
                        // Whoever has the reply is told, and may answer nevertheless.
                        let answer = try await perform()
                        reply(reply.isCancelled ? answer : -1)
                    }
                }
                if kind != .afterWaiting { join.when(start) { _ in } }
                return (work, start)
            }
            let clock = MachineClock()
            let begin = clock.now
            async let answer = work(within: .milliseconds(300))
            try await clock.sleep(for: .milliseconds(100))
            start()
            let result = try await answer
            #expect(result == 7)
            #expect(begin.duration(to: clock.now) == .milliseconds(kind == .afterWaiting ? 1_100 : 1_000))
        }
    }

    @Test("If the caller is cancelled after that, the body is, too")
    func cancelled() async throws {
        try await explore(.exhaustive(sharing: .tasks)) { machine in
            let clock = MachineClock()
            let work = machine.define("work") { join in
                let work = join.fast("work", returning: Int.self)
                join.answer(work) { _ in
                    try? await clock.sleep(for: .seconds(1))
                    return Task.isCancelled ? 1 : 0
                }
                return work
            }
            let begin = clock.now
            let task = Task { try await work(within: .milliseconds(300)) }
            try await clock.sleep(for: .milliseconds(600))
            task.cancel()
            #expect(try await task.value == 1)
            #expect(begin.duration(to: clock.now) == .milliseconds(600))
        }
    }

    @Test("Whoever keeps the reply is told when the time is up, once, and can end the call")
    func handler() async throws {
        try await explore(.exhaustive(sharing: .molecules)) { machine in
            let clock = MachineClock()
            let ask = machine.define("ask") { join in
                let ask = join.fast("ask", returning: Int.self)
                let leave = join.slow("leave")
                let kept = join.state("kept", [Reply<Void, Int>]())
                join.when(ask, updating: kept) { kept, reply in
                    kept.append(reply)
                    reply.onCancel { leave() }
                }
                join.when(leave, updating: kept) { kept, _ in kept.removeFirst()(7) }
                return ask
            }
            let begin = clock.now
            let answer = try await ask(within: .milliseconds(300))
            #expect(answer == 7)
            #expect(begin.duration(to: clock.now) == .milliseconds(300))
        }
    }
}
