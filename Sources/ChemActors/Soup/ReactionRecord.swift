/// A reaction as the worker sees it.
@usableFromInline
struct ReactionRecord: ~Copyable {
    /// What `fire` does.
    @usableFromInline let body: @Sendable (consuming SoupEntry) -> SoupEntry
    /// Whether the body goes on after `fire` has returned. If so, `BodyScope.end` reports its end.
    let isAsynchronous: Bool
    /// How often it was started, modulo 2³².
    var starts: UInt32 = 0
    /// Whether its body was last seen to take long. If so, the worker isn't active while it runs.
    var isLong: Bool

    /// Takes the inputs, leaves the soup, runs the body or starts its task, and enters the soup again.
    ///
    /// Borrowing, so that the closure isn't retained for the call. It stays alive as long as anything runs.
    @inline(__always)
    borrowing func fire(_ entry: consuming SoupEntry) -> SoupEntry { body(entry) }
}
