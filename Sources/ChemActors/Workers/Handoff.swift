import ChemBase
import Synchronization

/// The definition that a worker's thread serves next: one in which a short body of it has made something possible.
///
/// Waking a worker by a task of its own wakes another thread, which costs many times as much as most reactions. A body
/// known to be short leaves the definition here instead; once its own definition has nothing more to do, the worker
/// goes on with that one. Where there is more to do, or a second definition comes, or the body proves long after all,
/// the one that waits here gets a task of its own: nothing waits longer than for a short body, or for two looks of the
/// monitor.
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

    /// From now on whatever is woken on this thread comes to that of `worker`; or, with nil, gets a task of its own.
    static func install(_ worker: UnsafeMutablePointer<WorkerRecord>?) {
        Self.worker.pointer = worker.map { UnsafeMutableRawPointer($0) }
    }

    /// A body begins. By the worker, which leaves nothing here before it runs another body.
    func open(isShort: Bool) {
        place.store(isShort ? Place.empty : Place.closed, ordering: .relaxed)
    }

    var isEmpty: Bool { place.load(ordering: .relaxed) <= Place.closed }

    /// Leaves `join` here, instead of what was here before. False if it needs a task of its own. By the worker's
    /// thread.
    func put(_ join: Join) -> Bool {
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

    /// Takes out what was left here, and closes it.
    ///
    /// By the worker, when it goes on with that definition or something begins that may take time; and by the monitor,
    /// when the body is long. The caller sees to it that a worker comes.
    func close() -> Join? {
        Self.definition(place.exchange(Place.closed, ordering: .acquiringAndReleasing))
    }

    /// Something begins on this thread that may take its time and is no body, which the monitor would see: code of
    /// users at the end of a definition, or when it is quiet. Nothing waits for that. Outside of all locks.
    static func giveUp() {
        current?.pointee.handoff.close()?.startOwnWorker()
    }

    private static func definition(_ place: UInt) -> Join? {
        guard place > Place.closed, let pointer = UnsafeRawPointer(bitPattern: place) else { return nil }
        return Unmanaged<Join>.fromOpaque(pointer).takeRetainedValue()
    }
}
