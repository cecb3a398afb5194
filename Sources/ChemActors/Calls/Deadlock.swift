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

    /// The cycle in which all wait, or into which they do. Empty if there is none.
    private(set) var cycle: [Link]

    /// The deadlock in which `call` waits, if it does.
    ///
    /// - Complexity: O(the calls that wait for each other, and the ways in which they could be answered).
    static func of(_ call: Call) -> Deadlock? { Deadlock(DeadlockSearch(from: call)) }

    /// What was found, if the call with which `search` began waits in a deadlock.
    init?(_ search: DeadlockSearch) {
        guard search.isStuck else { return nil }
        cycle = search.cycle
    }

    /// Takes one call of the cycle out of its soup, the first if it is still there, and has the cycle begin with it. At
    /// least one of them waits.
    mutating func takeOneOut() -> Call? {
        guard let index = cycle.firstIndex(where: { $0.call.takeOut() }) else { return nil }
        cycle = Array(cycle[index...] + cycle[..<index])
        return cycle[0].call
    }

    /// Who waits for what, held by whom: a part for each call of the cycle. Definitions with the same name are
    /// numbered, and of their calls it is told whose body makes them.
    var text: String {
        var joins: [Join] = []
        for join in cycle.map(\.call.join) where !joins.contains(where: { $0 === join }) { joins.append(join) }
        func number(_ join: Join) -> String {
            let namesakes = joins.filter { $0.name == join.name }
            guard namesakes.count > 1, let index = namesakes.firstIndex(where: { $0 === join }) else { return "" }
            return " of '\(join.name)' no. \(index + 1)"
        }
        let bodies = cycle.map { link in
            let reaction = link.need.body.reaction
            return "the body of \(reaction.text) (\(reaction.location))\(number(link.need.body.join))"
        }
        return cycle.indices.map { index in
            let (call, need) = (cycle[index].call, cycle[index].need)
            let body = bodies[index]
            let what = need.state.map { "state '\($0)', which \(body) holds" } ?? "the answer of \(body)"
            let number = number(call.join)
            // Each is called by the body that the one before waits for.
            let caller = number.isEmpty ? "" : ", called by \(bodies[index > 0 ? index - 1 : bodies.count - 1]),"
            return "'\(call.slot.fullName)'\(number) (\(call.location))\(caller) waits for \(what)"
        }.joined(separator: "; ")
    }
}

/// Which of the calls may be answered that one call waits for, directly or not. The others never will.
///
/// What a call needs is noted under the lock of its soup, one soup after the other. A body that waited at one moment
/// and waits in the same call at a later one has given nothing back in between, so what is found is true at the last
/// moment.
private struct DeadlockSearch {
    private struct Node {
        let call: Call
        /// For each way in which it could be answered, what that needs. Nothing if it isn't known to wait.
        let ways: [[Deadlock.Need]]
        /// For each way, how many of its needs may never come.
        var lacks: [Int]
        /// Whether it may be answered.
        var isOpen: Bool
        /// Whose ways need this one.
        var dependents: [(node: Int, way: Int)] = []

        init(_ call: Call) {
            self.call = call
            let needs = call.needs()
            ways = needs ?? []
            lacks = ways.map(\.count)
            isOpen = needs == nil || lacks.contains(0)
        }
    }

    private var nodes: [Node] = []
    private var places: [ObjectIdentifier: Int] = [:]

    init(from call: Call) {
        _ = place(of: call)
        var next = 0
        while next < nodes.count {
            for (way, needs) in nodes[next].ways.enumerated() where !nodes[next].isOpen {
                for need in needs {
                    let place = place(of: need.next)
                    nodes[place].dependents.append((next, way))
                }
            }
            next += 1
        }
        open()
    }

    /// Its place, which it is given if it hasn't been seen.
    private mutating func place(of call: Call) -> Int {
        if let place = places[ObjectIdentifier(call)] { return place }
        places[ObjectIdentifier(call)] = nodes.count
        nodes.append(Node(call))
        return nodes.count - 1
    }

    /// Goes from those that may be answered to those that need nothing else.
    private mutating func open() {
        var left = nodes.indices.filter { nodes[$0].isOpen }
        while let opened = left.popLast() {
            for (node, way) in nodes[opened].dependents where !nodes[node].isOpen {
                nodes[node].lacks[way] -= 1
                guard nodes[node].lacks[way] == 0 else { continue }
                nodes[node].isOpen = true
                left.append(node)
            }
        }
    }

    /// Whether the first call will never be answered.
    var isStuck: Bool { !nodes[0].isOpen }

    /// The first cycle on the way from the first call, which is stuck.
    var cycle: [Deadlock.Link] {
        var way: [Deadlock.Link] = []
        var seen: [Int: Int] = [:]
        var current = 0
        while seen[current] == nil {
            guard let needs = nodes[current].ways.first,
                let (need, next) = needs.lazy.compactMap(stuck).first
            else { return [] }
            seen[current] = way.count
            way.append(Deadlock.Link(call: nodes[current].call, need: need))
            current = next
        }
        return Array(way[(seen[current] ?? 0)...])
    }

    /// The place of the call that `need` waits for, if that is stuck.
    private func stuck(_ need: Deadlock.Need) -> (Deadlock.Need, Int)? {
        guard let place = places[ObjectIdentifier(need.next)], !nodes[place].isOpen else { return nil }
        return (need, place)
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
    ///
    /// A body for whose answer no body waits, and which has no state, is in no cycle. Who waits for its answer says so
    /// before it says that it waits, so the last of a cycle sees it: without that, a chain of bodies, each of which
    /// calls the next, would be searched by each of them.
    func beginWaiting(_ body: BodyScope) {
        let entry = soup.enter()
        isOfWaitingBody = true
        self.body?.isAwaitedByBody = true
        entry.leaveUnchanged()
        guard body.beginWaiting(self), Deadlock.of(self) != nil else { return }
        // Several may find the same cycle, and one of them breaks it: whoever looks after that finds none.
        var search: DeadlockSearch?
        let broken = Deadlock.breaking.withLock { _ -> (call: Call, error: CallError)? in
            let new = DeadlockSearch(from: self)
            search = new
            guard var deadlock = Deadlock(new), let call = deadlock.takeOneOut() else { return nil }
            return (call, CallError(.deadlock, call.slot, deadlock.text))
        }
        // Calls that have ended meanwhile are released here, with what they carry, and not under that lock.
        withExtendedLifetime(search) {}
        guard let broken else { return }
        broken.call.finish(throwing: broken.error)
        broken.call.soup.endChore()
    }
}

extension BodyScope {
    /// Notes that the task of the body waits in `call`, so the states that it updates don't come back, nor does its
    /// answer, before the call is answered.
    ///
    /// - Returns: whether somebody may wait for these.
    fileprivate func beginWaiting(_ call: Call) -> Bool {
        let entry = join.soup.enter()
        waitingCall = call
        var mayBeAwaited = isAwaitedByBody
        for state in reaction.updatedStates {
            state.holder = self
            mayBeAwaited = true
        }
        entry.leaveUnchanged()
        return mayBeAwaited
    }

    /// Notes that the task of the body goes on.
    func endWaiting() {
        let entry = join.soup.enter()
        waitingCall = nil
        for state in reaction.updatedStates { state.holder = nil }
        entry.leaveUnchanged()
    }
}
