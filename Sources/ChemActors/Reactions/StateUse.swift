public import ChemBase

/// The states that a reaction updates, as one value: none, one, or a pair of these.
///
/// A synchronous body changes them in place; an asynchronous one changes drafts, which are committed at its end, so
/// that a reader never sees half a change.
@usableFromInline
protocol StateUse: Sendable {
    /// Where the values are, in the shape in which the states were given.
    associatedtype Places: Sendable
    /// Copies of the values, in the same shape.
    associatedtype Drafts: Sendable
    /// What has to be released outside of the soup.
    associatedtype Remains

    /// Whether there is no state at all.
    static var isNone: Bool { get }
    /// Whether `remains` has to be released outside of the soup, now.
    static func mustGo(_ remains: Remains) -> Bool

    func list(in molecules: inout MoleculeList)

    // Under the lock.
    func take(_ entry: borrowing SoupEntry) -> Places
    func putBack(_ places: Places, _ entry: borrowing SoupEntry) -> Remains
    func reset(_ entry: borrowing SoupEntry) -> [StateRemains]
    /// Replaces the values with the drafts. The drafts get the old values.
    func exchange(_ drafts: Drafts, _ places: Places)

    // Outside of the soup, by the reaction that has taken the states.
    /// Copies of the values.
    func drafts(of places: Places) -> Drafts
    /// Finds out which conditions the values meet, before they are put back.
    func look(at places: Places)
    /// Finds out which conditions the drafts meet, before they replace the values.
    func look(atDrafts drafts: Drafts)
}

/// The reaction updates no state.
@usableFromInline
struct NoState: StateUse {
    @inlinable
    init() {}

    @inlinable static var isNone: Bool { true }

    @inlinable
    static func mustGo(_ remains: Void) -> Bool { false }

    @inlinable
    func list(in molecules: inout MoleculeList) {}

    @inlinable
    @inline(__always)
    func take(_ entry: borrowing SoupEntry) {}

    @inlinable
    @inline(__always)
    func putBack(_ places: Void, _ entry: borrowing SoupEntry) {}

    @inlinable
    func reset(_ entry: borrowing SoupEntry) -> [StateRemains] { [] }

    @inlinable
    func exchange(_ drafts: Void, _ places: Void) {}

    @inlinable
    func drafts(of places: Void) {}

    @inlinable
    @inline(__always)
    func look(at places: Void) {}

    @inlinable
    func look(atDrafts drafts: Void) {}
}

/// The reaction updates a state.
@usableFromInline
struct Updating<U: Updatable>: StateUse {
    @usableFromInline let state: U

    @inlinable
    init(_ state: U) {
        self.state = state
    }

    @inlinable static var isNone: Bool { false }

    @inlinable
    @inline(__always)
    static func mustGo(_ remains: U.Value?) -> Bool {
        !_isPOD(U.Value.self) && remains != nil
    }

    @inlinable
    func list(in molecules: inout MoleculeList) { state._list(in: &molecules) }

    @inlinable
    @inline(__always)
    func take(_ entry: borrowing SoupEntry) -> StatePlace<U.Value> { state._take(entry) }

    @inlinable
    @inline(__always)
    func putBack(_ place: StatePlace<U.Value>, _ entry: borrowing SoupEntry) -> U.Value? {
        state._putBack(place, entry)
    }

    @inlinable
    func reset(_ entry: borrowing SoupEntry) -> [StateRemains] { [state._reset(entry)] }

    @inlinable
    func exchange(_ draft: StateDraft<U.Value>, _ place: StatePlace<U.Value>) {
        draft.value = place.exchange(draft.value)
    }

    @inlinable
    func drafts(of place: StatePlace<U.Value>) -> StateDraft<U.Value> { StateDraft(place.pointer.pointee) }

    @inlinable
    @inline(__always)
    func look(at place: StatePlace<U.Value>) { state._look(at: place) }

    @inlinable
    func look(atDrafts draft: StateDraft<U.Value>) {
        withUnsafeMutablePointer(to: &draft.value) { state._look(at: StatePlace($0)) }
    }
}

/// The reaction updates several states.
@usableFromInline
struct UpdatingBoth<A: StateUse, B: StateUse>: StateUse {
    @usableFromInline let a: A
    @usableFromInline let b: B

    @inlinable
    init(_ a: A, _ b: B) {
        self.a = a
        self.b = b
    }

    @inlinable static var isNone: Bool { false }

    @inlinable
    @inline(__always)
    static func mustGo(_ remains: (A.Remains, B.Remains)) -> Bool {
        A.mustGo(remains.0) || B.mustGo(remains.1)
    }

    @inlinable
    func list(in molecules: inout MoleculeList) {
        a.list(in: &molecules)
        b.list(in: &molecules)
    }

    @inlinable
    @inline(__always)
    func take(_ entry: borrowing SoupEntry) -> (A.Places, B.Places) { (a.take(entry), b.take(entry)) }

    @inlinable
    @inline(__always)
    func putBack(_ places: (A.Places, B.Places), _ entry: borrowing SoupEntry) -> (A.Remains, B.Remains) {
        (a.putBack(places.0, entry), b.putBack(places.1, entry))
    }

    @inlinable
    func reset(_ entry: borrowing SoupEntry) -> [StateRemains] { a.reset(entry) + b.reset(entry) }

    @inlinable
    func exchange(_ drafts: (A.Drafts, B.Drafts), _ places: (A.Places, B.Places)) {
        a.exchange(drafts.0, places.0)
        b.exchange(drafts.1, places.1)
    }

    @inlinable
    func drafts(of places: (A.Places, B.Places)) -> (A.Drafts, B.Drafts) {
        (a.drafts(of: places.0), b.drafts(of: places.1))
    }

    @inlinable
    @inline(__always)
    func look(at places: (A.Places, B.Places)) {
        a.look(at: places.0)
        b.look(at: places.1)
    }

    @inlinable
    func look(atDrafts drafts: (A.Drafts, B.Drafts)) {
        a.look(atDrafts: drafts.0)
        b.look(atDrafts: drafts.1)
    }
}

/// What an asynchronous body makes of a state before it is committed.
///
/// An object, because the attempts of a body that is tried again share it, and because with a variable of the task in
/// its place Swift 6.3.1 crashes when compiling for ThreadSanitizer.
@usableFromInline
final class StateDraft<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: the attempts of one body run one after the other.
    @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}

extension StateUse {
    /// Puts the states back as a synchronous body has left them, after `look`. It may leave the soup for a moment,
    /// because no user's value is released in it.
    @inlinable
    @inline(__always)
    func commit(_ places: Places, _ entry: consuming SoupEntry) -> SoupEntry {
        let remains = putBack(places, entry)
        guard Self.mustGo(remains) else { return entry }
        // Releasing may take its time, and the states are already there.
        let soup = entry.soup
        entry.leave()
        // Consumed: in a build without optimization it would otherwise live until the end, which is in the soup again.
        discard(consume remains)
        return soup.enter()
    }

    /// Puts the states back as they are, in a separate entry of the soup.
    @inlinable
    @inline(__always)
    func release(_ places: Places, _ soup: SoupReference) {
        if Self.isNone { return }
        look(at: places)
        let entry = soup.enter()
        let remains = putBack(places, entry)
        entry.leave()
        discard(remains)
    }

    /// Puts the states back after the last attempt has failed: at their initial values if the definition was cleared
    /// meanwhile.
    @usableFromInline
    func giveUp(_ places: Places, _ soup: SoupReference, asInitially: Bool) {
        if Self.isNone { return }
        look(at: places)
        let entry = soup.enter()
        let remains = putBack(places, entry)
        let initial = asInitially ? reset(entry) : []
        entry.leave()
        discard(remains)
        discard(initial)
    }

    /// Puts the states back with what an asynchronous body has made of them.
    @inlinable
    func commit(_ drafts: Drafts, _ places: Places, _ soup: SoupReference) {
        if Self.isNone { return }
        look(atDrafts: drafts)
        let entry = soup.enter()
        exchange(drafts, places)
        let remains = putBack(places, entry)
        entry.leave()
        discard(remains)
    }

    /// Puts the states back after the last attempt of an asynchronous body has failed: what it has made of them stays.
    @usableFromInline
    func giveUp(_ drafts: Drafts, _ places: Places, _ soup: SoupReference, asInitially: Bool) {
        if Self.isNone { return }
        let entry = soup.enter()
        exchange(drafts, places)
        entry.leaveUnchanged()
        giveUp(places, soup, asInitially: asInitially)
    }
}
