import ChemBase

/// What an ended definition leaves behind.
protocol Disposable: AnyObject, Sendable {
    var join: Join { get }

    /// Releases what is left. Called outside of all locks, since this may run user code.
    func dispose()
}

/// The remains on this thread that wait to be disposed of.
///
/// Releasing closures and values may end other definitions. Their remains are added to the list instead of being
/// released there and then, so that a chain of a hundred thousand definitions doesn't need as much stack.
struct Disposal {
    /// Something that may not be released on the thread where it was left.
    struct Values {
        fileprivate let contents: any Sendable
        /// The definition that isn't quiet before they are released: what a `deinit` injects is there then.
        fileprivate let home: Join
    }

    /// The disposal in progress on this thread.
    private static let current = ThreadLocal()

    /// What comes first. Mostly that is all.
    private var first: (any Disposable)?
    private var waiting: [any Disposable] = []
    /// Whether no user code may run on this thread.
    private var isDeferring = false
    /// What may not be released on this thread.
    private var values: [Values] = []

    /// Whether no user code may run on this thread, which is that of the deadlines.
    static var isDeferring: Bool {
        current.pointer?.assumingMemoryBound(to: Disposal.self).pointee.isDeferring ?? false
    }

    /// Runs `work` on a thread where no user code may run. The definitions that it leaves behind are disposed of in
    /// tasks.
    ///
    /// - Returns: the values that it has left, to be released elsewhere.
    static func deferring(_ work: () -> Void) -> [Values] {
        var disposal = Disposal(isDeferring: true)
        withUnsafeMutablePointer(to: &disposal) { pointer in
            current.with(pointer, work)
        }
        for remains in disposal.waiting {
            let machine = remains.join.machine
            machine.startTask(on: machine.configuration.executor, nil) { dispose(remains) }
        }
        return disposal.values
    }

    /// Where no user code may run, sees to it that this thread isn't the last to have `contents`, which are values of
    /// `home` or have some. Elsewhere, whoever calls this may be. Called outside of the soup.
    static func leave(_ contents: some Sendable, of home: Join) {
        guard isDeferring, let current = current.pointer else { return }
        home.soup.beginChore()
        let values = Values(contents: contents, home: home)
        current.assumingMemoryBound(to: Disposal.self).pointee.values.append(values)
    }

    /// Releases what was left, where user code may run.
    static func release(_ values: consuming [Values]) {
        while let last = values.popLast() {
            let home = last.home
            discard(consume last)
            home.soup.endChore()
        }
    }

    static func dispose(_ remains: consuming any Disposable) {
        if let current = current.pointer {
            current.assumingMemoryBound(to: Disposal.self).pointee.waiting.append(remains)
            return
        }
        // Moved, not copied: what was kept here until the end would be released outside of the disposal.
        var disposal = Disposal(first: consume remains)
        withUnsafeMutablePointer(to: &disposal) { pointer in
            current.with(pointer) { while disposeNext(pointer) {} }
        }
    }

    private static func disposeNext(_ disposal: UnsafeMutablePointer<Disposal>) -> Bool {
        guard let join = disposeLast(disposal) else { return false }
        // The machine wasn't quiet until now, so what a `deinit` has injected elsewhere is there.
        join.soup.endChore()
        join.machine.remove(join)
        // A body that has begun to wait meanwhile may have found the list of definitions changed, and given up.
        join.checkForDeadlock()
        return true
    }

    /// Disposes of the last remains. A separate function, so that they are gone when it returns.
    ///
    /// - Returns: the definition that left them, or nil if there are none.
    @inline(never)
    private static func disposeLast(_ disposal: UnsafeMutablePointer<Disposal>) -> Join? {
        guard let next = disposal.pointee.first.take() ?? disposal.pointee.waiting.popLast() else { return nil }
        next.dispose()
        return next.join
    }
}
