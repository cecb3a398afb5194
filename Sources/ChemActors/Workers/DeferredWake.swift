import ChemBase

/// Keeps back the worker that an injection has announced, because whoever injects does its work itself.
///
/// Between the injection and that work nothing may happen that takes time, since nobody is on the way.
enum DeferredWake {
    private static let current = ThreadLocal()

    /// What is deferred on a thread.
    private struct Place {
        let join: ObjectIdentifier
        var isTaken = false
    }

    /// Runs `inject`, without starting the worker that is announced meanwhile for `join`, if there is one.
    ///
    /// - Returns: whether there is one.
    static func ofWorker(of join: Join, _ inject: () -> Void) -> Bool {
        var place = Place(join: ObjectIdentifier(join))
        withUnsafeMutablePointer(to: &place) { current.with($0, inject) }
        return place.isTaken
    }

    /// Defers the start of the worker that was announced for `join`, if whoever is injecting here wants that.
    static func take(_ join: Join) -> Bool {
        guard let place = current.pointer?.assumingMemoryBound(to: Place.self),
            place.pointee.join == ObjectIdentifier(join),
            !place.pointee.isTaken
        else {
            return false
        }
        place.pointee.isTaken = true
        return true
    }
}

extension Join {
    /// Calls `inject`, which injects into this definition, and does the work of the worker that this announces: in a
    /// task of its own on this thread, until `asker` has what it waits for or something may take long.
    ///
    /// For the library: whoever asks a mailbox actor is often answered by that, and needs no call. Who holds an actor
    /// leaves it to a worker: nobody else gets into the actor meanwhile, or it's the main one.
    ///
    /// - Returns: whether it has worked. If not, somebody else does.
    package nonisolated func work(for asker: any Beneficiary, holdsActor: Bool, after inject: () -> Void) -> Bool {
        guard allowsHelp, !holdsActor else {
            inject()
            return false
        }
        guard DeferredWake.ofWorker(of: self, inject) else { return false }
        let entry = soup.enterAsCaller()
        let isShort = entry.contents.life.phase == .running && entry.isShort && !entry.mustGiveWay
        entry.leaveUnchanged()
        guard isShort, policy.allowsInline else {
            startOwnWorker()
            return false
        }
        DetachedHelp(self, for: asker, .ofWorker).start()
        return true
    }
}
