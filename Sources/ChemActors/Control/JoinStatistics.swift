import ChemBase

/// What is in a definition and what has happened in it, at one moment.
///
/// At any moment, the numbers of each molecule add up:
/// injected + put back = in the inbox + present + consumed + dropped + ignored + withdrawn.
public struct JoinStatistics: Sendable {
    /// The numbers of one molecule. A call that a reaction answered at once counts as injected and consumed.
    public struct Molecule: Sendable, Equatable {
        /// Copies that were injected, including those that were ignored. A state counts once for each time it was put
        /// into the soup.
        public var injected = 0
        /// Copies that a failed reaction put back.
        public var putBack = 0
        /// Copies that wait to be put into the soup by a worker.
        public var inInbox = 0
        /// Copies in the soup.
        public var present = 0
        /// Copies that reactions have consumed.
        public var consumed = 0
        /// Copies that were dropped by clearing, deactivating or dissolving.
        public var dropped = 0
        /// Copies that came while the definition was deactivated, or after it had dissolved.
        public var ignored = 0
        /// Calls that were cancelled or timed out while they waited.
        public var withdrawn = 0

        /// Whether the numbers add up. They always do.
        public var isBalanced: Bool {
            // A bound may be any number, and numbers beyond the largest begin anew.
            injected &+ putBack == inInbox &+ present &+ consumed &+ dropped &+ ignored &+ withdrawn
        }
    }

    /// The numbers of each molecule, by its name. Molecules that share a name share the numbers.
    public var molecules: [String: Molecule] = [:]
    /// Reactions that have started.
    public var started = 0
    /// Reactions that have ended, failed ones included.
    public var finished = 0
    /// Reactions whose body threw, counting each attempt.
    public var failed = 0
    /// Bodies that are running now.
    public var running = 0
    /// The largest number of bodies that ran at the same time.
    public var peakRunning = 0
    /// Calls that wait in the soup.
    public var waitingCalls = 0
    /// Failed reactions that wait to be tried again.
    public var pendingRetries = 0

    /// Whether the numbers of all molecules add up.
    public var isBalanced: Bool { molecules.values.allSatisfy(\.isBalanced) && started == finished + running }

    /// Creates statistics without molecules or reactions.
    public init() {}

    /// Adds the numbers of another definition.
    ///
    /// Peaks are added too, which gives an upper bound.
    public static func += (sum: inout JoinStatistics, other: JoinStatistics) {
        for (name, numbers) in other.molecules { sum.molecules[name, default: Molecule()] += numbers }
        sum.started &+= other.started
        sum.finished &+= other.finished
        sum.failed &+= other.failed
        sum.running &+= other.running
        sum.peakRunning &+= other.peakRunning
        sum.waitingCalls &+= other.waitingCalls
        sum.pendingRetries &+= other.pendingRetries
    }
}

extension JoinStatistics.Molecule {
    static func += (sum: inout Self, other: Self) {
        sum.injected &+= other.injected
        sum.putBack &+= other.putBack
        sum.inInbox &+= other.inInbox
        sum.present &+= other.present
        sum.consumed &+= other.consumed
        sum.dropped &+= other.dropped
        sum.ignored &+= other.ignored
        sum.withdrawn &+= other.withdrawn
    }
}

extension JoinStatistics: CustomStringConvertible {
    /// A few readable lines: one for the reactions, one for each molecule.
    public var description: String {
        var lines = [
            "reactions: \(started) started, \(finished) finished, \(failed) failed, \(running) running (peak \(peakRunning)), "
                + "\(pendingRetries) to be tried again; \(waitingCalls) calls waiting"
        ]
        for (name, numbers) in molecules.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "\(name): \(numbers.present + numbers.inInbox) present, \(numbers.injected) injected, "
                    + "\(numbers.consumed) consumed, \(numbers.dropped) dropped, \(numbers.ignored) ignored, "
                    + "\(numbers.withdrawn) withdrawn, \(numbers.putBack) put back"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension Join {
    /// The numbers of this moment, all taken at once.
    ///
    /// If nobody holds a name any more, the definition has dissolved. Then nothing is present, and what was left has
    /// been dropped.
    ///
    /// - Complexity: O(molecules declared).
    nonisolated public var statistics: JoinStatistics {
        var result = JoinStatistics()
        soup.tellFirst(of: .looks)
        let entry = soup.enter()
        soup.memory.pointee.inboxLock.lock()
        for slot in entry.contents.slots where slot.kind != .gate {
            var numbers = JoinStatistics.Molecule()
            numbers.inInbox = slot.inInbox
            numbers.injected = slot.header.pointee.injected &+ numbers.inInbox
            numbers.putBack = slot.tally.putBack
            numbers.present = slot.present(entry)
            numbers.consumed = slot.header.pointee.consumed
            numbers.dropped = slot.tally.dropped
            numbers.ignored = slot.tally.ignored
            numbers.withdrawn = slot.tally.withdrawn
            result.molecules[slot.name, default: JoinStatistics.Molecule()] += numbers
            if slot.kind == .fast { result.waitingCalls += numbers.present }
        }
        soup.memory.pointee.inboxLock.unlock()
        result.started = entry.contents.started
        result.running = entry.contents.life.running
        result.finished = result.started - result.running
        result.failed = entry.state.failures
        result.peakRunning = entry.contents.peakRunning
        result.pendingRetries = entry.contents.life.retries
        entry.leaveUnchanged()
        return result
    }
}
