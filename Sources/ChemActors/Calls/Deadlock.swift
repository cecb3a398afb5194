import ChemBase
import Synchronization

// A state comes back when the body that has taken it ends, and in no other way. So if that body waits in a call which
// lacks a state that, in turn, ... is held by the first body, nothing will ever happen. Whoever begins to wait last
// finds that: all others have told their definitions before.
//
// Molecules that aren't states may be injected by anybody who has their name, so nobody knows that they won't come.

/// Why a call will never be answered.
private struct Deadlock {
    /// A call, the state that it lacks, and who holds that.
    struct Link {
        let call: Call
        let state: String
        let holder: BodyScope
    }

    /// Locked by whoever breaks a cycle, before any soup.
    static let breaking = Mutex(())

    /// The deadlock in which `call` waits, if it does.
    static func of(_ call: Call) -> Deadlock? {
        var deadlock = Deadlock()
        return deadlock.isStuck(call) ? deadlock : nil
    }

    /// The calls that are being looked at, each waiting for the next.
    private var way: [Link] = []
    /// The calls that may be answered.
    private var open: Set<ObjectIdentifier> = []
    /// The cycle, once it is found.
    private(set) var cycle: [Link] = []

    /// Whether `call` can't be answered, if the calls on the way can't.
    ///
    /// Those who hold what it lacks are noted under the lock of its soup and looked at afterwards, one soup at a time.
    /// A body that waited at one moment and waits in the same call at a later one has held its states in between, so
    /// what is found is true at the last moment.
    mutating func isStuck(_ call: Call) -> Bool {
        if let index = way.firstIndex(where: { $0.call === call }) {
            if cycle.isEmpty { cycle = Array(way[index...]) }
            return true
        }
        guard !open.contains(ObjectIdentifier(call)), let reactions = call.holders() else { return false }
        for holders in reactions {
            var isStuck = false
            for (state, holder, next) in holders where !isStuck {
                way.append(Link(call: call, state: state, holder: holder))
                isStuck = self.isStuck(next)
                way.removeLast()
            }
            guard isStuck else {
                open.insert(ObjectIdentifier(call))
                return false
            }
        }
        return true
    }

    /// Who waits for what, held by whom: a line for each call of the cycle.
    var text: String {
        cycle.map { link in
            "'\(link.call.slot.fullName)' (\(link.call.location)) waits for state '\(link.state)', which the body of "
                + "\(link.holder.reaction.text) (\(link.holder.reaction.location)) holds"
        }.joined(separator: "; ")
    }
}

extension Call {
    /// For each reaction that takes this call, the states that it lacks and that bodies hold which wait in calls.
    /// Returns nil if the call doesn't wait, or not for ever.
    fileprivate func holders() -> [[(state: String, holder: BodyScope, next: Call)]]? {
        var result: [[(state: String, holder: BodyScope, next: Call)]]?
        let entry = soup.enter()
        if isWaiting(entry), !isTimed {
            let reactions = entry.state.chemistry.reactions
            result = []
            for use in slot.header.pointee.uses {
                var holders: [(state: String, holder: BodyScope, next: Call)] = []
                for state in reactions[Int(use.reaction)].description.states where state.present(entry) == 0 {
                    guard let holder = state.holder as? BodyScope, let next = holder.waitingCall as? Call else {
                        continue
                    }
                    holders.append((state.name, holder, next))
                }
                result?.append(holders)
            }
        }
        entry.leaveUnchanged()
        return result
    }

    /// Notes that the task of `body` waits in this call, and ends the call if that closes a cycle. Called in the task,
    /// when the call has entered the soup.
    func beginWaiting(_ body: BodyScope) {
        body.beginWaiting(self)
        guard Deadlock.of(self) != nil else { return }
        // Several may find the same cycle, and one of them breaks it: whoever looks after that finds none.
        let error = Deadlock.breaking.withLock { _ -> CallError? in
            guard let deadlock = Deadlock.of(self), takeOut() else { return nil }
            return CallError(.deadlock, slot, deadlock.text)
        }
        guard let error else { return }
        finish(throwing: error)
        soup.endChore()
    }
}

extension BodyScope {
    /// Notes that the task of the body waits in `call`, so the states that the body has taken don't come back before
    /// the call is answered.
    fileprivate func beginWaiting(_ call: Call) {
        let entry = join.soup.enter()
        waitingCall = call
        for state in reaction.states { state.holder = self }
        entry.leaveUnchanged()
    }

    /// Notes that the task of the body goes on.
    func endWaiting() {
        let entry = join.soup.enter()
        waitingCall = nil
        for state in reaction.states { state.holder = nil }
        entry.leaveUnchanged()
    }
}
