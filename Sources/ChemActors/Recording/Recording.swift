import ChemBase

/// What a machine with a ``EventRecorder`` has written down.
///
/// ```swift
/// let recording = machine.recording()
/// print(recording)                                // a line for each event
/// try recording.write(to: "run.chem")             // to be looked at later
/// try recording.writePerfetto(to: "run.pftrace")  // open it with ui.perfetto.dev
/// ```
public struct Recording: Sendable {
    /// A definition that was recorded.
    public struct Definition: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Where it was made.
        public let location: String
        /// Its molecules, in the order of their declaration.
        public let molecules: [String]
        /// Its reactions, each as its inputs: `increment & count`.
        public let reactions: [String]
        /// Where the reactions were declared.
        public let reactionLocations: [String]
        /// How many events its recorder has dropped, all of them older than those that are here.
        public let lost: Int
        /// A picture of it, without numbers. Nil for one that had dissolved, if the recorder is a flight recorder.
        public let drawing: JoinDrawing?
    }

    /// What has happened.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Copies of a molecule were injected.
        case injected
        /// A reaction has started.
        case started
        /// The body of a reaction has ended.
        case ended
        /// The body of a reaction has thrown. It ends later.
        case failed
        /// A call waits.
        case called
        /// A reaction has taken a call that waited.
        case taken
        /// A call was withdrawn.
        case withdrawn
        /// A copy that a failed reaction had taken was put back.
        case putBack
        /// Copies have gone without a reaction: their definition was cleared or deactivated, or has dissolved. What
        /// comes after that is reported only: ``ChemicalEvent/Kind/ignoredInjection(molecule:location:count:)``.
        case dropped

        /// Whether it is told of a reaction, and not of a molecule.
        package var isOfReaction: Bool {
            switch self {
            case .started, .ended, .failed: true
            case .injected, .called, .taken, .withdrawn, .putBack, .dropped: false
            }
        }

        /// Whether it has a number of copies, and no number of a start or call.
        var isOfCopies: Bool {
            switch self {
            case .injected, .putBack, .dropped: true
            case .started, .ended, .failed, .called, .taken, .withdrawn: false
            }
        }
    }

    /// A start of a reaction.
    public struct Start: Sendable, Hashable {
        /// Its definition, as a place in ``Recording/definitions``.
        public let definition: Int
        /// Its number among the starts of that definition.
        public let number: Int

        /// Creates what names a start.
        public init(definition: Int, number: Int) {
            self.definition = definition
            self.number = number
        }
    }

    /// Something that has happened.
    public struct Event: Sendable, Hashable {
        /// When, since the first event of the recording.
        public let time: Duration
        /// What.
        public let kind: Kind
        /// Where, as a place in ``Recording/definitions``.
        public let definition: Int
        /// The place of the molecule or of the reaction in its definition.
        public let subject: Int
        /// How many copies were injected, put back or dropped. Otherwise zero.
        public let count: Int
        /// The number of the start of a reaction, or of a call. Otherwise zero.
        public let number: Int
        /// Whose body has injected or called, if it was one and that was written down.
        public let sender: Start?
        /// What is told of the value that was injected, or of the argument of the call that waits, if its molecule is
        /// described: ``Join/Builder/describe(_:fileID:line:_:)-(SlowMolecule<Value>,_,_,_)``.
        public let value: String?
    }

    /// The definitions, in the order in which they were made.
    public let definitions: [Definition]
    /// The events, oldest first. Those of one definition are in the order in which they happened. Those of several are
    /// ordered by their times.
    public let events: [Event]

    init(definitions: [Definition], events: [Event]) {
        self.definitions = definitions
        self.events = events
    }

    /// The molecule or the reaction of `event`, and what is told of its value: `order(no. 17)`.
    func subjectWithValue(of event: Event) -> String {
        guard let value = event.value else { return subject(of: event) }
        return "\(subject(of: event))(\(value))"
    }

    /// The molecule or the reaction of `event`.
    public func subject(of event: Event) -> String {
        let definition = definitions[event.definition]
        return event.kind.isOfReaction ? definition.reactions[event.subject] : definition.molecules[event.subject]
    }
}

extension Recording: CustomStringConvertible {
    /// A line for each event.
    public var description: String { text(of: events.indices) }

    /// The last events, a line for each.
    ///
    /// - Parameter count: How many.
    /// - Returns: the lines.
    public func last(_ count: Int) -> String { text(of: events.indices.suffix(max(count, 0))) }

    private func text(of indices: some Collection<Int>) -> String {
        let width = definitions.reduce(0) { max($0, $1.name.count) }
        return indices.map { line(of: events[$0], width: width) }.joined(separator: "\n")
    }

    private func line(of event: Event, width: Int) -> String {
        let definition = definitions[event.definition]
        let subject = subjectWithValue(of: event)
        let copies = event.count > 1 ? "\(subject) × \(event.count)" : subject
        let what =
            switch event.kind {
            case .injected: "+ \(copies)"
            case .putBack: "+ \(copies), put back"
            case .dropped: "- \(copies) dropped"
            case .started: "> \(subject) (\(definition.reactionLocations[event.subject])) #\(event.number)"
            case .ended: "< \(subject) #\(event.number)"
            // A flight recorder doesn't know the number of each.
            case .failed: "! \(subject)\(event.number == 0 ? "" : " #\(event.number)") has thrown"
            case .called: "? \(subject) waits"
            case .taken: "  \(subject) is taken"
            case .withdrawn: "- \(subject) is withdrawn"
            }
        let sender = event.sender.map { "  by \(definitions[$0.definition].name) #\($0.number)" } ?? ""
        let name = definition.name + String(repeating: " ", count: width - definition.name.count)
        return "\(Self.milliseconds(event.time))  \(name)  \(what)\(sender)".onOneLine
    }

    /// Milliseconds, with three digits behind the point, in ten columns.
    private static func milliseconds(_ time: Duration) -> String {
        let microseconds = time.nanoseconds / 1000
        let fraction = String(1000 + microseconds % 1000).dropFirst()
        let text = "\(microseconds / 1000).\(fraction)"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}

extension Duration {
    /// Nanoseconds, rounded down.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
