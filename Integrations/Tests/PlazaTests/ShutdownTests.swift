import ChemActors
import Foundation
import NIOConcurrencyHelpers
import Recipes
import ServiceLifecycle
import Testing

@testable import Plaza

/// With the real group of services.
@Suite(.timeLimit(.minutes(20)))
struct ShutdownTests {
    @Test func aLongPollEndsWithAnAnswer() async throws {
        try await Served.run { served in
            async let messages = served.ask("/rooms/tea/messages?wait=60")
            try await served.waitingCalls(1)
            await served.group.triggerGracefulShutdown()
            let answer = try await messages
            #expect(answer.status == 200)
            #expect(try answer.decoded(as: Messages.self).messages.isEmpty)
        }
    }

    @Test func whatIsAcceptedIsDone() async throws {
        let (gate, done) = (Latch(count: 1), Count())
        let work: Plaza.Work = { number in
            try await gate.wait()
            return done.add()
        }
        let closing: @Sendable (Plaza) async throws -> Void = { _ in
            #expect(done.value == 0)  // the server has ended, and no job has
            gate.countDown()
        }
        try await Served.run(work: work, closing: closing) { served in
            for number in 1...20 { #expect(try await served.order(number).status == 202) }
            async let end = served.ask("/jobs/20?wait=60")
            try await served.waitingCalls(1)
            await served.group.triggerGracefulShutdown()
            #expect(try await end.decoded(as: Job.self).state == .waiting)
        }
        #expect(done.value == 20)
    }

    /// A request that has begun before the shutdown gets an answer, but a job that comes with it isn't accepted.
    @Test func nothingNewIsAccepted() async throws {
        let done = Count()
        let work: Plaza.Work = { _ in done.add() }
        // The server may not have seen the beginning of the request when it is shut down. Then it has ended the
        // connection.
        try await until {
            try await Served.run(work: work) { served in
                try await Connection.open(served.port) { connection in
                    _ = try await connection.ask("/health")
                    let body = #"{"below":1}"#
                    try await connection.sendHead("/jobs", post: body)
                    _ = try await served.ask("/health")
                    await served.group.triggerGracefulShutdown()
                    do {
                        // The server listens no more, so it knows.
                        try await until { await served.isRefused() }
                        try await connection.sendRest(body)
                        let answer = try await connection.answer()
                        #expect(answer.status == 503)
                        #expect(answer.error == "the service is shut down")
                        #expect(answer.header("Connection") == "close")
                        return true
                    } catch is CancellationError {
                        throw CancellationError()
                    } catch {
                        return false
                    }
                }
            }
        }
        #expect(done.value == 0)
    }

    /// Clients order jobs and talk as fast as they can, and in the midst of it the service is shut down.
    @Test(arguments: 0..<20) func nothingIsLostUnderLoad(_ seed: Int) async throws {
        var limits = Limits()
        (limits.messagesInRoom, limits.waitingJobs) = (.max, 1 + seed % 7)
        let load = Load()
        let runs = NIOLockedValueBox<[Int: Int]>([:])
        let work: Plaza.Work = { number in
            for _ in 0..<number % 5 { await Task.yield() }
            runs.withLockedValue { $0[number, default: 0] += 1 }
            return number
        }
        let kept = NIOLockedValueBox<[Message]>([])
        let closing: @Sendable (Plaza) async throws -> Void = { plaza in
            let messages = try await plaza.rooms.visit("tea") { room in try await room.read(1, within: .zero) }
            kept.withLockedValue { $0 = messages ?? [] }
        }
        try await Served.run(limits: limits, work: work, closing: closing) { served in
            try await withThrowingTaskGroup { group in
                for client in 1...4 {
                    group.addTask { try await load.order(client, served) }
                    group.addTask { try await load.talk(client, served) }
                }
                for _ in 1...2 { group.addTask { try await load.listen(served) } }
                try await until { load.accepted.count > 10 + seed * 5 && load.acknowledged.count > 10 }
                await served.group.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
        // Each job that was accepted has run once, and no other.
        #expect(runs.withLockedValue { $0 } == Dictionary(uniqueKeysWithValues: load.accepted.map { ($0, 1) }))
        // Each message that was acknowledged was kept in its place, and no other.
        let messages = kept.withLockedValue { $0 }
        #expect(messages.map(\.number) == Array(1...messages.count))
        #expect(messages == load.acknowledged.sorted { $0.number < $1.number })
        // Listeners have heard what was kept, in order, with no gap.
        for heard in load.heard { #expect(heard == Array(messages.prefix(heard.count))) }
        #expect(load.cut == 0)
    }
}

extension Served {
    /// Whether nobody listens any more.
    fileprivate func isRefused() async -> Bool {
        do {
            _ = try await ask("/health")
            return false
        } catch NoAnswer.refused {
            return true
        } catch {
            return false
        }
    }
}
