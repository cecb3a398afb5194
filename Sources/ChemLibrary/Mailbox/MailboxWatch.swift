import ChemBase
import Synchronization

/// A watch on an actor, which can be ended.
///
/// One that an actor has on another, by ``MailboxContext/watch(_:as:)``, ends with the actor that watches.
public struct MailboxWatch: Sendable {
    let core: MailboxCore
    let state: State

    /// Ends the watch. The handler won't be called unless the actor has ended by then.
    public func cancel() { core.end(state) }

    /// What a watch and the actor that it watches share.
    final class State: Sendable {
        /// Its number among the watches of the process.
        let number = numbers.add(1, ordering: .relaxed).newValue
        /// Whether it goes on. The command that begins it may come after its end.
        let isOn = Atomic(true)
        /// Where the actor that watches has noted it, if it is an actor. The note holds the watch, so the watch doesn't
        /// hold the note.
        private weak let list: MailboxWatches?

        private static let numbers = Atomic<Int>(0)

        init(_ list: MailboxWatches?) {
            self.list = list
        }

        /// It is over, so whoever watches need not end it.
        func leaveList() { list?.remove(number) }
    }
}

/// What an actor watches: the watches that end with it.
///
/// Those that it watches take theirs off the list when they end, on any thread. So the list has a lock, under which
/// nothing else is locked, and nothing is released.
final class MailboxWatches: Sendable {
    private let all = Guarded<[Int: MailboxWatch]>([:])

    func add(_ watch: MailboxWatch) { all.withLock { $0[watch.state.number] = watch } }

    func remove(_ number: Int) {
        let removed: MailboxWatch? = all.withLock { $0.removeValue(forKey: number) }
        // Released here, outside of the lock.
        _ = removed
    }

    /// Ends all that are left.
    func endAll() {
        let left: [Int: MailboxWatch] = all.withLock { all in
            let left = all
            all = [:]
            return left
        }
        for watch in left.values { watch.cancel() }
    }
}

/// Who is told of an actor's end.
///
/// A watch begins by a command to the actor, but doesn't end by one: whoever ends it may be the end of another actor,
/// when nobody holds this one any more, and no command reaches it. So there is a lock, under which nothing else is
/// locked, and no handler is called or released.
struct MailboxWatchers: Sendable {
    typealias Handler = @Sendable (MailboxTermination) -> Void

    private let all = Guarded<[Int: Handler]>([:])

    /// Adds a handler, unless its watch was ended before.
    func add(_ watch: MailboxWatch.State, _ handler: @escaping Handler) {
        all.withLock { all in
            guard watch.isOn.load(ordering: .acquiring) else { return }
            all[watch.number] = handler
        }
    }

    func remove(_ number: Int) {
        let removed: Handler? = all.withLock { $0.removeValue(forKey: number) }
        // Released here, outside of the lock.
        _ = removed
    }

    /// Takes all out, in the order in which they came, however the dictionary arranges them.
    func takeAll() -> [Handler] {
        let taken: [Int: Handler] = all.withLock { all in
            let taken = all
            all = [:]
            return taken
        }
        return taken.sorted { $0.key < $1.key }.map(\.value)
    }
}
