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
    /// - Parameter configuration: How the shared machine runs.
    public static func bootstrap(_ configuration: Configuration) {
        if let mistake = Bootstrap.shared.set(configuration) { fatalError("ChemActors: \(mistake)") }
    }
}

/// The configuration of the shared machine, until that takes it.
final class Bootstrap: @unchecked Sendable {
    // Checked by hand: everything is touched under `lock`.
    static let shared = Bootstrap()

    private let lock = Lock()
    private var configuration: ChemicalMachine.Configuration?
    private var isTaken = false

    /// Returns what is wrong, or nil.
    func set(_ configuration: ChemicalMachine.Configuration) -> String? {
        lock.withLock {
            if isTaken { return "bootstrap comes too late: the shared machine is in use already" }
            if self.configuration != nil { return "bootstrap is called a second time" }
            self.configuration = configuration
            return nil
        }
    }

    func take() -> ChemicalMachine.Configuration {
        lock.withLock {
            isTaken = true
            return configuration ?? ChemicalMachine.Configuration()
        }
    }
}
