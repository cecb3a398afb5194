/// How much of everything there may be.
public struct Limits: Sendable {
    /// How many rooms there may be.
    public var rooms = 1000
    /// How many messages a room keeps.
    public var messagesInRoom = 100
    /// How long a room without visitors keeps its messages.
    public var emptyRoom = Duration.seconds(3600)
    /// How many characters a message or a name may have.
    public var characters = 1000
    /// How many forecasts are kept.
    public var forecasts = 1000
    /// How long a forecast is kept.
    public var forecastLifetime = Duration.seconds(300)
    /// How long a client waits for a forecast.
    public var forecastWait = Duration.seconds(10)
    /// How long a forecast may take to load.
    public var forecastLoad = Duration.seconds(60)
    /// How many jobs run at a time.
    public var workers = 2
    /// How many jobs may wait.
    public var waitingJobs = 100
    /// How many jobs that have ended are remembered.
    public var endedJobs = 1000
    /// How often a job that fails is tried again.
    public var attempts = 3
    /// How long it waits before it is tried again; twice as long each time.
    public var backOff = Duration.milliseconds(100)
    /// The greatest number that a job may have.
    public var greatestJob = 10_000_000

    /// Those of a small service.
    public init() {}
}
