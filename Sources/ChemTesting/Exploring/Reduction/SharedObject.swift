package import ChemActors

/// Stands for something besides molecules that several steps have in common, such as a history. Whoever owns it says
/// which step does what to it.
///
/// It has two sides. What is done on one side commutes with what else is done there, and not with what is done on the
/// other one.
package struct SharedObject: Sendable {
    /// Its number among those of the run in which it was made, and nil outside of runs.
    private let number: Int?
    private let run: Int?

    package init() {
        let control = Interception.control
        run = control?.number
        number = control?.newSharedObject()
    }

    /// Says that the present step does something to it.
    package func touch(_ side: SharedSide) {
        guard let control = Interception.control else { return }
        // One that is older than the run counts as any of these.
        let number = run == control.number ? number : nil
        control.touches(sharedObject: number ?? SharedNumber.old, side)
    }
}
