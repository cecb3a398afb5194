// What a core keeps for each operator and each store.

extension FlowCore {
    /// An operator that runs in its turn.
    struct Step: ~Copyable {
        var rank: Int
        var body: () -> Void

        // Borrowing here and in `Store`, so that calls don't retain the closures, which live as long as the core.
        @inline(__always)
        borrowing func run() { body() }
    }

    /// What the end of a wave does for one store.
    @usableFromInline
    package struct Store: ~Copyable {
        /// Shows the value to the outside.
        @usableFromInline package var commit: (FlowTime) -> Void = { _ in }
        /// Tells outlets and subscribers.
        @usableFromInline var announce: () -> Void = {}
        @usableFromInline var hasListeners = false
        @usableFromInline var hasHistory = false

        @inline(__always)
        borrowing func runCommit(at time: FlowTime) { commit(time) }

        @inline(__always)
        borrowing func runAnnounce() { announce() }
    }
}
