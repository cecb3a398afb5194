/// What is held of the events of a definition: copies, which are put in order when somebody wants to see them.
struct RecordedEvents {
    typealias Part = (events: [RecordedEvent], texts: EventTexts, lost: Int)

    private let definition: UInt32
    private let own: [RecordedEvent]
    private let injections: [RecordedEvent]
    /// What is told of arguments of calls, and of values unless those are apart.
    private let texts: EventTexts
    private let textsOfInjections: EventTexts
    /// How many there were that aren't held any more. All of them are older.
    let lost: Int

    /// - Parameters:
    ///   - definition: The number of the definition.
    ///   - own: Its events, oldest first.
    ///   - injections: The injections, if they are apart.
    init(of definition: UInt32, _ own: Part, injections: Part?) {
        self.definition = definition
        (texts, textsOfInjections) = (own.texts, injections?.texts ?? own.texts)
        guard let injections else {
            (self.own, self.injections, lost) = (own.events, [], own.lost)
            return
        }
        // One of them may go back further. Starts without their injections, or the other way round, would mislead.
        let begin = [own, injections].filter { $0.lost > 0 }.compactMap(\.events.first?.stamp).max() ?? 0
        self.own = Self.events(own.events, from: begin)
        self.injections = Self.events(injections.events, from: begin)
        let held = self.own.count + self.injections.count
        lost = own.lost + injections.lost + own.events.count + injections.events.count - held
    }

    private static func events(_ events: [RecordedEvent], from begin: UInt64) -> [RecordedEvent] {
        guard let first = events.first, first.stamp < begin else { return events }
        return Array(events.drop { $0.stamp < begin })
    }

    var isEmpty: Bool { own.isEmpty && injections.isEmpty }

    /// The time of the oldest one.
    var begin: UInt64? { [own, injections].compactMap(\.first?.stamp).min() }

    /// Oldest first.
    ///
    /// - Complexity: O(events).
    func all() -> [RecordedEvent] { own.merged(with: injections, of: definition) }

    func text(of event: RecordedEvent) -> String? {
        event.kind == .injected ? textsOfInjections[event.text] : texts[event.text]
    }

    /// The last `count` of them.
    func last(_ count: Int) -> RecordedEvents {
        let all = all()
        return RecordedEvents(
            of: definition,
            (Array(all.suffix(count)), texts, lost + max(0, all.count - count)),
            injections: ([], textsOfInjections, 0)
        )
    }
}
