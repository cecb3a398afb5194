public import ChemActors
import Hummingbird
public import Logging
public import ServiceLifecycle

/// A small service: rooms to talk in, a weather board, and jobs.
public struct Plaza: Sendable {
    /// Where the weather comes from. It answers with nil for a place that it doesn't know.
    public typealias WeatherSource = @concurrent @Sendable (_ city: String) async throws -> Forecast?
    /// What a job does with its number.
    public typealias Work = @concurrent @Sendable (Int) async throws -> Int

    let machine: ChemicalMachine
    let limits: Limits
    let rooms: Rooms
    let weather: Cache<Forecast?>
    let jobs: JobQueue

    /// Makes the chemistry of the service.
    ///
    /// - Parameters:
    ///   - machine: Where it runs. Everything that bodies make runs there too.
    ///   - limits: How much of everything there may be.
    ///   - now: Tells the time by which forecasts expire and empty rooms go.
    ///   - weatherSource: Asked for a forecast that isn't known, once at a time for each city.
    ///   - work: What a job does with its number; tried again if it throws.
    public init(
        on machine: ChemicalMachine,
        limits: Limits = Limits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        weatherSource: @escaping WeatherSource,
        work: @escaping Work
    ) {
        self.machine = machine
        self.limits = limits
        rooms = machine.make(Rooms(limits, now: now))
        weather = machine.make(Cache(limits, now: now, load: weatherSource))
        jobs = machine.make(JobQueue(limits, work: work))
    }

    // snippet.server
    /// The HTTP server. Put it behind the machine in a group of services: then it is shut down first.
    ///
    /// - Parameters:
    ///   - host: The address at which it listens.
    ///   - port: The port at which it listens; zero for any that is free.
    ///   - logger: Where the server logs.
    ///   - onRunning: Told the port, once requests are answered.
    /// - Returns: the server.
    public func server(
        host: String = "127.0.0.1",
        port: Int,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some Service {
        let router = Router(context: PlazaContext.self)
        router.add(middleware: ErrorAnswers())
        addRoutes(to: router)
        return Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }
    // snippet.end
}

/// What the weather will be.
public struct Forecast: Codable, Hashable, Sendable {
    /// Where it will be so.
    public let city: String
    /// The temperature.
    public let celsius: Int

    /// Creates a forecast.
    ///
    /// - Parameters:
    ///   - city: Where it will be so.
    ///   - celsius: The temperature.
    public init(city: String, celsius: Int) {
        self.city = city
        self.celsius = celsius
    }
}
