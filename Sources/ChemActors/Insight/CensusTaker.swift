import ChemBase

/// Walks over the definitions of a machine and counts.
struct CensusTaker {
    /// A call that waits, with the definition in which it does.
    struct OldCall {
        let join: Join
        let molecule: String
        let location: SourceLocation
        /// When it began to wait, by `Pace`.
        let entered: UInt64
    }

    private let machine: ChemicalMachine
    /// How many of the calls that have waited longest are wanted.
    private let callLimit: Int

    init(_ machine: ChemicalMachine, oldestCalls callLimit: Int = 0) {
        self.machine = machine
        self.callLimit = callLimit
    }

    func take() -> (census: MachineCensus, oldestCalls: [OldCall]) {
        let now = Pace.now
        let ((counted, calls), dissolved) = machine.dissolved.whileCounting { look(now) }
        var groups: [MachineCensus.Group] = []
        var places: [String: Int] = [:]
        /// The place of the group of that name and location. Different keys may have the same texts.
        func place(_ name: String, _ location: String) -> Int {
            let text = "\(name)@\(location)"
            if let place = places[text] { return place }
            places[text] = groups.count
            groups.append(MachineCensus.Group(name: name, location: location))
            return groups.count - 1
        }
        for count in counted { groups[place(count.name, count.location)] += count }
        for count in dissolved.values {
            let place = place(count.name, count.location?.description ?? "")
            groups[place].dissolved += count.definitions
            groups[place].started += count.started
            groups[place].failed += count.failed
            groups[place] += count.latencies
        }
        groups.sort { ($0.name, $0.location) < ($1.name, $1.location) }
        return (MachineCensus(groups: groups), calls)
    }

    private func look(
        _ now: UInt64
    ) -> ((groups: [MachineCensus.Group], calls: [OldCall]), wasSeen: ([DissolvedTally.Late]) -> [Bool]) {
        let definitions = machine.definitions
        var groups: [MachineCensus.Group] = []
        var places: [GroupKey: Int] = [:]
        var last: (key: GroupKey, place: Int)?
        var oldest = OldestCalls(limit: callLimit)
        var skipped: Set<Int> = []
        for (index, join) in definitions.enumerated() {
            guard let headcount = Headcount(join) else {
                skipped.insert(index)
                continue
            }
            let key = GroupKey(join)
            let place: Int
            if let last, last.key == key {
                place = last.place
            } else if let known = places[key] {
                place = known
            } else {
                place = groups.count
                places[key] = place
                groups.append(MachineCensus.Group(name: join.name, location: join.location.description))
            }
            last = (key, place)
            groups[place].add(headcount, now)
            if callLimit > 0 { oldest.add(headcount.calls, of: join) }
        }
        return (
            (groups, oldest.all),
            { late in
                let seen = Set(
                    definitions.indices.filter { !skipped.contains($0) }.map { ObjectIdentifier(definitions[$0]) }
                )
                return late.map { seen.contains(ObjectIdentifier($0.join)) }
            }
        )
    }
}

/// What a census wants to know of a definition.
struct Headcount {
    let phase: Lifecycle.Phase
    let started: Int
    let failed: Int
    let running: Int
    let pendingRetries: Int
    let present: Int
    let waitingCalls: Int
    let latencies: OwnLatencies
    /// The calls that wait, of each fast molecule that has some.
    let calls: [(molecule: Slot, calls: WaitingCalls)]

    /// Nil if the definition has dissolved.
    init?(_ join: Join) {
        join.soup.tellFirst(of: .looks)
        let entry = join.soup.enter()
        phase = entry.contents.life.phase
        started = entry.contents.started
        failed = entry.state.failures
        running = entry.contents.life.running
        pendingRetries = entry.contents.life.retries
        latencies = entry.state.latencies
        var present = 0
        var waiting = 0
        var calls: [(molecule: Slot, calls: WaitingCalls)] = []
        let rooms = entry.state.chemistry.rooms
        for slot in entry.contents.slots {
            switch slot.kind {
            case .gate: continue
            // The free places of a bounded molecule are nobody's.
            case .slow where rooms.contains { $0.room === slot }: continue
            // Copies without values may be any number.
            case .slow, .state: present &+= slot.present(entry)
            case .fast:
                let count = slot.present(entry)
                waiting += count
                if count > 0, let waiting = slot.waitingCalls(entry) { calls.append((slot, waiting)) }
            }
        }
        self.present = present
        waitingCalls = waiting
        self.calls = calls
        entry.leaveUnchanged()
        if phase == .dissolved { return nil }
    }

    /// When the call began to wait that has waited longest.
    var oldest: UInt64? { calls.compactMap(\.calls.oldestEntry).min() }
}

extension MachineCensus.Group {
    fileprivate mutating func add(_ headcount: Headcount, _ now: UInt64) {
        definitions += 1
        started += headcount.started
        failed += headcount.failed
        running += headcount.running
        pendingRetries += headcount.pendingRetries
        present &+= headcount.present
        waitingCalls += headcount.waitingCalls
        self += headcount.latencies
        if let wait = headcount.oldest.map({ Duration.nanoseconds(now > $0 ? now - $0 : 0) }) {
            longestWait = max(longestWait ?? .zero, wait)
        }
    }

    fileprivate static func += (group: inout Self, latencies: OwnLatencies) {
        group.waits += latencies.waits
        group.bodies += latencies.bodies
    }

    fileprivate static func += (group: inout Self, other: Self) {
        group.definitions += other.definitions
        group.dissolved += other.dissolved
        group.started += other.started
        group.failed += other.failed
        group.running += other.running
        group.pendingRetries += other.pendingRetries
        group.present &+= other.present
        group.waitingCalls += other.waitingCalls
        group.waits += other.waits
        group.bodies += other.bodies
        group.longestWait = [group.longestWait, other.longestWait].compactMap { $0 }.max()
    }
}

/// The calls that have waited longest of those that it was shown.
private struct OldestCalls {
    let limit: Int
    private var calls: [CensusTaker.OldCall] = []
    /// When the youngest of them began to wait, if there is no room for more.
    private var bound = UInt64.max

    init(limit: Int) { self.limit = limit }

    mutating func add(_ waiting: [(molecule: Slot, calls: WaitingCalls)], of join: Join) {
        for (molecule, waiting) in waiting {
            waiting.forEach { call in
                let entered = call.entered
                if entered == 0 || entered >= bound { return }
                calls.append(
                    CensusTaker.OldCall(
                        join: join,
                        molecule: molecule.name,
                        location: call.location,
                        entered: entered
                    )
                )
                // Sorting now and then is cheaper than keeping them in order.
                if calls.count >= 4 * limit { shrink() }
            }
        }
    }

    private mutating func shrink() {
        calls.sort { $0.entered < $1.entered }
        if calls.count >= limit {
            calls.removeSubrange(limit...)
            bound = calls.last?.entered ?? .max
        }
    }

    /// Longest wait first.
    var all: [CensusTaker.OldCall] {
        var copy = self
        copy.shrink()
        return copy.calls
    }
}
