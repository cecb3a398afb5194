// How a run comes to rest.

extension Control {
    /// Takes what steps there are after `end`, in their order and whenever they are due, but no more than `limit`. The
    /// script isn't asked any more.
    func drain(limit: Int, after end: () -> Void = {}) {
        script.isOver = true
        isDraining = true
        var left = limit
        // Some sleep again and again.
        var sleeps = 100
        driving {
            end()
            while left > 0 {
                left -= 1
                if readyCount == 0 {
                    sleepers?.passAll()
                    refuseRequests()
                }
                if readyCount > 0 {
                    takeFirst()
                } else if sleeps > 0, let next = nextDeadline {
                    // Others sleep by the clock of a machine.
                    sleeps -= 1
                    pass(to: next)
                } else {
                    return
                }
            }
        }
    }

    func forsakes() -> Bool {
        guard isDraining else { return false }
        refusals += 1
        return refusals > 100
    }

    private func takeFirst() {
        let first = next(0, of: readyCount)
        if case .rest(let rest) = first { _ = pass(turnTo: rest) } else { perform(first) }
    }
}
