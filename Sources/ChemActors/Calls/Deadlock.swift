import ChemBase
import Synchronization

// A state comes back when the body that has taken it ends, and in no other way, and so does the answer of a call that a
// body answers. So if that body waits in a call which in its turn waits for a state or an answer, and so on round to
// the first, nothing will ever happen. Whoever begins to wait last finds that: all others have told their definitions
// before.
//
// Molecules that aren't states may be injected by anybody who has their name, and a reply may be answered by anybody
// who has it, so nobody knows that they won't come.

/// Why a call will never be answered.
private struct Deadlock {
    /// A call, the body that it waits for, and what that has.
    struct Link {
        let call: Call
        let need: Need
    }

    /// What a call waits for.
    struct Need {
        /// The state that `body` has, or nil if it is about to answer the call itself.
        let state: String?
        let body: BodyScope
        /// The call in which `body` waits.
        let next: Call
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
    /// What it needs is noted under the lock of its soup and looked at afterwards, one soup at a time. A body that
    /// waited at one moment and waits in the same call at a later one has given nothing back in between, so what is
    /// found is true at the last moment.
    private mutating func isStuck(_ call: Call) -> Bool {
        if let index = way.firstIndex(where: { $0.call === call }) {
            if cycle.isEmpty { cycle = Array(way[index...]) }
            return true
        }
        guard !open.contains(ObjectIdentifier(call)), let ways = call.needs() else { return false }
        for needs in ways {
            var isStuck = false
            for need in needs where !isStuck {
                way.append(Link(call: call, need: need))
                isStuck = self.isStuck(need.next)
                way.removeLast()
            }
            guard isStuck else {
                open.insert(ObjectIdentifier(call))
                return false
            }
        }
        return true
    }

    /// Takes one call of the cycle out of its soup, the first if it is still there, and has the cycle begin with it. At
    /// least one of them waits.
    mutating func takeOneOut() -> Call? {
        guard let index = cycle.firstIndex(where: { $0.call.takeOut() }) else { return nil }
        cycle = Array(cycle[index...] + cycle[..<index])
        return cycle[0].call
    }

    /// Who waits for what, held by whom: a part for each call of the cycle. Definitions with the same name are
    /// numbered.
    var text: String {
        var joins: [Join] = []
        for join in cycle.map(\.call.join) where !joins.contains(where: { $0 === join }) { joins.append(join) }
        func number(_ join: Join) -> String {
            let namesakes = joins.filter { $0.name == join.name }
            guard namesakes.count > 1, let index = namesakes.firstIndex(where: { $0 === join }) else { return "" }
            return " of '\(join.name)' no. \(index + 1)"
        }
        return cycle.map { link in
            let reaction = link.need.body.reaction
            let body = "the body of \(reaction.text) (\(reaction.location))\(number(link.need.body.join))"
            let what = link.need.state.map { "state '\($0)', which \(body) holds" } ?? "the answer of \(body)"
            return "'\(link.call.slot.fullName)'\(number(link.call.join)) (\(link.call.location)) waits for \(what)"
        }.joined(separator: "; ")
    }
}

extension Call {
    /// For each way in which the call could be answered, what it needs from bodies that wait in calls themselves.
    /// Returns nil if it isn't waiting, or not for ever.
    fileprivate func needs() -> [[Deadlock.Need]]? {
        let entry = soup.enter()
        let needs =
            if isWaiting(entry) {
                isTimed ? nil : needsOfReactions(entry)
            } else if let body = answeringBody(entry), let next = body.waitingCall as? Call {
                [[Deadlock.Need(state: nil, body: body, next: next)]]
            } else {
                [[Deadlock.Need]]?.none
            }
        entry.leaveUnchanged()
        return needs
    }

    /// For each reaction that takes this call, the states that it lacks and that waiting bodies have.
    private func needsOfReactions(_ entry: borrowing SoupEntry) -> [[Deadlock.Need]] {
        let reactions = entry.state.chemistry.reactions
        var result: [[Deadlock.Need]] = []
        for use in slot.header.pointee.uses {
            var needs: [Deadlock.Need] = []
            for input in reactions[Int(use.reaction)].inputs where input.present(entry) == 0 {
                guard let holder = input.holder as? BodyScope, let next = holder.waitingCall as? Call else { continue }
                needs.append(Deadlock.Need(state: input.name, body: holder, next: next))
            }
            result.append(needs)
        }
        return result
    }

    /// Notes that the task of `body` waits in this call, and breaks the cycle that this closes, if it does. Called in
    /// the task, when the call is in the soup or was taken.
    func beginWaiting(_ body: BodyScope) {
        body.beginWaiting(self)
        guard Deadlock.of(self) != nil else { return }
        // Several may find the same cycle, and one of them breaks it: whoever looks after that finds none.
        let broken = Deadlock.breaking.withLock { _ -> (call: Call, error: CallError)? in
            guard var deadlock = Deadlock.of(self), let call = deadlock.takeOneOut() else { return nil }
            return (call, CallError(.deadlock, call.slot, deadlock.text))
        }
        guard let broken else { return }
        broken.call.finish(throwing: broken.error)
        broken.call.soup.endChore()
    }
}

extension BodyScope {
    /// Notes that the task of the body waits in `call`, so the states that it updates don't come back, nor does its
    /// answer, before the call is answered.
    fileprivate func beginWaiting(_ call: Call) {
        let entry = join.soup.enter()
        waitingCall = call
        for state in reaction.updatedStates { state.holder = self }
        entry.leaveUnchanged()
    }

    /// Notes that the task of the body goes on.
    func endWaiting() {
        let entry = join.soup.enter()
        waitingCall = nil
        for state in reaction.updatedStates { state.holder = nil }
        entry.leaveUnchanged()
    }
}
