import ChemBase
import Synchronization

/// The definition that a worker's thread serves next, because a short body on it has made something possible there.
///
/// Waking a worker by a task of its own wakes another thread, which costs many times as much as most reactions. A body
/// known to be short leaves the definition here instead, and the worker goes on with it once its own definition has
/// nothing more to do. If its own definition has more to do, a second definition comes, or the body proves long after
/// all, the definition that waits here gets a task of its own. So nothing waits longer than for a short body, or for
/// two looks of the monitor.
struct Handoff: ~Copyable {
    private enum Place {
        static let empty: UInt = 0
        /// Whatever is woken gets a task of its own.
        static let closed: UInt = 1
    }

    /// Empty, closed, or a retained definition.
    private let place = Atomic<UInt>(Place.closed)

    private static let worker = ThreadLocal()

    /// The worker on this thread whose `Handoff` is in use, if there is one.
    static var current: UnsafeMutablePointer<WorkerRecord>? {
        worker.pointer?.assumingMemoryBound(to: WorkerRecord.self)
    }

    /// From now on, whatever is woken on this thread goes to the hand-off of `worker` or, with nil, gets a task of its
    /// own.
    static func install(_ worker: UnsafeMutablePointer<WorkerRecord>?) {
        Self.worker.pointer = worker.map { UnsafeMutableRawPointer($0) }
    }

    /// Prepares for a body that begins. Called by the worker, which leaves nothing here before it runs another body.
    func open(isShort: Bool) {
        place.store(isShort ? Place.empty : Place.closed, ordering: .relaxed)
    }

    var isEmpty: Bool { place.load(ordering: .relaxed) <= Place.closed }

    /// Leaves `join` here in place of what was here before. Returns false if it needs a task of its own. Called on the
    /// worker's thread.
    func put(_ join: Join) -> Bool {
        Interleaving.point()
        let new = UInt(bitPattern: Unmanaged.passRetained(join).toOpaque())
        var seen = place.load(ordering: .relaxed)
        while seen != Place.closed {
            let (exchanged, original) = place.compareExchange(
                expected: seen,
                desired: new,
                ordering: .acquiringAndReleasing
            )
            if exchanged {
                Self.definition(seen)?.startOwnWorker()
                return true
            }
            seen = original
        }
        Unmanaged.passUnretained(join).release()
        return false
    }

    /// Takes out what was left here, and closes the hand-off.
    ///
    /// Called by the worker when it goes on with that definition or when something begins that may take time, and by
    /// the monitor when the body is long. The caller makes sure that a worker comes.
    func close() -> Join? {
        Interleaving.point()
        return Self.definition(place.exchange(Place.closed, ordering: .acquiringAndReleasing))
    }

    /// Starts a worker for what was left on this thread, before something slow begins that the monitor can't see
    /// because it is no body: user code at the end of a definition, or when it is quiet. Nothing waits for that. Called
    /// outside of all locks.
    static func giveUp() {
        current?.pointee.handoff.close()?.startOwnWorker()
    }

    private static func definition(_ place: UInt) -> Join? {
        guard place > Place.closed, let pointer = UnsafeRawPointer(bitPattern: place) else { return nil }
        return Unmanaged<Join>.fromOpaque(pointer).takeRetainedValue()
    }
}
