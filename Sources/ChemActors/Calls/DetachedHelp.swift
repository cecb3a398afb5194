import ChemBase

/// What is done in a detached task that begins on this thread, so that it doesn't see the context of the current one.
///
/// It isn't captured: a closure without captures needs no memory.
struct DetachedHelp {
    private static let current = ThreadLocal()

    /// What is to be done.
    enum Work {
        /// This reaction, if it is still possible.
        case reaction(Int)
        /// What is possible while a worker is on its way.
        case ahead
        /// What the worker would do that was announced, and isn't woken.
        case ofWorker
    }

    private let join: Join
    private let asker: any Beneficiary
    private let work: Work

    /// Somebody does `work` in `join`, until `asker` has what it waits for.
    init(_ join: Join, for asker: any Beneficiary, _ work: Work) {
        (self.join, self.asker, self.work) = (join, asker, work)
    }

    /// Does it in a detached task that begins on this thread. Call it only if `Join.allowsHelp`.
    func start() {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
        var help = self
        withUnsafeMutablePointer(to: &help) { Self.current.with($0) { Self.start(times: 1) } }
    }

    /// Does what is in `current`.
    ///
    /// The loop runs once. It is there for the reason given at `SoupReference.startImmediate`.
    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    @inline(never)
    private static func start(times: Int) {
        var left = times
        while left > 0 {
            left &-= 1
            Task.immediateDetached { run() }
        }
    }

    private static func run() {
        guard let pointer = current.pointer else { return }
        let help = pointer.assumingMemoryBound(to: DetachedHelp.self).pointee
        current.with(nil) {
            switch help.work {
            case .reaction(let reaction): help.join.run(reaction)
            case .ahead: help.join.soup.enter().helpAhead(for: help.asker)
            case .ofWorker: help.join.work(for: help.asker)
            }
        }
    }
}
