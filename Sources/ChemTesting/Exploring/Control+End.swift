// How a run comes to rest.

extension Control {
    /// Takes what steps there are after `end`, in their order and whenever they are due, but no more than `limit`. The
    /// script isn't asked any more.
    func drain(limit: Int, after end: () -> Void = {}) {
        script.isOver = true
        isDraining = true
        var left = limit
        driving {
            end()
            while left > 0 {
                if readyCount == 0 {
                    sleepers?.passAll()
                    refuseRequests()
                }
                guard readyCount > 0 else { return }
                take(0)
                left -= 1
            }
        }
    }

    func forsakes() -> Bool {
        guard isDraining else { return false }
        refusals += 1
        return refusals > 100
    }

    /// After the end of the test, takes the steps that are left, without time passing: what is wrong may show in them.
    ///
    /// - Returns: whether there are no more of them, with `limit` steps since the beginning.
    func finish(limit: Int) -> Bool {
        driving {
            while drive(timePasses: false) == nil { if steps >= limit { return false } }
            return true
        }
    }
}
