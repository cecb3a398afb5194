import ChemBase

extension ChemicalMachine {
    /// Says how the ``shared`` machine runs: who hears of mishaps, what is recorded, how long calls may wait.
    ///
    /// ```swift
    /// @main struct Server {
    ///     static func main() async throws {
    ///         ChemicalMachine.bootstrap(ChemicalMachine.Configuration(
    ///             reporter: { event in logger.warning("\(event)") },
    ///             patience: .seconds(30),
    ///             recorder: .flight
    ///         ))
    ///         …
    ///     }
    /// }
    /// ```
    ///
    /// For the beginning of a program. The program stops with a message if the machine is in use already, or if this is
    /// the second time: part of its chemistry would run otherwise than it says. A library leaves it to the program.
    ///
    /// - Parameters:
    ///   - configuration: How the shared machine runs.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public static func bootstrap(
        _ configuration: Configuration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let location = SourceLocation(fileID: fileID, line: line)
        guard let mistake = Bootstrap.shared.withLock({ $0.set(configuration, at: location) }) else { return }
        fatalError("ChemActors: \(mistake) (\(location))", file: fileID, line: line)
    }
}

extension ChemicalMachine {
    /// The machine on which `Join.define` and `Join.make` make definitions here: that of the body that is running, of
    /// the scope or the explored test around, or else ``shared``.
    ///
    /// ```swift
    /// let counter = Join.make(Counter())
    /// counter.increment()
    /// try await ChemicalMachine.current.quiescence()
    /// ```
    public static var current: ChemicalMachine { Join.currentMachine }

    /// Runs `operation` with this as the machine on which `Join.define` and `Join.make` make definitions, also those of
    /// the library's objects.
    ///
    /// ```swift
    /// let pages = await machine.asCurrent { JoinChannel<Page>(capacity: 16) }
    /// ```
    ///
    /// It is so in `operation`, in the child tasks that it starts and in those of `Task { }`, but not in the bodies of
    /// reactions: these have the machine of their definition.
    ///
    /// - Parameter operation: What to run, in the current task.
    /// - Returns: what `operation` returns.
    /// - Throws: what `operation` throws.
    nonisolated(nonsending) public func asCurrent<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$surrounding.withValue(Entry(self), operation: operation)
    }
}

/// The configuration of the shared machine, until that takes it.
struct Bootstrap {
    static let shared = Guarded(Bootstrap())

    private var configuration: ChemicalMachine.Configuration?
    /// Where it was said.
    private var location: SourceLocation?
    private var isTaken = false

    /// Returns what is wrong, or nil.
    mutating func set(_ configuration: ChemicalMachine.Configuration, at location: SourceLocation) -> String? {
        if let first = self.location { return "bootstrap is called a second time, after \(first)" }
        if isTaken { return "bootstrap comes too late: the shared machine is in use already" }
        (self.configuration, self.location) = (configuration, location)
        return nil
    }

    mutating func take() -> ChemicalMachine.Configuration {
        isTaken = true
        return configuration ?? ChemicalMachine.Configuration()
    }
}
