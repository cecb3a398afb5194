import Foundation
import Testing

@testable import Plaza

/// With the program itself.
@Suite(.timeLimit(.minutes(20)))
struct ProgramTests {
    private struct Client {
        let port: Int

        func ask(_ path: String, post body: String? = nil) async throws -> Answer {
            try await Connection.open(port) { connection in try await connection.ask(path, post: body) }
        }
    }

    /// Elsewhere the process of the tests isn't that of a file beside the programs.
    private static var isBesidePrograms: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    @Test(.enabled(if: isBesidePrograms)) func onSIGTERMItFinishesItsJobsAndEndsWell() async throws {
        let log = FileManager.default.temporaryDirectory.appending(path: "plaza-\(UUID().uuidString).log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let output = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "plaza-server")
        process.arguments = ["0"]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        defer { if process.isRunning { process.terminate() } }

        var port: Int?
        try await until {
            port = try String(contentsOf: log, encoding: .utf8).firstMatch(of: /http:\/\/127.0.0.1:(\d+)\n/)
                .flatMap { Int($0.1) }
            return port != nil || !process.isRunning
        }
        let client = Client(port: try #require(port))
        #expect(try await client.ask("/weather/Lima").status == 200)
        #expect(try await client.ask("/weather/123").status == 404)
        let numbers = 100_001...100_040
        for number in numbers {
            #expect(try await client.ask("/jobs", post: #"{"below":\#(number)}"#).status == 202)
        }
        process.terminate()
        try await until { !process.isRunning }
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(text.matches(of: /primes below (\d+)/).compactMap { Int($0.1) }.sorted() == Array(numbers))
        await #expect(throws: NoAnswer.self) { try await client.ask("/health") }
    }
}
