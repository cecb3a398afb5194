public import ChemBase
public import Synchronization

/// The memory of one join definition that those who inject, call and work on it share: its soup and its inbox.
///
/// Two locks protect it, and nothing but memory is touched under either: no body runs, no continuation is resumed and
/// no value of a user is released while one is held. `lock` protects the contents, which are reached by a ``SoupEntry``
/// only; `inboxLock` the inbox, and is taken after `lock` where both are. Under either no lock of another definition is
/// taken. An injector takes only one of them:
///
/// - while a worker is active (`isAccepting`), it leaves its molecule in the inbox, which the worker empties by the
///   batch;
/// - otherwise it puts it into the soup, and wakes a worker if that made a reaction possible.
///
/// So an injector and a worker that run at the same time touch a common cache line once a batch, not once a molecule.
///
/// Invariants, whenever `lock` is free:
/// 1. While `isAccepting` is true, `life.activity` is not `idle`: somebody will look at the inbox and the soup.
/// 2. `life.activity` is `idle` only if nothing is possible, or nothing may start, or all workers are busy, of which
///    each that comes back looks again, or the main actor has been told.
/// 3. Molecules in the inbox were injected after all those of the same sender that are in the soup.
@usableFromInline
struct Soup: ~Copyable {
    /// What is touched in the soup only.
    @usableFromInline
    struct Contents: ~Copyable {
        @usableFromInline var life: Lifecycle
        @usableFromInline var matching: Matching
        @usableFromInline var reactions = UnsafeMutablePointer<ReactionRecord>.allocate(capacity: 0)
        /// Tells the worker that looks after the soup from others, if one does.
        var activeWorker: UnsafeMutableRawPointer?
        @usableFromInline var started = 0
        /// The largest number of bodies that ran at the same time.
        @usableFromInline var peakRunning = 0
        /// Calls that are answered in their callers' tasks look for how long that has been going on, whenever `started`
        /// has no bit in common with this.
        @usableFromInline var lookMask = 0
        /// How many calls wait whose time is up, since a reaction was possible that could take them.
        var overdueCalls = 0
        /// The molecules, in the order in which they were declared.
        var slots: [Slot] = []

        @inlinable
        deinit {
            reactions.deallocate()
        }
    }

    // MARK: In the soup
    @usableFromInline let lock = Lock()
    @usableFromInline var contents: Contents
    let padding: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

    // MARK: Under `inboxLock`
    @usableFromInline let inboxLock = Lock()
    /// Whether injectors leave their molecules in the inbox. Written under both locks, so stable under either.
    @usableFromInline let isAccepting = Atomic<Bool>(false)
    @usableFromInline var firstDirty: UnsafeMutablePointer<SlotHeader>?
    let padding2: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

    // MARK: Free of locks
    /// How many leases keep the chemistry alive.
    @usableFromInline let leases = Atomic<Int>(0)
    /// Whether the next call that isn't answered at once is to let others have its thread, and try again.
    let isWayDue = Atomic<Bool>(false)
    /// Who sees to it that workers come, and that all is done that an end brings. Set as soon as it exists.
    @usableFromInline unowned(unsafe) var owner: (any SoupOwner)?
    /// Whether a call may run its `answer` body in the calling task.
    @usableFromInline let allowsInline: Bool
    /// Whether the definition is designated to the main actor.
    let isOnMain: Bool
    /// Whether the machine is that of a scope.
    @usableFromInline let isScoped: Bool
    /// `ThreadMark.soup`, here because the hot path is here.
    @usableFromInline let threadMark: ThreadLocal

    init(
        seed: UInt64,
        workerLimit: Int,
        allowsInline: Bool,
        isOnMain: Bool,
        isScoped: Bool,
        threadMark: ThreadLocal
    ) {
        contents = Contents(life: Lifecycle(workerLimit: workerLimit), matching: Matching(seed: seed))
        self.allowsInline = allowsInline
        self.isOnMain = isOnMain
        self.isScoped = isScoped
        self.threadMark = threadMark
    }
}

/// Who owns a soup: the definition. All of it happens outside of the hot path.
@usableFromInline
protocol SoupOwner: AnyObject, Sendable {
    /// What the definition is called in messages.
    var name: String { get }

    /// A reaction is possible, and a worker may be woken for it.
    func wakeWorker(_ entry: consuming SoupEntry)

    /// Something has ended, after which something may be due to be done.
    func settle(_ entry: consuming SoupEntry)

    /// Something has ended in a scope: its calls are answered if it could not end otherwise. Outside of the soup.
    func checkForDeadlock()
}

/// Where a soup lies. Whoever has it may enter the soup, and see what belongs to no lock.
@frozen
@usableFromInline
struct SoupReference: Hashable, @unchecked Sendable {
    // Checked by hand: what lies there is protected as `Soup` says, and names keep its owner.
    @usableFromInline let memory: UnsafeMutablePointer<Soup>

    @inlinable
    init(_ memory: UnsafeMutablePointer<Soup>) {
        self.memory = memory
    }

    /// Enters the soup as it is.
    @inlinable
    @inline(__always)
    func enter() -> SoupEntry { SoupEntry(self) }

    /// Enters the soup as a caller does: with everything in it that this sender has injected before.
    @inlinable
    @inline(__always)
    func enterAsCaller() -> SoupEntry {
        let entry = SoupEntry(self)
        if entry.contents.life.activity != .idle { entry.absorb() }
        return entry
    }

    @inlinable var owner: any SoupOwner { memory.pointee.owner.unsafelyUnwrapped }
}
