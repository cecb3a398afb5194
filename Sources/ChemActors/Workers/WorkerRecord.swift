import ChemBase
import Synchronization

/// What the monitor needs to see of a running worker.
struct WorkerRecord: ~Copyable {
    /// Unused, as in `SlotHeader`.
    let padding: UInt = 0
    /// The definition that it serves. Protected by the lock of the monitor.
    var join: Unmanaged<Join>
    /// Its index in the list of the monitor.
    var place = 0
    /// How many reactions it has run, and how many it had at the monitor's last look. Protected by the lock of the
    /// soup.
    var count = 0
    var seenCount = -1
    /// Whether a body is running. Protected by the lock of the soup.
    var isInBody = false
    /// The number of the reaction whose body is running, or -1. Written by the worker, read by the monitor at any time.
    let reaction = Atomic<Int>(-1)
    /// Whether it has had its thread for long. Set by the monitor, since a worker that read the clock after each
    /// reaction would spend as much on that as on most bodies.
    let isOverdue = Atomic<Bool>(false)
    /// Whether its bodies may leave what they wake in `handoff`.
    let handsOn: Bool
    var handoff = Handoff()
    /// The task of the worker, as long as it exists. What is stored here has a fixed size, and Swift's own type for it
    /// would make the record one of those that are laid out and copied by functions of the runtime.
    private let task: UnsafePointer<UnsafeCurrentTask>?
    /// Who is the worker, until it has what it waits for.
    unowned(unsafe) private let asker: (any Beneficiary)?

    init(_ join: Join, for asker: (any Beneficiary)? = nil, handsOn: Bool, _ task: UnsafePointer<UnsafeCurrentTask>?) {
        self.join = .passUnretained(join)
        self.asker = asker
        self.handsOn = handsOn
        self.task = task
    }

    /// Whether what is possible has to be left to another worker, since this one works for somebody: that one has
    /// what it waits for, or something may take long.
    borrowing func mustLeave(_ entry: borrowing SoupEntry) -> Bool {
        guard let asker else { return false }
        return asker.isSettled || !entry.isShort
    }

    /// Gives the worker at least this priority, for a caller that waits for it. Called in the soup that it looks after.
    borrowing func lift(to priority: TaskPriority) {
        if let task, #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            task.pointee.escalatePriority(to: priority)
        }
    }
}
