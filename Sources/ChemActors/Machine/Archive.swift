import ChemBase

/// What a recording machine keeps of definitions that have dissolved.
final class Archive: Sendable {
    private let entries = Guarded(FIFO<ArchivedDefinition>())
    private let limit: Int

    init(_ recorder: EventRecorder) {
        limit = recorder.mode == .full ? Int.max : 64
    }

    /// Adds a definition that ends. It is held up meanwhile, but nobody can reach it any more.
    func add(_ entry: ArchivedDefinition) {
        let oldest = entries.withLock { entries in
            entries.append(entry)
            return entries.count > limit ? entries.popFirst() : nil
        }
        discard(oldest)
    }

    /// The definition of that number, if it is here.
    func definition(_ number: UInt32) -> ArchivedDefinition? {
        entries.withLock { entries in
            // Whoever asks does so soon after it has come.
            (0..<entries.count).last { entries[$0].number == number }.map { entries[$0] }
        }
    }

    var all: [ArchivedDefinition] {
        entries.withLock { entries in (0..<entries.count).map { entries[$0] } }
    }
}

/// A definition with its events.
struct ArchivedDefinition {
    /// The number of its observation.
    let number: UInt32
    let definition: Recording.Definition
    let events: RecordedEvents

    /// The same with its last events only.
    func keepingLast(_ count: Int) -> ArchivedDefinition {
        ArchivedDefinition(number: number, definition: definition, events: events.last(count))
    }
}

extension ArchivedDefinition {
    init(
        _ join: Join,
        _ observation: Observation,
        slots: [Slot],
        reactions: [ReactionDescription],
        _ events: RecordedEvents,
        outline: DefinitionOutline? = nil
    ) {
        number = observation.number
        definition = Recording.Definition(
            name: join.name,
            location: join.location.description,
            molecules: slots.map(\.name),
            reactions: reactions.map(\.text),
            reactionLocations: reactions.map(\.location.description),
            lost: events.lost,
            drawing: outline.map { JoinDrawing($0) }
        )
        self.events = events
    }
}

extension Join {
    /// What was recorded here so far, and a picture. Nil if nothing is recorded, or the definition has dissolved.
    nonisolated var archived: ArchivedDefinition? { archived(last: .max, isDrawn: true) }

    /// The last `count` events.
    nonisolated func archived(last count: Int, isDrawn: Bool = false) -> ArchivedDefinition? {
        guard let observation else { return nil }
        let entry = soup.enter()
        let isAlive = entry.contents.life.phase != .dissolved
        let (slots, chemistry) = (entry.contents.slots, entry.state.chemistry)
        let (events, seen) = (observation.events(last: count), observation.reactions)
        entry.leaveUnchanged()
        guard isAlive else { return nil }
        return ArchivedDefinition(
            self,
            observation,
            slots: slots,
            reactions: chemistry.reactions,
            events,
            outline: isDrawn ? DefinitionOutline(self, slots: slots, chemistry, seen: seen) : nil
        )
    }

    /// Puts what was recorded here into the archive.
    nonisolated func archive(_ entry: borrowing SoupEntry) {
        guard let observation else { return }
        // A flight recorder runs in servers, whose definitions come and go.
        let isDrawn = machine.configuration.recorder.mode == .full
        let (slots, chemistry) = (entry.contents.slots, entry.state.chemistry)
        machine.archive.add(
            ArchivedDefinition(
                self,
                observation,
                slots: slots,
                reactions: chemistry.reactions,
                observation.events(),
                outline: isDrawn
                    ? DefinitionOutline(self, slots: slots, chemistry, seen: observation.reactions) : nil
            )
        )
    }

    /// The last events, a line for each. Nil if nothing is recorded.
    nonisolated var lastEvents: String? {
        guard let observation else { return nil }
        let count = 12
        let found = archived(last: count) ?? machine.archive.definition(observation.number)?.keepingLast(count)
        guard let found, !found.events.isEmpty else { return nil }
        return Recording([found]).last(count)
    }
}

extension Recording {
    /// Puts the events of several definitions in order.
    init(_ parts: [ArchivedDefinition]) {
        let parts = parts.sorted { $0.number < $1.number }
        let places = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($0.element.number, $0.offset) })
        var all: [(event: RecordedEvent, definition: Int)] = []
        for (index, part) in parts.enumerated() { all += part.events.all().map { ($0, index) } }
        // Stable, and the events of one definition have times that never go back.
        all.sort { $0.event.stamp < $1.event.stamp }
        let begin = all.first?.event.stamp ?? 0
        self.init(
            definitions: parts.map(\.definition),
            events: all.map { event, definition in
                let sender = places[UInt32(truncatingIfNeeded: event.sender >> 32)]
                return Event(
                    time: .nanoseconds(Int64(event.stamp &- begin)),
                    kind: event.kind,
                    definition: definition,
                    subject: Int(event.subject),
                    count: event.kind.isOfCopies ? Int(event.count) : 0,
                    number: event.kind.isOfCopies ? 0 : Int(event.number),
                    sender: sender.map { Start(definition: $0, number: Int(UInt32(truncatingIfNeeded: event.sender))) },
                    value: parts[definition].events.text(of: event)
                )
            }
        )
    }
}

extension ChemicalMachine {
    /// What has been recorded so far: nothing, if the machine has no ``EventRecorder``.
    ///
    /// Of definitions that have dissolved, a flight recorder keeps the last 64, and a full one all.
    ///
    /// - Complexity: O(n log n) for n events. Each definition is held up while its own are copied.
    public func recording() -> Recording {
        guard configuration.recorder.isOn else { return Recording(definitions: [], events: []) }
        // Those that dissolve meanwhile may be found twice.
        var parts: [UInt32: ArchivedDefinition] = [:]
        for part in definitions.compactMap(\.archived) { parts[part.number] = part }
        for part in archive.all { parts[part.number] = part }
        return Recording(parts.values.filter { !$0.events.isEmpty })
    }
}
