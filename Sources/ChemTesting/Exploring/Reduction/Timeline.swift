import ChemActors

/// Notes which steps of a run something begins and ends in, where it matters only what is over before something else
/// begins.
///
/// An exhaustive search in which tasks share molecules only doesn't try other orders of such steps for the sake of the
/// timeline alone. Whoever looks at it takes into account which order the steps must have, and tells the search if the
/// others matter.
package struct Timeline: Sendable {
    private let sharing = SharedObject()
    /// The run in which it was made.
    private let run: Int?

    package init() { run = Interception.control?.number }

    /// Something begins in the present step.
    ///
    /// - Returns: the number of the step, in a run of a search that may leave out orders.
    package func begin() -> Int? { note(.left) }

    /// Something ends in the present step.
    ///
    /// - Returns: as for `begin`.
    package func end() -> Int? { note(.right) }

    private func note(_ side: SharedSide) -> Int? {
        guard let control = Interception.control, let reduction = control.script.reduction,
            reduction.sharing == .molecules
        else { return nil }
        guard !reduction.ordersTimelines else {
            sharing.touch(side)
            return nil
        }
        // The steps of another run have other numbers.
        return control.number == run ? reduction.step : nil
    }

    /// The order that the steps of this run must have, if their other orders aren't tried.
    package var order: StepOrder? {
        guard let control = Interception.control, control.number == run, let reduction = control.script.reduction,
            reduction.sharing == .molecules, !reduction.ordersTimelines
        else { return nil }
        return StepOrder(before: reduction.order())
    }

    /// Has the search begin anew, and try those orders.
    package func matters() { Interception.control?.script.reduction?.orderTimelines() }
}

/// Which steps of a run had to come before which others.
package struct StepOrder {
    let before: [NumberSet]

    /// Whether `step` comes before `other` whatever the order of those that don't depend on each other.
    package func mustPrecede(_ step: Int, _ other: Int) -> Bool { before[other].contains(step) }
}
