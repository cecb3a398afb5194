import ChemActors
import ChemServices
import Foundation
import Logging
import Recipes
import ServiceLifecycle
import Synchronization
import Testing

@testable import Plaza

/// A plaza that is served at a port of its own.
struct Served: Sendable {
    let plaza: Plaza
    let port: Int
    let group: ServiceGroup

    /// Serves during `body`, and then shuts down; looks whether all is well in the end. `closing` is done when the
    /// server has been shut down, and the machine not yet.
    static func run<Result: Sendable>(
        limits: Limits = Limits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        weather: @escaping Plaza.WeatherSource = { city in Forecast(city: city, celsius: city.count) },
        work: @escaping Plaza.Work = { number in number * 2 },
        closing: @escaping @Sendable (Plaza) async throws -> Void = { _ in },
        _ body: @Sendable (Served) async throws -> Result
    ) async throws -> Result {
        let mishaps = Mutex<[String]>([])
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { event in
                if case .failedReaction = event.kind { return }  // jobs that fail on purpose
                if event.isMishap { mishaps.withLock { $0.append("\(event)") } }
            })
        )
        let plaza = Plaza(on: machine, limits: limits, now: now, weatherSource: weather, work: work)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let port = JoinPromise<Int>()
        let server = plaza.server(port: 0, logger: logger) { number in port.fulfill(number) }
        let services: [any Service] = [MachineService(machine), Closing { try await closing(plaza) }, server]
        let group = ServiceGroup(services: services, logger: logger)
        async let running: Void = group.run()
        let result: Result
        do {
            result = try await body(Served(plaza: plaza, port: port.future.value(), group: group))
        } catch {
            await group.triggerGracefulShutdown()
            try await running
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running
        #expect(machine.census().waitingCalls == 0)
        #expect(machine.census().running == 0)
        #expect(mishaps.withLock(\.self) == [])
        return result
    }

    /// Asks over a connection for this question alone.
    func ask(_ path: String, post body: String? = nil) async throws -> Answer {
        try await Connection.open(port) { connection in try await connection.ask(path, post: body) }
    }

    func say(_ text: String, in room: String) async throws -> Answer {
        try await ask("/rooms/\(room)/messages", post: #"{"author":"Ada","text":"\#(text)"}"#)
    }

    /// Posts a job.
    func order(_ number: Int) async throws -> Answer { try await ask("/jobs", post: #"{"below":\#(number)}"#) }

    /// Waits until so many calls wait.
    func waitingCalls(_ count: Int) async throws {
        try await until { plaza.machine.census().waitingCalls == count }
    }
}

/// What the service answers about messages.
struct Messages: Decodable {
    let messages: [Message]
    let next: Int
}

/// Does something when the services behind it have ended.
private struct Closing: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await gracefulShutdown()
        try await body()
    }
}

/// Waits until something is so. Ends with an error if it takes longer than the test may.
func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A number that several tasks count up.
final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add(_ more: Int = 1) -> Int { number.add(more, ordering: .sequentiallyConsistent).newValue }
}
