import ChemActors
import ChemLogging
import Logging
import Synchronization
import Testing

/// Keeps what is logged.
final class Log: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let text: String
        let metadata: Logger.Metadata
    }

    private let all = Mutex<[Line]>([])

    var lines: [Line] { all.withLock(\.self) }

    func add(_ line: Line) { all.withLock { $0.append(line) } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: Log
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.add(Line(level: event.level, text: "\(event.message)", metadata: event.metadata ?? [:]))
        }
    }
}

@Suite(.timeLimit(.minutes(20)))
struct LoggingTests {
    struct Flaw: Error {}

    @Test func anErrorThatNobodyGetsIsLoggedWithItsPlace() async throws {
        let log = Log()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: ChemicalEvent.log(to: log.logger), recorder: .flight)
        )
        let fail = machine.define("fragile") { join in
            let fail = join.slow("fail")
            join.when(fail) { _ in throw Flaw() }
            return fail
        }
        fail()
        try await machine.quiescence()
        let line = try #require(log.lines.first)
        #expect(log.lines.count == 1)
        #expect(line.level == .error)
        #expect(line.metadata["definition"] == "fragile")
        #expect(line.metadata["kind"] == "failedReaction")
        #expect(line.metadata["reaction"] == "fail")
        #expect(line.metadata["error"] == "Flaw()")
        let location = try #require(line.metadata["location"])
        #expect("\(location)".contains("LoggingTests.swift:"))
        #expect(line.metadata["lastEvents"] != nil)
    }

    @Test func whatWasWantedIsNoMoreThanDebug() async throws {
        let log = Log()
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: ChemicalEvent.log(to: log.logger)))
        let (put, definition) = machine.define("box") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.slow("take"))
            join.when(put, take) { _, _ in }
            return (put, join.definition)
        }
        put.inject(contentsOf: [1, 2, 3])
        definition.clear()
        let line = try #require(log.lines.first)
        #expect(line.level == .debug)
        #expect(line.metadata["kind"] == "dropped")
        #expect(line.metadata["molecule"] == "put")
        #expect(line.metadata["count"] == "3")
        withExtendedLifetime(put) {}
    }

    @Test func stuckCallsAreLoggedWithWhatTheyComeFrom() async throws {
        let log = Log()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .flight)
        )
        let (put, take) = machine.define("box") { join in
            let (put, take) = (join.slow("put"), join.fast("take"))
            join.answer(take, with: put) { _, _ in }
            return (put, take)
        }
        let waiting = Task { try await take() }
        while machine.logStuckCalls(after: .zero, to: log.logger) == 0 { await Task.yield() }
        let line = try #require(log.lines.first)
        #expect(line.level == .warning)
        #expect(line.text.hasPrefix("box.take waits: nobody has injected 'put'"))
        #expect(line.metadata["call"] == "box.take")
        put()
        try await waiting.value
    }
}
