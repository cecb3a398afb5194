/// How a reaction proceeds.
@usableFromInline
enum Course: UInt8, Sendable {
    /// In one entry of the soup, without any code of a user.
    case step
    /// By a body that has ended when `fire` returns.
    case synchronous
    /// By a body that may go on after `fire` has returned. Then `BodyScope.ends` reports its end.
    case asynchronous
}

/// A reaction as the worker sees it.
@usableFromInline
struct ReactionRecord: ~Copyable {
    /// What a reaction does: it takes its inputs, leaves the soup, runs its body, and enters the soup again.
    @usableFromInline typealias Fire = @Sendable (consuming SoupEntry) -> SoupEntry

    /// How often a body must have begun before a caller runs it that has nothing to do with it, and how often again,
    /// once it has kept such a caller for long. Not more, since what has taken long may have been another thread.
    private static var startsUntilHelp: UInt32 {
        #if EXPLORED
            1  // As few as show what can go wrong.
        #else
            64
        #endif
    }

    /// What `fire` does.
    @usableFromInline let body: Fire
    /// The fast molecule whose calls it answers with what its body returns.
    let answered: SlotPointer?
    /// How often it was started, modulo 2³².
    var starts: UInt32 = 0
    let course: Course
    /// Whether its body was last seen to take long. If so, the worker isn't active while it runs.
    var isLong: Bool { didSet { if isLong { putOffHelp() } else { goOnHelping() } } }
    /// From which start on a caller may run it that has nothing to do with it, modulo 2³².
    private var helpsFrom = Self.startsUntilHelp
    /// The last start whose duration was looked at, modulo 2¹⁶.
    private var lookedAt: UInt16 = 0

    init(
        body: @escaping Fire,
        answered: SlotPointer?,
        course: Course,
        isLong: Bool
    ) {
        self.body = body
        self.answered = answered
        self.course = course
        self.isLong = isLong
    }

    /// The duration of the last start is looked at.
    ///
    /// - Returns: for how many starts it stands: those since the last look, 64 at most.
    mutating func look() -> Int {
        let now = UInt16(truncatingIfNeeded: starts)
        defer { lookedAt = now }
        return Int(min(now &- lookedAt, 64))
    }

    /// Takes the inputs, leaves the soup, runs the body or starts its task, and enters the soup again.
    ///
    /// Borrowing, so that the closure isn't retained for the call. It stays alive as long as anything runs.
    @inline(__always)
    borrowing func fire(_ entry: consuming SoupEntry) -> SoupEntry { body(entry) }

    /// How a caller may run it.
    enum Help {
        /// In the caller's own task: what runs there is the caller's own, or no code of a user.
        case here
        /// In a detached task that begins on the caller's thread.
        case detached
    }

    /// How a caller of the molecule `slot` may run it, or nil if it has to be left to a worker: only what the caller
    /// itself asks for may take long.
    func help(forCallerOf slot: SlotPointer) -> Help? {
        if course == .step || answered == slot { return .here }
        guard isKnownToBeShort else { return nil }
        switch course {
        case .step: return .here
        case .synchronous: return answered == nil ? .detached : .here
        case .asynchronous: return answered == nil ? .here : nil
        }
    }

    /// Whether a caller may run it that has to wait for something else.
    var helpsAnyCaller: Bool {
        course == .step || isKnownToBeShort && (course == .synchronous || answered == nil)
    }

    private var isKnownToBeShort: Bool { Int32(bitPattern: starts &- helpsFrom) >= 0 && !isLong }

    /// It's still short. Said now and then, so that it's known after any number of starts.
    private mutating func goOnHelping() { if isKnownToBeShort { helpsFrom = starts } }

    /// It has looked for inputs that fit together, and there are none: its body hasn't begun. So nothing is known of it
    /// either.
    mutating func startsNot() { if starts > 0 { starts -= 1 } }

    /// It takes long.
    mutating func putOffHelp() { helpsFrom = starts &+ Self.startsUntilHelp }
}
