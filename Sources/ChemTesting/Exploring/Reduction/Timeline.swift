/// Notes which steps of a run something begins and ends in, where it matters only what is over before something else
/// begins.
///
/// An exhaustive search doesn't try the orders of such steps, if nothing else does matter, until it is told that they
/// do: whoever looks at them can tell from the order that steps must have.
package struct Timeline: Sendable {
    private let sharing = SharedObject()

    package init() {}

    /// Something begins in the present step.
    ///
    /// - Returns: the number of the step, in a run of a search that may leave out orders.
    package func begin() -> Int? { note(.left) }

    /// Something ends in the present step.
    ///
    /// - Returns: as for `begin`.
    package func end() -> Int? { note(.right) }

    private func note(_ side: SharedObject.Side) -> Int? {
        guard let reduction = Interception.control?.script.reduction, reduction.sharing == .molecules else {
            return nil
        }
        guard !reduction.ordersTimelines else {
            sharing.touch(side)
            return nil
        }
        return reduction.step
    }

    /// The order that the steps of this run must have, if their other orders aren't tried.
    package var order: StepOrder? {
        guard let reduction = Interception.control?.script.reduction, reduction.sharing == .molecules,
            !reduction.ordersTimelines
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
