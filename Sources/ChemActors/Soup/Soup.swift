public import ChemBase
public import Synchronization

/// The memory of one join definition that injectors, callers and workers share: its soup and its inbox.
///
/// Two locks protect it, and nothing but memory is touched under them: no body runs, no continuation is resumed and no
/// user value is released while one is held. `lock` protects the contents, which are reached only through a
/// ``SoupEntry``. `inboxLock` protects the inbox, and is taken after `lock` where both are needed. No lock of another
/// definition is taken under either. An injector takes only one of them:
///
/// - While a worker is active (`isAccepting`), the injector leaves its molecule in the inbox, which the worker empties
///   in batches.
/// - Otherwise it puts the molecule into the soup, and wakes a worker if that made a reaction possible.
///
/// So an injector and a worker that run at the same time touch a common cache line once per batch, not once per
/// molecule.
///
/// Invariants, whenever `lock` is free:
/// 1. While `isAccepting` is true, `life.activity` is not `idle`: a worker will look at the inbox and the soup.
/// 2. `life.activity` is `idle` only if nothing is possible, nothing may start, all workers are busy (each looks again
///    when it comes back), or the main actor has been told.
/// 3. Molecules in the inbox were injected after all molecules of the same sender that are in the soup.
@usableFromInline
struct Soup: ~Copyable {
    /// What is touched only in the soup.
    @usableFromInline
    struct Contents: ~Copyable {
        @usableFromInline var life: Lifecycle
        @usableFromInline var matching: Matching
        /// The reactions, once they are fixed. Before that, and after the end, it isn't read.
        @usableFromInline var reactions = UnsafeMutablePointer<ReactionRecord>(bitPattern: 8).unsafelyUnwrapped
        /// The molecules, in the order in which they were declared.
        var slots: [Slot] = []
        /// Identifies the worker that looks after the soup, if there is one.
        var activeWorker: UnsafeMutableRawPointer?
        @usableFromInline var started = 0
        /// The largest number of bodies that ran at the same time.
        @usableFromInline var peakRunning = 0
        /// A call that is answered in its caller's task checks how long that has been going on whenever `started` has
        /// no bit in common with this mask.
        @usableFromInline var lookMask = 0
        /// How many overdue calls wait: their time is up, but a reaction was possible that could take them.
        @usableFromInline var overdueCalls = 0
        /// The first molecule of whose copies some have left the inbox and are in no index yet.
        var firstArrived: UnsafeMutablePointer<SlotHeader>?
        /// Where the reactions are, and what molecules and matching know about them.
        @usableFromInline var sealed = SealedBlock()
    }

    /// Nothing, as in `SlotHeader`: here ThreadSanitizer would see a change of the contents as one of the lock.
    let firstPadding: UInt = 0

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

    // MARK: Without a lock
    /// How many leases keep the chemistry alive.
    @usableFromInline let leases = Atomic<Int>(0)
    /// Whether the next call that isn't answered at once has to yield its thread and try again.
    let isWayDue = Atomic<Bool>(false)
    /// The owner, which makes sure that workers come and does what is due after an end. Set as soon as it exists.
    @usableFromInline unowned(unsafe) var owner: (any SoupOwner)?
    /// Whether a call may run its `answer` body in the calling task.
    @usableFromInline let allowsInline: Bool
    /// Whether the definition is designated to the main actor.
    let isOnMain: Bool
    /// Whether the machine belongs to a scope.
    @usableFromInline let isScoped: Bool
    /// Whether the machine is controlled or recorded.
    @usableFromInline let isObserved: Bool
    /// Whether a control may interrupt steps.
    @usableFromInline let isInterruptible: Bool
    /// A copy of `ThreadMark.soup`, for the hot path.
    @usableFromInline let threadMark: ThreadLocal

    init(
        seed: UInt64,
        chooser: Unmanaged<Chooser>? = nil,
        workerLimit: Int,
        allowsInline: Bool,
        isOnMain: Bool,
        isScoped: Bool,
        isObserved: Bool,
        isInterruptible: Bool,
        threadMark: ThreadLocal
    ) {
        contents = Contents(life: Lifecycle(workerLimit: workerLimit), matching: Matching(seed: seed, chooser: chooser))
        self.allowsInline = allowsInline
        self.isOnMain = isOnMain
        self.isScoped = isScoped
        self.isObserved = isObserved
        self.isInterruptible = isInterruptible
        self.threadMark = threadMark
    }
}

/// The owner of a soup: the definition. None of this is on the hot path.
@usableFromInline
protocol SoupOwner: AnyObject, Sendable {
    /// What the definition is called in messages.
    var name: String { get }

    /// A reaction is possible, and a worker may be woken for it.
    func wakeWorker(_ entry: consuming SoupEntry)

    /// Leaves the soup for a caller of higher priority, which has put its call there and waits. Whoever looks after the
    /// soup, or is on its way, has at least that priority from then on.
    func leaveLifting(_ entry: consuming SoupEntry)

    /// Does what may be due after something has ended.
    func settle(_ entry: consuming SoupEntry)

    /// Answers the calls of a scope in which something has ended, if the scope could not end otherwise. Called outside
    /// of the soup.
    func checkForDeadlock()

    /// Tells whoever controls the machine of what happens now.
    func tell(of touch: Touch)

    /// Here a control may interrupt whoever runs in this thread.
    func mayBeInterrupted(_ place: PlaceOfInterruption)

    /// Why a call waits, from all that is known of its machine: a line for each cause. Called outside of the soup.
    func explainer() -> (WaitingCall) -> String
}

/// A reference to a soup. Whoever has it may enter the soup, and read what no lock protects.
@frozen
@usableFromInline
struct SoupReference: Hashable, Sendable {
    @usableFromInline let pointer: SharedPointer<Soup>
    /// Protected as described at `Soup`. Names keep its owner alive.
    @inlinable var memory: UnsafeMutablePointer<Soup> { @inline(__always) get { pointer.memory } }

    @inlinable
    init(_ memory: UnsafeMutablePointer<Soup>) {
        pointer = SharedPointer(memory)
    }

    /// Enters the soup as it is.
    @inlinable
    @inline(__always)
    func enter() -> SoupEntry { SoupEntry(self) }

    /// Enters the soup as a caller does: everything that this sender has injected before is then in it.
    @inlinable
    @inline(__always)
    func enterAsCaller() -> SoupEntry {
        let entry = SoupEntry(self)
        if entry.contents.life.activity != .idle { entry.absorb() }
        return entry
    }

    @inlinable var owner: any SoupOwner { memory.pointee.owner.unsafelyUnwrapped }
}
