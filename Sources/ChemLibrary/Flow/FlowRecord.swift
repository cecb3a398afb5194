public import ChemBase
import Synchronization

/// The outside view of a store: its last committed value, and the events that it remembers.
///
/// The graph writes it at the end of a wave. Any thread may read it at any time, and never waits for a wave.
@usableFromInline
package final class FlowRecord<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: every variable below is touched under `lock`; `limit` changes only before the graph is sealed.
    @usableFromInline let lock = Lock()
    @exclusivity(unchecked) @usableFromInline package var current: Value?
    @exclusivity(unchecked) @usableFromInline package var initial: Value?
    /// The initial value that it was made with, which a computed one may have replaced.
    let declared: Value?
    /// The remembered events, oldest first.
    @exclusivity(unchecked) @usableFromInline package var events = FIFO<(time: FlowTime, value: Value)>()
    /// How many events it remembers: none, unless the store has a history.
    @exclusivity(unchecked) @usableFromInline package var limit: Int
    /// How many events have left `events`.
    @exclusivity(unchecked) @usableFromInline var popped = 0
    /// The time of the oldest event that has been forgotten.
    @exclusivity(unchecked) @usableFromInline var firstForgotten: FlowTime?
    /// The error of the operator that should have written last.
    @exclusivity(unchecked) @usableFromInline package var failure: (any Error)?
    /// Whether an operator has ever failed. If not, values that change nothing need no lock.
    private let mayHaveFailed = Atomic(false)

    @usableFromInline
    package init(initial: Value?, limit: Int) {
        self.initial = initial
        declared = initial
        current = initial
        self.limit = limit
    }

    /// Writes the value that the store has after a wave.
    @inlinable
    package func commit(_ value: Value, at time: FlowTime) {
        var old: (value: Value?, event: (time: FlowTime, value: Value)?, error: (any Error)?)
        lock.lock()
        old.value = current
        current = value
        old.error = failure
        failure = nil
        if limit > 0 {
            if events.count >= limit {
                old.event = events.popFirst()
                popped += 1
                if firstForgotten == nil { firstForgotten = old.event?.time }
            }
            events.append((time, value))
        }
        lock.unlock()
        withExtendedLifetime(old) {}  // released here, after the lock
    }

    /// Records that the operator that should have written has failed.
    @usableFromInline
    package func fail(_ error: any Error) {
        mayHaveFailed.store(true, ordering: .relaxed)
        let old = lock.withLock {
            let old = failure
            failure = error
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Records that an operator has come to the value that is there.
    @usableFromInline
    package func recover() {
        guard mayHaveFailed.load(ordering: .relaxed) else { return }
        let old = lock.withLock { failure.take() }
        withExtendedLifetime(old) {}
    }

    /// Makes it remember `limit` events, if it remembers none so far. Call it before the graph is sealed.
    func remember(_ limit: Int) { lock.withLock { if self.limit == 0 { self.limit = limit } } }

    /// Replaces the initial value, before the graph is sealed. Returns the old values, to be released outside locks.
    func restart(at value: Value) -> (Value?, Value?) {
        lock.withLock {
            let old = (current, initial)
            current = value
            initial = value
            return old
        }
    }

    @usableFromInline
    package var value: Value? { lock.withLock { current } }

    @usableFromInline
    package var lastFailure: (any Error)? { lock.withLock { failure } }

    package var initialValue: Value? { lock.withLock { initial } }

    /// The events that are remembered now, oldest first. There may be a million, so they are copied a few at a time: a
    /// wave that publishes a value, or who reads one, doesn't wait for all.
    @usableFromInline
    package var history: [(time: FlowTime, value: Value)] {
        var copies: [(time: FlowTime, value: Value)] = []
        var (next, end) = lock.withLock { (popped, popped + events.count) }
        copies.reserveCapacity(end - next)
        while next < end {
            lock.withLock {
                if next < popped {
                    // All copies so far have been forgotten meanwhile, and more than these.
                    copies.removeAll(keepingCapacity: true)
                    next = popped
                    end = max(end, next)
                }
                let last = min(end, next + 256)
                for index in next..<last { copies.append(events[index - popped]) }
                next = last
            }
        }
        return copies
    }

    /// The time of the oldest event that has been forgotten. Nil if none has.
    package var forgottenSince: FlowTime? { lock.withLock { firstForgotten } }

    /// Notes that there were events before those that are committed next, the oldest of them at `time`.
    package func forget(since time: FlowTime) { lock.withLock { firstForgotten = time } }

    /// The value at `time`, and whether the event that set it has been forgotten.
    @usableFromInline
    package func lookup(at time: FlowTime) -> (value: Value?, isForgotten: Bool) {
        lock.lock()
        defer { lock.unlock() }
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        if low > 0 { return (events[low - 1].value, false) }
        if let firstForgotten, time >= firstForgotten { return (initial, true) }
        return (initial, false)
    }

    /// The time of the last remembered event, if there is one.
    var lastTime: FlowTime? { lock.withLock { events.isEmpty ? nil : events[events.count - 1].time } }

    /// Whether an event took place after `time`.
    func hasChanged(since time: FlowTime) -> Bool {
        lock.withLock { events.count > 0 && events[events.count - 1].time > time }
    }
}
