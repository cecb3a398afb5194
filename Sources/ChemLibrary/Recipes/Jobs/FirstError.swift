public import ChemActors
import ChemBase

/// The first error of a run of jobs, which ends the scope in which they run.
///
/// Whoever fails ends the run itself. If it sent the error to the caller instead, jobs would begin until the caller has
/// been resumed.
@usableFromInline
final class FirstError: Sendable {
    private let machine: ChemicalMachine
    private let first = Guarded<(any Error)?>(nil)

    /// Nothing has failed yet.
    @usableFromInline
    init(ending machine: ChemicalMachine) {
        self.machine = machine
    }

    /// Ends the run with `error`, unless it has ended: nothing more begins.
    @usableFromInline
    func end(with error: any Error) {
        first.withLock { if $0 == nil { $0 = error } }
        machine.deactivate()
    }

    /// What the caller throws for the `error` of its call, which has ended because something failed, or for itself.
    @usableFromInline
    func reason(for error: any Error) -> any Error {
        first.withLock { $0 } ?? error
    }
}
