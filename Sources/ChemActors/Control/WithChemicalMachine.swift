import ChemBase
import Synchronization

/// Runs `body` with a machine of its own, and returns when all is quiet: structured concurrency for chemistry.
///
/// ```swift
/// let total = try await withChemicalMachine { _ in
///     let counter = JoinCounter()
///     for _ in 1...100 { counter.increment() }
///     …
/// }
/// ```
///
/// Every definition that is made inside, by `Join.define` in the closure, in its child tasks or in a body, belongs to
/// the machine. Its reactions behave as child tasks of the scope: they see the task-local values and the priority of
/// its entry, are cancelled with it, and are awaited. (`Task.detached` leaves the scope; `machine.define` places a
/// definition explicitly.)
///
/// The scope ends when the closure has returned and the machine is quiet. If every running body then waits in a call
/// that nothing can answer, those calls end with ``CallError/Code/neverAnswerable``. Afterwards all definitions are
/// deactivated, and replies that somebody has kept are revoked, so no caller is left waiting. A body that itself waits
/// for a reply which somebody keeps holds the scope: whoever has it may still answer.
///
/// The first error ends the scope: one that the closure throws, one that a body throws and no caller gets, other than
/// a `CancellationError`, or the cancellation of the task. All definitions are then deactivated: waiting calls get a
/// ``CallError``, and asynchronous bodies are cancelled. The closure isn't interrupted otherwise. It goes on until its
/// next call throws.
///
/// - Parameters:
///   - configuration: How the machine runs.
///   - body: The closure to run in the calling task. It runs on the machine's executor if there is one and the caller
///     is on no actor.
/// - Returns: what `body` returns.
/// - Throws: the first error.
nonisolated(nonsending)
    public func withChemicalMachine<Value>(
        _ configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        _ body: nonisolated(nonsending) (ChemicalMachine) async throws -> Value
    ) async throws -> Value
{
    try await withChemicalMachine(configuration, #isolation, body)
}

/// The closures capture the caller's `isolation`, and so run there too.
private func withChemicalMachine<Value>(
    _ configuration: ChemicalMachine.Configuration,
    _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) (ChemicalMachine) async throws -> Value
) async throws -> Value {
    var configuration = configuration
    // What happens in a scope belongs to the run in which it is entered, and is recorded if that is.
    let outer = Join.currentMachine.configuration
    if let control = outer.control {
        configuration.control = control
        if !configuration.recorder.isOn { configuration.recorder = outer.recorder }
    }
    let scope = MachineScope(isTimed: configuration.executor == nil)
    let machine = ChemicalMachine(configuration, scope: scope)
    return try await ChemicalMachine.$surrounding.withValue(ChemicalMachine.Entry(machine)) {
        _ = isolation
        let outcome = await withTaskGroup(of: Void.self) { group -> Result<Value, any Error> in
            _ = isolation
            group.addTask(executorPreference: configuration.executor, priority: configuration.priority) {
                [configuration] in await scope.workWithOthers(max(2, configuration.workerLimit), configuration)
            }
            let outcome: Result<Value, any Error>
            do {
                let value = try await withTaskCancellationHandler {
                    _ = isolation
                    let value = try await withTaskExecutorPreference(configuration.executor) {
                        _ = isolation
                        return try await body(machine)
                    }
                    await end(scope, machine)
                    return value
                } onCancel: {
                    Interleaving.whole { scope.fail(CancellationError(), machine) }
                }
                outcome = .success(value)
            } catch {
                scope.fail(error, machine)
                await end(scope, machine)
                outcome = .failure(error)
            }
            // What is dropped now may define something in its `deinit`, as may the reporter: that doesn't begin.
            scope.beginEnd()
            machine.deactivate()
            await machine.quiet()
            scope.close()
            await group.waitForAll()
            return outcome
        }
        if let error = scope.error { throw error }
        return try outcome.get()
    }
}

/// Waits until all is quiet after the closure has returned or thrown.
nonisolated(nonsending) private func end(_ scope: MachineScope, _ machine: ChemicalMachine) async {
    scope.markReturned()
    scope.checkForDeadlock(machine)
    await machine.quiet()
}

extension ChemicalMachine {
    /// Serves until the task is cancelled, then deactivates all definitions and returns when they are quiet.
    ///
    /// ```swift
    /// let machine = ChemicalMachine()
    /// let requests = machine.define("requests") { join in … }
    /// try await machine.run()
    /// ```
    ///
    /// Reactions run without it too: it waits, and then ends the machine in order. What is in the soups then is
    /// dropped, bodies are cancelled, and definitions that they make are deactivated from the start. It knows nothing
    /// of a graceful shutdown, such as that of swift-service-lifecycle, which asks a service to finish before it
    /// cancels anything: for that there is `MachineService`, in the package `Integrations`.
    nonisolated(nonsending) public func run() async throws {
        let (cancelled, cancel) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in cancelled {}
        } onCancel: {
            cancel.finish()
        }
        // Definitions that bodies make on their way to the end don't begin.
        ending.add(1, ordering: .acquiringAndReleasing)
        defer { ending.subtract(1, ordering: .acquiringAndReleasing) }
        deactivate()
        await quiet()
    }
}
