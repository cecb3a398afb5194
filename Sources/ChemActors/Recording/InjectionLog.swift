import ChemBase
import Synchronization

/// The injections into a definition that is fully recorded. They have a lock and memory of their own: whoever injects
/// waits for no reaction, and the worker that has the soup for nobody who injects.
final class InjectionLog: @unchecked Sendable {
    // Checked by hand: everything mutable is touched under `lock`, so nobody need check that at run time.
    private let lock = Lock()
    @exclusivity(unchecked) private var ring: EventRing
    @exclusivity(unchecked) private var texts: EventTexts
    /// The time of the newest one.
    private let newest = Atomic<UInt64>(0)

    /// - Parameter limit: How many it keeps.
    init(limit: Int) {
        ring = EventRing(limit: limit)
        texts = EventTexts(limit: limit)
    }

    /// The time of the newest injection. Whoever takes a copy in the soup sees that of its injection, or a later one.
    @inline(__always)
    var lastStamp: UInt64 { newest.load(ordering: .relaxed) }

    /// Writes down that so many copies are about to be injected.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - slot: The molecule.
    ///   - sender: The body that injects, as events keep it, or zero.
    ///   - text: What is told of the value.
    func append(_ count: Int, of slot: Slot, by sender: UInt64, text: String?) {
        let now = Platform.monotonicNanoseconds
        lock.lock()
        // Somebody who has looked at the clock later may have come first.
        let stamp = max(now, newest.load(ordering: .relaxed))
        newest.store(stamp, ordering: .relaxed)
        ring.append(
            RecordedEvent(
                stamp: stamp,
                number: text.map { texts.add($0) } ?? 0,
                count: UInt32(clamping: count),
                sender: sender,
                subject: UInt32(truncatingIfNeeded: slot.number),
                kind: .injected
            )
        )
        lock.unlock()
    }

    /// The last `count` of those that it holds, with their texts, and how many aren't held any more.
    func last(_ count: Int) -> (events: [RecordedEvent], texts: EventTexts, lost: Int) {
        lock.lock()
        defer { lock.unlock() }
        let events = ring.last(count)
        return (events, texts, ring.lost(holding: events))
    }
}

extension [RecordedEvent] {
    /// These events, and injections into the same definition where they belong by their times. Both are in order.
    ///
    /// At one moment, an injection comes before whatever takes it, and behind the start of the body that makes it.
    ///
    /// - Parameters:
    ///   - injections: The injections.
    ///   - definition: The number of the definition.
    /// - Returns: all of them.
    func merged(with injections: [RecordedEvent], of definition: UInt32) -> [RecordedEvent] {
        if injections.isEmpty { return self }
        var result: [RecordedEvent] = []
        result.reserveCapacity(count + injections.count)
        var next = 0
        for event in self {
            while next < injections.count, injections[next].comes(before: event, of: definition) {
                result.append(injections[next])
                next += 1
            }
            result.append(event)
        }
        return result + injections[next...]
    }
}

extension RecordedEvent {
    /// Whether this injection belongs before another event of `definition`.
    fileprivate func comes(before other: RecordedEvent, of definition: UInt32) -> Bool {
        if stamp != other.stamp { return stamp < other.stamp }
        return other.kind != .started || sender != UInt64(definition) << 32 | UInt64(other.number)
    }
}
