public import ChemActors
public import ServiceLifecycle

/// Runs a machine as one of the services of an application, and has it finish its work when that is shut down.
///
/// ```swift
/// let machine = MachineService(ChemicalMachine.shared)
/// try await ServiceGroup(services: [machine, server], logger: logger).run()
/// ```
///
/// Services are shut down in reverse order: put the machine before those that give it work. When its turn comes, nobody
/// asks any more. Then it lets everything happen that is possible, waits for all bodies, deactivates its definitions,
/// and returns. Calls from outside of bodies that nobody can answer don't hold it up: they end with an error. A body
/// that waits in such a call does, and so does what a pause holds up: set `maximumGracefulShutdownDuration`.
///
/// If the task of the service is cancelled, bodies are cancelled too, and it returns when they have ended. A group does
/// this if another service has failed, or if the shutdown takes longer than `maximumGracefulShutdownDuration`.
public struct MachineService: Service {
    private let machine: ChemicalMachine

    /// Creates a service, which keeps the machine alive.
    ///
    /// - Parameter machine: What is shut down with the application. Its reactions run before ``run()`` too.
    public init(_ machine: ChemicalMachine) { self.machine = machine }

    /// Returns when the application is shut down, and the machine is quiet.
    public func run() async {
        do {
            try await gracefulShutdown()
            try await machine.quiescence()
        } catch {
            // Cancelled, before or while it drains: what still runs is cancelled by the deactivation.
        }
        // As the machine's own `run()` ends: what bodies make on their way to the end doesn't begin. In a task of its
        // own, so that bodies end before the service does, whether its own task is cancelled or not.
        let end = Task { [machine] in try await machine.run() }
        end.cancel()
        _ = await end.result
    }
}
