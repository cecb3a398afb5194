// What a publication asks of a machine. Each answer is a copy that nobody changes any more, and is made without walking
// over more than it tells of, except where it says so.

extension ChemicalMachine {
    /// A call that waits.
    package struct OldCall: Sendable {
        package let definition: Join
        package let molecule: String
        package let location: String
        package let entered: ContinuousClock.Instant
    }

    /// A census, and the calls that have waited longest, longest wait first.
    package func census(oldestCalls limit: Int) -> (census: MachineCensus, oldestCalls: [OldCall]) {
        let (census, calls) = CensusTaker(self, oldestCalls: limit).take()
        let reading = ClockReading()
        return (
            census,
            calls.map {
                OldCall(
                    definition: $0.join,
                    molecule: $0.molecule,
                    location: $0.location.description,
                    entered: reading.instant(at: $0.entered)
                )
            }
        )
    }

    /// The definitions of one name and place, which are told by both, with an @ between them.
    ///
    /// - Complexity: O(number of definitions).
    package func group(_ id: String) -> (name: String, location: String, group: InspectedGroup)? {
        // Both parts may hold an @, so whoever has members is meant.
        let all = definitions
        guard let first = all.first(where: { id.hasPrefix($0.name) && id == "\($0.name)@\($0.location)" }) else {
            return nil
        }
        let (name, location) = (first.name, first.location.description)
        return InspectedGroup(all.filter { $0.name == name && $0.location.description == location })
            .map { (name, location, $0) }
    }

    /// The definition that has this address, if there is one.
    package func definition(at address: UInt) -> Join? {
        definitions.first { $0.address == address }
    }

    /// The last events of those definitions in which something has happened last.
    ///
    /// - Parameters:
    ///   - limit: How many events.
    ///   - definitionLimit: Of how many definitions. All are looked at, and of so many the events are copied.
    /// - Returns: the events.
    package func lastEvents(_ limit: Int, of definitionLimit: Int) -> InspectedEvents {
        guard configuration.recorder.isOn else { return InspectedEvents([], limit: limit) }
        let latest = definitions.compactMap { join in join.lastStamp.map { (join, $0) } }
            .sorted { $0.1 > $1.1 }.prefix(definitionLimit)
        return InspectedEvents(latest.compactMap { $0.0.archived(last: limit) }, limit: limit)
    }
}

extension Join {
    /// Where it lies in memory.
    package nonisolated var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    package nonisolated var madeAt: String { location.description }

    /// The last events here.
    package nonisolated func lastEvents(_ limit: Int) -> InspectedEvents {
        InspectedEvents(archived(last: limit).map { [$0] } ?? [], limit: limit)
    }

    /// When something happened here last, if that is recorded.
    fileprivate nonisolated var lastStamp: UInt64? {
        guard let observation else { return nil }
        let entry = soup.enter()
        let stamp = observation.lastStamp
        entry.leaveUnchanged()
        return stamp
    }
}

/// The last events of a few definitions.
package struct InspectedEvents: Sendable {
    package let recording: Recording
    /// The number of each of its definitions, which is the same for ever, and no other definition's.
    package let numbers: [UInt32]
    /// The places of those events in the recording that were asked for.
    package let range: Range<Int>
    /// When the recording begins, in nanoseconds of the monotonic clock.
    package let begin: UInt64

    init(_ parts: [ArchivedDefinition], limit: Int) {
        // Older events can't be among the last ones of all.
        let parts = parts.map { $0.keepingLast(limit) }.filter { !$0.events.isEmpty }
        recording = Recording(parts)
        numbers = parts.map(\.number).sorted()
        begin = parts.compactMap(\.events.begin).min() ?? 0
        range = max(0, recording.events.count - limit)..<recording.events.count
    }
}

/// Definitions of one name and place, with the sums of their molecules.
package struct InspectedGroup: Sendable {
    /// One of them.
    package struct Member: Sendable {
        package let definition: Join
        package let phase: JoinSnapshot.Phase
        package let running: Int
        package let started: Int
        package let waitingCalls: Int
        package let present: Int
        package let entered: ContinuousClock.Instant?
    }

    package let members: [Member]
    /// How it looks, with the numbers of all members that are built alike.
    package let drawing: JoinDrawing
    /// What its reactions consume, each as in `increment & count`.
    package let reactions: [String]

    /// Nil if all have dissolved.
    fileprivate init?(_ definitions: [Join]) {
        let reading = ClockReading()
        var members: [Member] = []
        for definition in definitions {
            guard let headcount = Headcount(definition) else { continue }
            members.append(
                Member(
                    definition: definition,
                    phase: JoinSnapshot.Phase(headcount.phase),
                    running: headcount.running,
                    started: headcount.started,
                    waitingCalls: headcount.waitingCalls,
                    present: headcount.present,
                    entered: headcount.oldest.map(reading.instant(at:))
                )
            )
        }
        guard let busiest = members.max(by: { $0.started < $1.started }) else { return nil }
        self.members = members
        // The one that has done most knows best what its reactions make.
        let view = DefinitionView(busiest.definition)
        reactions = view.reactions.map(\.description.text)
        var drawing = JoinDrawing(view).showingCounts()
        var present = Array(repeating: 0, count: drawing.molecules.count { $0.kind != .foreign })
        var running = Array(repeating: 0, count: drawing.reactions.count)
        for member in members { member.definition.add(to: &present, &running) }
        drawing.setCounts(present: present, running: running)
        self.drawing = drawing
    }
}

extension Join {
    /// Adds its numbers to those of others that are built alike.
    fileprivate nonisolated func add(to present: inout [Int], _ running: inout [Int]) {
        let entry = soup.enter()
        let slots = entry.contents.slots.filter { $0.kind != .gate }
        let reactions = entry.state.chemistry.reactions
        if slots.count == present.count, reactions.count == running.count {
            for (index, slot) in slots.enumerated() { present[index] &+= slot.present(entry) }
            for (index, reaction) in reactions.enumerated() {
                running[index] += reaction.notes?.running ?? 0
            }
        }
        entry.leaveUnchanged()
    }
}
