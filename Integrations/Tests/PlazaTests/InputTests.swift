import Testing

@testable import Plaza

@Suite(.timeLimit(.minutes(20)))
struct InputTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let path: String
        var body: String?
        let status: Int
        let message: String

        var testDescription: String { "\(path) \(body?.prefix(20) ?? "")" }
    }

    static let all: [Bad] = [
        Bad(path: "/", status: 404, message: "nothing answers GET /"),
        Bad(path: "/jobs", status: 404, message: "nothing answers GET /jobs"),
        Bad(path: "/jobs/x", status: 400, message: "the number of a job is a whole number, not 'x'"),
        Bad(path: "/jobs/7", status: 404, message: "there is no job 7"),
        Bad(path: "/jobs/7?wait=61", status: 400, message: "'wait' must be a whole number, 0 to 60, not '61'"),
        Bad(
            path: "/rooms/tea/messages?from=0",
            status: 400,
            message: "'from' must be a whole number, at least 1, not '0'"
        ),
        Bad(
            path: "/rooms/tea/messages?wait=soon",
            status: 400,
            message: "'wait' must be a whole number, 0 to 60, not 'soon'"
        ),
        Bad(path: "/rooms/%FF/messages", status: 400, message: "a name has 1 to 1000 characters, not '%FF'"),
        Bad(path: "/jobs", body: #"{"below":-1}"#, status: 422, message: "'below' must be 0 to 10000000"),
        Bad(
            path: "/jobs",
            body: #"{"below":"x"}"#,
            status: 400,
            message: "Type mismatch for `below` key, expected `Int` type."
        ),
        Bad(path: "/jobs", body: "{}", status: 400, message: "Coding key `below` not found."),
        Bad(
            path: "/rooms/tea/messages",
            body: #"{"author":"","text":"x"}"#,
            status: 422,
            message: "'author' must have 1 to 1000 characters"
        ),
        Bad(
            path: "/jobs",
            body: String(repeating: " ", count: 20_000),
            status: 413,
            message: "a request has at most 16384 bytes"
        ),
        Bad(path: "/weather/Atlantis", status: 404, message: "there is no weather of Atlantis"),
    ]

    @Test(arguments: all) func badInputIsExplained(_ bad: Bad) async throws {
        let weather: Plaza.WeatherSource = { _ in nil }
        try await Served.run(weather: weather) { served in
            let answer = try await served.ask(bad.path, post: bad.body)
            #expect(answer.status == bad.status)
            #expect(answer.error == bad.message)
        }
    }

    @Test func healthAndWhatIsStuck() async throws {
        try await Served.run { served in
            let health = try await served.ask("/health")
            #expect(try health.decoded() == ["waitingCalls": 0, "runningBodies": 0, "failures": 0])
            let stuck = try await served.ask("/stuck")
            let lines = String(decoding: stuck.body, as: UTF8.self).split(separator: "\n")
            #expect(lines.first == "No call waits in a soup.")
            // The service has no recorder.
            #expect(lines.count == 2 && lines.last?.contains("CHEMACTORS_RECORDER") == true, "\(lines)")
        }
    }
}
