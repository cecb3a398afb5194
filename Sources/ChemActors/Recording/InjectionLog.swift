import ChemBase

/// The injections into a definition that is fully recorded. They have a lock and memory of their own: whoever injects
/// waits for no reaction, and the worker that has the soup for nobody who injects.
final class InjectionLog: Sendable {
    private struct Log: ~Copyable {
        var ring: EventRing
        var texts: EventTexts
        /// The time of the newest one.
        var newest: UInt64 = 0
    }

    private let log: Guarded<Log>

    /// - Parameter limit: How many it keeps.
    init(limit: Int) {
        log = Guarded(Log(ring: EventRing(limit: limit), texts: EventTexts(limit: limit)))
    }

    /// The time of the newest injection, or zero.
    var lastStamp: UInt64 { log.withLock { $0.newest } }

    /// Writes down that so many copies are about to be injected.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - subject: The molecule, as its place among those of the definition.
    ///   - sender: The body that injects, as events keep it, or zero.
    ///   - text: What is told of the value.
    func append(_ count: Int, of subject: Int32, by sender: UInt64, text: String?) {
        let now = Platform.monotonicNanoseconds
        log.withLock { log in
            // Somebody who has looked at the clock later may have come first.
            log.newest = max(now, log.newest)
            log.ring.append(
                RecordedEvent(
                    stamp: log.newest,
                    number: text.map { log.texts.add($0) } ?? 0,
                    count: UInt32(clamping: count),
                    sender: sender,
                    subject: UInt32(bitPattern: subject),
                    kind: .injected
                )
            )
        }
    }

    /// The last `count` of those that it holds, with their texts, and how many aren't held any more.
    func last(_ count: Int) -> (events: [RecordedEvent], texts: EventTexts, lost: Int) {
        log.withLock { log in
            let events = log.ring.last(count)
            return (events, log.texts.last(events.count), log.ring.lost(holding: events))
        }
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
        // Starts have their numbers in order.
        var started: UInt32 = 0
        for event in self {
            while next < injections.count {
                let injection = injections[next]
                guard injection.stamp <= event.stamp else { break }
                if injection.stamp == event.stamp, injection.isBy(startAfter: started, of: definition) { break }
                result.append(injection)
                next += 1
            }
            if event.kind == .started { started = event.number }
            result.append(event)
        }
        return result + injections[next...]
    }
}

extension RecordedEvent {
    /// Whether a body of `definition` sends this that has started after the one with the number `started`.
    fileprivate func isBy(startAfter started: UInt32, of definition: UInt32) -> Bool {
        guard UInt32(truncatingIfNeeded: sender >> 32) == definition else { return false }
        return Int32(bitPattern: UInt32(truncatingIfNeeded: sender) &- started) > 0
    }
}
