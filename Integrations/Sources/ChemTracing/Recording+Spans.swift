public import ChemActors
public import Tracing

extension Recording {
    /// Hands each body of the recording to a tracer, as a span.
    ///
    /// ```swift
    /// let beginning = DefaultTracerClock.now
    /// order(1)  // the first that happens in the machine
    /// try await machine.quiescence()
    /// machine.recording().exportSpans(to: InstrumentationSystem.tracer, startingAt: beginning)
    /// ```
    ///
    /// A span is called after its definition and its reaction, such as `bank: withdraw & account`, and has the
    /// attributes `chem.definition`, `chem.reaction`, `chem.location` and `chem.number`. If the body has thrown, it has
    /// the status of an error. Its parent is the span of the body that injected the first of its inputs that came from
    /// a body, and that has begun in the recording. Which copy a reaction takes isn't recorded: it is taken to be the
    /// oldest one, which is a guess where copies are taken at random, or where a failed reaction was tried again. Spans
    /// that nobody caused, as far as is known, begin a trace.
    ///
    /// A recording that sees injections, as that of `EventRecorder.full()`, is needed for parents. Bodies that hadn't
    /// ended are left out, and so are those that began before the recording.
    ///
    /// - Parameters:
    ///   - tracer: Receives the spans, with the oldest first.
    ///   - beginning: When the recording began, so a time that was noted then: its first event gets it, and the others
    ///     are placed by the monotonic clock of the recording. If a recorder has replaced its oldest events, the first
    ///     one that is left is meant.
    /// - Complexity: O(events).
    public func exportSpans<T: Tracer>(to tracer: T, startingAt beginning: some TracerInstant) {
        func instant(_ event: Event) -> RecordedInstant {
            RecordedInstant(nanosecondsSinceEpoch: beginning.nanosecondsSinceEpoch &+ event.time.wholeNanoseconds)
        }
        // Ends and failures come later than starts, and a child may start before its parent ends.
        var ends: [Start: Event] = [:]
        var failures: Set<Start> = []
        for event in events {
            let start = Start(definition: event.definition, number: event.number)
            switch event.kind {
            case .ended: ends[start] = event
            case .failed: failures.insert(start)
            default: break
            }
        }
        var senders = Senders()
        var spans: [Start: T.Span] = [:]
        for event in events {
            switch event.kind {
            case .injected:
                senders.add(event.sender, count: event.count, to: event.subject, of: event.definition)
            case .putBack:
                senders.add(nil, count: event.count, to: event.subject, of: event.definition)
            case .dropped:
                senders.drop(event.count, of: event.subject, of: event.definition)
            case .started:
                let definition = definitions[event.definition]
                let causes = senders.take(for: definition, reaction: event.subject, at: event.definition)
                let start = Start(definition: event.definition, number: event.number)
                guard let end = ends[start] else { continue }
                let parent = causes.lazy.compactMap { spans[$0] }.first
                let span = tracer.startSpan(
                    "\(definition.name): \(definition.reactions[event.subject])",
                    context: parent?.context ?? .topLevel,
                    ofKind: .internal,
                    at: instant(event)
                )
                span.attributes["chem.definition"] = definition.name
                span.attributes["chem.reaction"] = definition.reactions[event.subject]
                span.attributes["chem.location"] = definition.reactionLocations[event.subject]
                span.attributes["chem.number"] = event.number
                if failures.contains(start) { span.setStatus(SpanStatus(code: .error)) }
                span.end(at: instant(end))
                spans[start] = span
            default: break
            }
        }
    }
}

/// A time that was recorded.
private struct RecordedInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    static func < (first: Self, second: Self) -> Bool { first.nanosecondsSinceEpoch < second.nanosecondsSinceEpoch }
}

/// Who has injected the copies that are there, oldest first.
private struct Senders {
    private struct Place: Hashable {
        let definition: Int
        let molecule: Int
    }

    private struct Queue {
        private var entries: [(sender: Recording.Start?, count: Int)] = []
        private var first = 0

        mutating func append(_ sender: Recording.Start?, count: Int) { entries.append((sender, count)) }

        /// Removes the oldest copies, as many as there are.
        ///
        /// - Returns: who has injected the last of them.
        @discardableResult
        mutating func remove(_ count: Int) -> Recording.Start? {
            var left = count
            var sender: Recording.Start?
            while left > 0, first < entries.count {
                let removed = min(left, entries[first].count)
                left -= removed
                sender = entries[first].sender
                entries[first].count -= removed
                if entries[first].count == 0 { first += 1 }
            }
            if first > 1_000, first > entries.count / 2 {
                entries.removeFirst(first)
                first = 0
            }
            return sender
        }
    }

    private var queues: [Place: Queue] = [:]

    mutating func add(_ sender: Recording.Start?, count: Int, to molecule: Int, of definition: Int) {
        guard count > 0 else { return }
        queues[Place(definition: definition, molecule: molecule), default: Queue()].append(sender, count: count)
    }

    /// So many copies are gone that no reaction has taken.
    mutating func drop(_ count: Int, of molecule: Int, of definition: Int) {
        queues[Place(definition: definition, molecule: molecule)]?.remove(count)
    }

    /// The names of the molecules that a reaction consumes, each as often as it does. A definition that has no drawing
    /// has ended: then they are read from its text.
    private func inputs(of definition: Recording.Definition, reaction: Int) -> [String] {
        guard let drawing = definition.drawing, reaction < drawing.reactions.count else {
            return definition.reactions[reaction].split(separator: " & ").map { String($0) }
        }
        return drawing.reactions[reaction].consumed.flatMap {
            Array(repeating: drawing.molecules[$0.molecule].name, count: $0.copies)
        }
    }

    /// The bodies that have made the inputs of a reaction, which consumes them.
    mutating func take(for definition: Recording.Definition, reaction: Int, at index: Int) -> [Recording.Start] {
        var result: [Recording.Start] = []
        for input in inputs(of: definition, reaction: reaction) {
            guard let molecule = definition.molecules.firstIndex(of: input) else { continue }
            let place = Place(definition: index, molecule: molecule)
            if let sender = queues[place]?.remove(1) { result.append(sender) }
        }
        return result
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000))
    }
}
