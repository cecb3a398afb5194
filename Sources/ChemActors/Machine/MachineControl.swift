/// Who decides in place of chance, the clock and the scheduler, so that what a machine does can be explored and
/// repeated. `ChemTesting` has one.
///
/// A machine that is controlled has an executor, too: that of the control. So its tasks are jobs of that executor, its
/// workers aren't tasks but steps, and its deadlines pass when the control lets them.
package protocol MachineControl: AnyObject, Sendable {
    /// One of so many possibilities, of which there are two or more. Called in the soup: it must not use the machine.
    func choose(_ count: Int) -> Int

    /// The time.
    var now: ContinuousClock.Instant { get }

    /// `step` has to be taken, once. Called outside of the soup.
    func ready(_ step: MachineStep)

    /// There are deadlines now in this timetable, until it is freed. Called once for each, and not in the soup.
    func watch(_ timetable: any Timetable)

    /// A reaction is about to start. Called in the soup: it must not use the machine.
    func starts(_ reaction: StartingReaction)
}

/// Something that a machine has to do: one reaction of a definition, or a look whether one is possible.
package struct MachineStep: Sendable {
    let join: Join

    /// Takes the step, in the calling thread.
    package func take() { join.work() }
}

/// A reaction that is about to start. Only for the call that it comes with: it doesn't keep what it tells of.
package struct StartingReaction {
    /// The name of the definition.
    package let definition: String
    private let description: ReactionDescription?

    init(_ join: Join, _ description: ReactionDescription?) {
        definition = join.name
        self.description = description
    }

    /// Its inputs, as messages name them. Nil for the next attempt of a reaction that has failed.
    package var inputs: String? { description?.text }
}

/// What has to happen at certain times.
package protocol Timetable: AnyObject, Sendable {
    /// When the next thing has to happen.
    var next: ContinuousClock.Instant? { get }

    /// Has everything happen whose time has come.
    func passDue()
}

/// Asks a control for the choices of its machine.
final class ControlledChooser: Chooser, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let control: any MachineControl

    init(_ control: any MachineControl) {
        self.control = control
    }

    override func choose(_ count: Int) -> Int { control.choose(count) }
}

extension ChemicalMachine {
    /// Runs `operation` with this as the machine on which `Join.define` makes definitions.
    nonisolated(nonsending) package func asCurrent<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(Entry(self), operation: operation)
    }
}
