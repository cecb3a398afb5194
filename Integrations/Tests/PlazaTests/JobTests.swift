import ChemActors
import Recipes
import Testing

@testable import Plaza

@Suite(.timeLimit(.minutes(20)))
struct JobTests {
    private struct Broken: Error {}

    @Test func aJobIsAcceptedAndDone() async throws {
        try await Served.run { served in
            let answer = try await served.order(21)
            #expect(answer.status == 202)
            #expect(answer.header("Location") == "/jobs/1")
            #expect(try answer.decoded() == Job(id: 1, state: .waiting))
            let end = try await served.ask("/jobs/1?wait=60")
            #expect(try end.decoded() == Job(id: 1, state: .done, result: 42))
            #expect(try await served.ask("/jobs/1").decoded() == Job(id: 1, state: .done, result: 42))
        }
    }

    @Test func whatDoesNotFitIsRefusedUntilThereIsRoom() async throws {
        var limits = Limits()
        (limits.workers, limits.waitingJobs) = (1, 2)
        let (begun, gate) = (Count(), Latch(count: 1))
        let work: Plaza.Work = { number in
            begun.add()
            try await gate.wait()
            return number
        }
        try await Served.run(limits: limits, work: work) { served in
            #expect(try await served.order(0).status == 202)
            try await until { begun.value == 1 }
            for number in 1...2 { #expect(try await served.order(number).status == 202) }
            let refused = try await served.order(3)
            #expect(refused.status == 503)
            #expect(refused.header("Retry-After") == "1")
            #expect(refused.error == "too many jobs wait")
            #expect(try await served.ask("/jobs/1").decoded() == Job(id: 1, state: .running))
            #expect(try await served.ask("/jobs/3").decoded() == Job(id: 3, state: .waiting))
            #expect(try await served.ask("/jobs/3?wait=1").decoded() == Job(id: 3, state: .waiting))
            #expect(try await served.ask("/jobs/4").status == 404)
            gate.countDown()
            #expect(try await served.ask("/jobs/3?wait=60").decoded() == Job(id: 3, state: .done, result: 2))
            #expect(try await served.order(3).decoded() == Job(id: 4, state: .waiting))
        }
    }

    @Test func whatFailsIsTriedAgain() async throws {
        var limits = Limits()
        (limits.attempts, limits.backOff) = (2, .milliseconds(1))
        let attempts = Count()
        let work: Plaza.Work = { number in
            if attempts.add() <= number { throw Broken() }
            return number
        }
        try await Served.run(limits: limits, work: work) { served in
            _ = try await served.order(2)
            #expect(try await served.ask("/jobs/1?wait=60").decoded() == Job(id: 1, state: .done, result: 2))
            _ = try await served.order(100)
            let failed: Job = try await served.ask("/jobs/2?wait=60").decoded()
            #expect(failed == Job(id: 2, state: .failed, error: "Broken()"))
            #expect(attempts.value == 6)
        }
    }

    @Test func aClientThatIsGoneDoesNotWait() async throws {
        let gate = Latch(count: 1)
        let work: Plaza.Work = { number in
            try await gate.wait()
            return number
        }
        try await Served.run(work: work) { served in
            _ = try await served.order(1)
            let client = Task { try await served.ask("/jobs/1?wait=60") }
            try await served.waitingCalls(1)
            client.cancel()
            try await served.waitingCalls(0)
            gate.countDown()
            #expect(try await served.ask("/jobs/1?wait=60").decoded() == Job(id: 1, state: .done, result: 1))
        }
    }

    @Test func onlyTheLastJobsAreRemembered() async throws {
        var limits = Limits()
        limits.endedJobs = 2
        try await Served.run(limits: limits) { served in
            for number in 1...3 {
                _ = try await served.order(number)
                #expect(try await served.ask("/jobs/\(number)?wait=60").decoded(as: Job.self).state == .done)
            }
            #expect(try await served.ask("/jobs/1").status == 404)
            #expect(try await served.ask("/jobs/2").status == 200)
        }
    }
}
