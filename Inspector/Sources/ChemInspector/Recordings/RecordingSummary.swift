import ChemActors

/// What can be told of a recording as a whole, computed once: as it was at its end.
struct RecordingSummary: Sendable {
    /// What has happened in a definition.
    private struct Tally {
        var started = 0
        var failed = 0
        var running: Set<Int> = []
        /// The times since which calls wait, by the molecule and the number of the call.
        var waiting: [Call: Double] = [:]
        var injected: [Int: Int] = [:]
        var startedOf: [Int: Int] = [:]
    }

    private struct Call: Hashable {
        let molecule: Int
        let number: Int
    }

    private let tallies: [Tally]
    /// The definitions of one name, made at one place, by the identifier of the group.
    private let groups: [String: [Int]]
    private let end: Double
    private let definitions: [Recording.Definition]
    private let eventCount: Int

    init(_ recording: Recording) {
        var tallies = [Tally](repeating: Tally(), count: recording.definitions.count)
        for event in recording.events {
            let call = Call(molecule: event.subject, number: event.number)
            switch event.kind {
            // A damaged file may say anything.
            case .injected: tallies[event.definition].injected[event.subject, default: 0] &+= event.count
            case .started:
                tallies[event.definition].started += 1
                tallies[event.definition].running.insert(event.number)
                tallies[event.definition].startedOf[event.subject, default: 0] += 1
            case .ended:
                // It may have started before the recording begins.
                tallies[event.definition].running.remove(event.number)
            case .failed: tallies[event.definition].failed += 1
            case .called: tallies[event.definition].waiting[call] = event.time.inSeconds
            case .taken, .withdrawn: tallies[event.definition].waiting[call] = nil
            case .putBack, .dropped: break
            }
        }
        self.tallies = tallies
        definitions = recording.definitions
        groups = Dictionary(grouping: definitions.indices) { Self.group(of: recording.definitions[$0]) }
        end = recording.events.last?.time.inSeconds ?? 0
        eventCount = recording.events.count
    }

    private static func group(of definition: Recording.Definition) -> String {
        "\(definition.name)@\(definition.location)"
    }

    private func longestWait(_ tally: Tally) -> Double? { tally.waiting.values.min().map { end - $0 } }

    /// Definitions with the longest waits first, then those that have started most.
    private func sorted(_ members: [Int]) -> [Int] {
        members.sorted {
            let (one, other) = (tallies[$0], tallies[$1])
            return (longestWait(one) ?? -1, one.started, $1) > (longestWait(other) ?? -1, other.started, $0)
        }
    }

    // MARK: Answers

    func overview(_ name: String) -> OverviewAnswer {
        let summaries = groups.map { id, members in
            var group = OverviewAnswer.Group(
                id: id,
                name: definitions[members[0]].name,
                location: definitions[members[0]].location
            )
            for tally in members.map({ tallies[$0] }) {
                group.definitions += 1
                group.started += tally.started
                group.failed += tally.failed
                group.running += tally.running.count
                group.waitingCalls += tally.waiting.count
                if let wait = longestWait(tally) { group.longestWait = max(group.longestWait ?? 0, wait) }
            }
            return group
        }.sorted { ($0.longestWait ?? -1, $0.started, $1.id) > ($1.longestWait ?? -1, $1.started, $0.id) }
        let calls = definitions.indices.flatMap { index in
            tallies[index].waiting.map { call, since in
                OverviewAnswer.Call(
                    call: "\(definitions[index].name).\(definitions[index].molecules[call.molecule])",
                    wait: end - since,
                    group: Self.group(of: definitions[index]),
                    definition: "\(index)"
                )
            }
        }
        return OverviewAnswer(
            format: 1,
            program: name,
            recording: true,
            time: end,
            definitions: definitions.count,
            waitingCalls: calls.count,
            running: tallies.reduce(0) { $0 + $1.running.count },
            started: tallies.reduce(0) { $0 + $1.started },
            failed: tallies.reduce(0) { $0 + $1.failed },
            events: eventCount,
            lost: definitions.reduce(0) { $0 &+ $1.lost },
            groups: Array(summaries.prefix(200)),
            otherGroups: max(0, summaries.count - 200),
            oldestCalls: Array(calls.sorted { $0.wait > $1.wait }.prefix(50))
        )
    }

    func events(_ recording: Recording, _ range: Range<Int>) -> EventsAnswer {
        EventsAnswer(
            time: end,
            from: range.lowerBound,
            total: recording.events.count,
            events: recording.events[range].map { event(recording, $0) }
        )
    }

    func group(_ recording: Recording, _ id: String) -> GroupAnswer? {
        guard let members = groups[id], let first = members.first else { return nil }
        let shown = sorted(members).prefix(100).map { index in
            GroupAnswer.Member(
                id: "\(index)",
                running: tallies[index].running.count,
                waitingCalls: tallies[index].waiting.count,
                started: tallies[index].started,
                longestWait: longestWait(tallies[index])
            )
        }
        return GroupAnswer(
            id: id,
            name: definitions[first].name,
            location: definitions[first].location,
            time: end,
            definitions: members.count,
            molecules: molecules(members),
            reactions: reactions(members),
            members: shown,
            otherMembers: members.count - shown.count,
            drawing: drawing(members)
        )
    }

    func definition(_ recording: Recording, _ id: String) -> DefinitionAnswer? {
        guard let index = Int(id), definitions.indices.contains(index) else { return nil }
        let (definition, tally) = (definitions[index], tallies[index])
        let calls = tally.waiting.sorted { $0.value < $1.value }.map { call, since in
            DefinitionAnswer.Call(call: definition.molecules[call.molecule], wait: end - since)
        }
        return DefinitionAnswer(
            id: id,
            group: Self.group(of: definition),
            name: definition.name,
            location: definition.location,
            time: end,
            running: tally.running.count,
            started: tally.started,
            failed: tally.failed,
            molecules: molecules([index]),
            reactions: reactions([index]),
            waitingCalls: Array(calls.prefix(100)),
            otherCalls: max(0, calls.count - 100),
            drawing: definition.drawing?.svg,
            events: recording.events.reversed().lazy.filter { $0.definition == index }.prefix(100).reversed()
                .map { event(recording, $0) }
        )
    }

    // MARK: Parts

    private func molecules(_ members: [Int]) -> [GroupAnswer.Molecule] {
        var result = definitions[members[0]].molecules.map { GroupAnswer.Molecule(name: $0) }
        for member in members {
            for (molecule, count) in tallies[member].injected where molecule < result.count {
                result[molecule].injected &+= count
            }
        }
        return result
    }

    /// The picture of whichever is known best: not each has made all that it can.
    private func drawing(_ members: [Int]) -> String? {
        func known(_ drawing: JoinDrawing) -> Int {
            drawing.reactions.reduce(0) { $0 + $1.injected.count + $1.called.count }
        }
        return members.compactMap { definitions[$0].drawing }.max { known($0) < known($1) }?.svg
    }

    private func reactions(_ members: [Int]) -> [GroupAnswer.Reaction] {
        let first = definitions[members[0]]
        var result = zip(first.reactions, first.reactionLocations).map {
            GroupAnswer.Reaction(inputs: $0, location: $1)
        }
        for member in members {
            for (reaction, count) in tallies[member].startedOf where reaction < result.count {
                result[reaction].started += count
            }
        }
        return result
    }

    private func event(_ recording: Recording, _ event: Recording.Event) -> EventsAnswer.Event {
        let definition = definitions[event.definition]
        let location: String? =
            switch event.kind {
            case .started, .ended, .failed: definition.reactionLocations[event.subject]
            case .injected, .called, .taken, .withdrawn, .putBack, .dropped: nil
            }
        return EventsAnswer.Event(
            time: event.time.inSeconds,
            definition: definition.name,
            lane: event.definition,
            kind: "\(event.kind)",
            subject: recording.subject(of: event),
            location: location,
            number: event.number,
            count: event.count,
            sender: event.sender.map { "\(definitions[$0.definition].name) #\($0.number)" },
            senderLane: event.sender.map(\.definition),
            value: event.value
        )
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
