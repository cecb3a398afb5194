import Synchronization

/// The name of a slot, the place of its declaration, and the operations on it that need not be fast.
@usableFromInline
class Slot {
    // `location` never changes, `name` once at most and `header` once, before the slot is used, and what the header
    // points to is touched in the soup.
    final private(set) var name: String
    let location: SourceLocation
    /// Its place among the molecules of its definition.
    @exclusivity(unchecked) final var number: Int32 = 0
    /// How many of the reactions declared so far consume it.
    @exclusivity(unchecked) final var useCount: Int32 = 0
    /// Counts the copies that left other than by a reaction, and those that a failed reaction put back.
    @exclusivity(unchecked) final var tally = Tally()

    struct Tally {
        var dropped = 0
        var ignored = 0
        var withdrawn = 0
        var putBack = 0
    }
    /// Who has injected copies, as bits of `Injector`, if that is observed.
    private final let injectors = Atomic<UInt8>(0)
    /// Whether a name of it has left the definition, or its copies come from another molecule that may have.
    private final let leftItsDefinition = Atomic<Bool>(false)
    @exclusivity(unchecked) final var header: SlotPointer
    /// Whether a recorder writes down its values. Never changes once the definition has started.
    @exclusivity(unchecked) @usableFromInline final var isDescribed = false
    /// The body that has it, if it is a state and that body waits in a call. Touched in the soup.
    @exclusivity(unchecked) final var holder: StateHolder?

    /// Whether a body had it when it should have been reset.
    var hasMissedReset: Bool { false }

    enum Kind: Sendable { case slow, fast, state, gate }

    enum Injector: UInt8 {
        /// The definition: its closure or its bodies.
        case itself = 1
        case others = 2
        /// A body of another definition of which only that is known.
        case unfollowed = 4
        /// Somebody of whom it is noted who that is.
        case known = 8
    }

    /// How many more injections are looked at to learn who makes the molecule, if not all are.
    private final let lessons = Atomic<Int16>(Slot.lessonCount)
    private static let lessonCount: Int16 = 64

    /// Somebody has injected copies who wasn't known to do that.
    final func learnMore() { lessons.store(Self.lessonCount, ordering: .relaxed) }

    /// Counts an injection that was looked at, and ends the lessons when there have been so many without anything new.
    final func countLesson() {
        if lessons.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { endLessons() }
    }

    /// From now on, injections are looked at only if somebody else wants that.
    func endLessons() {}

    final func note(_ injector: Injector) {
        // Mostly it is there already, and a line that everybody only reads stays where it is.
        if injectors.load(ordering: .relaxed) & injector.rawValue != 0 { return }
        injectors.bitwiseOr(injector.rawValue, ordering: .relaxed)
    }

    /// Whether copies were injected, and all by this one.
    final func isInjectedOnly(by injector: Injector) -> Bool {
        injectors.load(ordering: .relaxed) & ~Injector.known.rawValue == injector.rawValue
    }

    final func hasBeenInjected(by injector: Injector) -> Bool {
        injectors.load(ordering: .relaxed) & injector.rawValue != 0
    }

    /// Whether somebody outside of the definition may inject copies, as far as names are known to have left it.
    final var isKnownOutside: Bool { leftItsDefinition.load(ordering: .relaxed) }

    /// A name of it leaves the definition.
    final func noteExport() {
        if !isKnownOutside { leftItsDefinition.store(true, ordering: .relaxed) }
    }

    final var kind: Kind { header.pointee.kind }

    init(name: String, location: SourceLocation) {
        self.name = name
        self.location = location
        // A placeholder: the initializer of each subclass replaces it.
        header = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
    }

    /// Whether no reaction has to use it: a state with readers, or a molecule all of whose values belong to parts.
    var mayBeUnused: Bool { false }

    /// How many copies are present in the soup.
    func present(_ entry: borrowing SoupEntry) -> Int { fatalError("abstract") }

    /// Whether nobody can tell its copies apart.
    var areAlike: Bool { false }

    /// Whether its values may hold the reply of a call.
    var mayCarryReplies: Bool { false }

    /// Whether guards look at its copies.
    var areGuarded: Bool { header.pointee.isGuarded }

    /// Whether guards will look at its copies, or do. Known before the chemistry is fixed.
    var isLookedAtByGuards: Bool { false }

    /// Whether copies belong to parts of it.
    var hasParts: Bool { false }

    /// Whether one of its copies is chosen, the last one takes its place, and new ones come behind the others.
    var leaveAtRandom: Bool { false }

    /// The calls that wait in the soup, as a copy that can be read outside. Making it takes the same time for any
    /// number of calls.
    func waitingCalls(_ entry: borrowing SoupEntry) -> WaitingCalls? { nil }

    /// Takes out the calls whose time is up, if no reaction can take them any more.
    ///
    /// - Returns: a closure that ends them, to be called outside of the soup.
    func withdrawOverdue(_ entry: borrowing SoupEntry) -> (() -> Void)? { nil }

    /// How many copies are in the inbox. Called under the lock of the inbox.
    var inInbox: Int { 0 }

    /// Moves the contents of the inbox into the soup. Called under the lock of the inbox as well.
    func absorb(_ entry: borrowing SoupEntry) {}

    /// Puts what `absorb` has left for guards to look at into their indexes. That takes longer, and needs no lock of
    /// the inbox.
    func takeIn(_ entry: borrowing SoupEntry) {}

    /// Takes everything out of the soup. Releases no value: the caller disposes of the result afterwards.
    func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? { nil }

    /// As `removeAll`, except that a state stays and gets its initial value again.
    func reset(_ entry: borrowing SoupEntry) -> (any Leftover)? { removeAll(entry) }

    /// Leaves the soup, and injects a copy at which guards haven't looked yet. Not generic: whoever turns a call must
    /// retain nothing after leaving.
    @usableFromInline
    func injectLate(_ value: Any, _ entry: consuming SoupEntry) { fatalError("abstract") }

    /// Has guards look at the copies from now on, if there are such guards. Called outside of the soup, once the
    /// reactions are fixed and before the definition starts.
    func beginGuarding() {}

    /// Has calls answered by workers only. Called before the definition starts.
    func forbidInline() {}

    /// Releases the closures of a dissolved definition. Called outside of the soup, when nobody asks for them any more.
    func removeClosures() {}

    /// Releases what `removeAll` has left. Called outside of the soup, when nobody asks for it any more.
    func release() {}

    /// Whether it waits for the name of the property that it is in: it is empty, or one of the molecules that a bounded
    /// one consists of.
    final var isUnnamed: Bool { name.isEmpty || name.hasPrefix(".") }

    /// Gives it the name of the property that it is in.
    final func name(_ name: String) { self.name = name }

    /// What messages call it while it may have no name yet.
    final class func quoted(_ name: String) -> String { name.isEmpty ? "a molecule" : "molecule '\(name)'" }

    /// The name of the definition and of the molecule.
    final var fullName: String { "\(header.pointee.soup.owner.name).\(name)" }

    /// Tells the soup about the copies that are already present. Called when the reactions are fixed.
    final func seal(_ entry: borrowing SoupEntry) {
        entry.grown(header.pointee.uses, from: 0, to: present(entry))
    }
}

extension [Slot] {
    /// Calls `body` with each, in their order. The definition keeps them: none is retained for its call.
    @inline(__always)
    func forEachKept(_ body: (Slot) -> Void) {
        for index in indices { Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body) }
    }
}

/// What was taken out of a soup that ended or was cleared. Releasing it releases the values.
protocol Leftover: Sendable {
    var name: String { get }
    var count: Int { get }
    /// Answers the calls in it with `error`.
    func fail(_ error: any Error)
}
