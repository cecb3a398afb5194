import ChemBase

/// Keeps back the worker that an injection has announced, because whoever injects is about to wait in a call of the
/// same definition, and does the worker's work meanwhile.
///
/// Between the injection and the call nothing may happen that takes time, since nobody is on the way.
enum DeferredWake {
    private static let current = ThreadLocal()

    /// What is deferred on a thread.
    private struct Place {
        unowned(unsafe) let join: Join
        var isTaken = false
    }

    /// Runs `inject`, without starting the worker that is announced meanwhile for `join`, if there is one.
    ///
    /// - Returns: whether there is one.
    static func ofWorker(of join: Join, _ inject: () -> Void) -> Bool {
        guard join.allowsHelp else {
            inject()
            return false
        }
        var place = Place(join: join)
        withUnsafeMutablePointer(to: &place) { current.with($0, inject) }
        return place.isTaken
    }

    /// Defers the start of the worker that was announced for `join`, if whoever is injecting here wants that.
    static func take(_ join: Join) -> Bool {
        guard let place = current.pointer?.assumingMemoryBound(to: Place.self), place.pointee.join === join,
            !place.pointee.isTaken
        else {
            return false
        }
        place.pointee.isTaken = true
        return true
    }
}
