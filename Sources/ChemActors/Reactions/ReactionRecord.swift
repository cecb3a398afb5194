/// A reaction as the worker sees it.
@usableFromInline
struct ReactionRecord: ~Copyable {
    /// What `fire` does.
    @usableFromInline let body: @Sendable (SitePointer) -> Void
    /// Whether the body goes on after `fire` has returned. Then `bodyEnded` tells of its end.
    let isAsynchronous: Bool
    /// How often it was started, modulo 2³².
    var starts: UInt32 = 0
    /// Whether its body was last seen to take long. Then the worker isn't active while it runs.
    var isLong: Bool

    /// Takes the inputs, leaves the soup, runs the body or starts its task, and comes back. Entered and left under the lock.
    ///
    /// Borrowing, so that the closure isn't retained for the call: it stays as long as anything runs.
    @inline(__always)
    borrowing func fire(_ site: SitePointer) { body(site) }
}

/// What a reaction is called, and where it was declared.
@usableFromInline
final class ReactionDescription: @unchecked Sendable {
    // Checked by hand: nothing changes but `putBacks`. The closures of a reaction hold its description, and they go before its definition.
    let inputs: [String]
    let location: SourceLocation
    /// Sound, since whoever asks has a name of the definition as well: the closures of a reaction hold its inputs, and a failed
    /// reaction that waits holds those closures. Nobody else keeps a description.
    unowned(unsafe) let join: Join
    /// How often its inputs were put back after a failure. Under the lock of the soup.
    var putBacks = 0

    init(inputs: [String], location: SourceLocation, join: Join) {
        self.inputs = inputs
        self.location = location
        self.join = join
    }

    /// The inputs as a chemist writes them: `increment & count`.
    var text: String { inputs.joined(separator: " & ") }
}
