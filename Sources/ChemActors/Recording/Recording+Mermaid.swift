extension Recording {
    /// The last events as a sequence diagram in the language of
    /// [Mermaid](https://mermaid.js.org/syntax/sequenceDiagram.html): who sends what to whom, and which reactions
    /// start.
    ///
    /// - Parameter count: How many events, from the end. A diagram of more than some hundred is hard to read.
    /// - Returns: the diagram.
    public func mermaid(last count: Int = 100) -> String {
        let shown = events.suffix(max(count, 0))
        let senders = senders(of: shown)
        var known: Set<Int> = []
        var participants: [Int] = []
        for (event, sender) in zip(shown, senders) {
            for definition in [sender, event.definition].compactMap(\.self)
            where known.insert(definition).inserted {
                participants.append(definition)
            }
        }
        var lines = ["sequenceDiagram", "    participant outside"]
        for definition in participants {
            lines.append("    participant d\(definition) as \(Self.plain(definitions[definition].name))")
        }
        if shown.count < events.count {
            lines.append("    Note over outside: \(events.count - shown.count) more before")
        }
        for (event, sender) in zip(shown, senders) {
            let sender = sender.map { "d\($0)" } ?? "outside"
            let (subject, target) = (Self.plain(subjectWithValue(of: event)), "d\(event.definition)")
            let copies = event.count > 1 ? "\(subject) × \(event.count)" : subject
            switch event.kind {
            case .injected: lines.append("    \(sender)-)\(target): \(copies)")
            case .putBack: lines.append("    Note over \(target): \(copies) is back")
            case .dropped: lines.append("    Note over \(target): \(copies) is dropped")
            case .called: lines.append("    \(sender)->>\(target): \(subject)")
            case .started: lines.append("    Note over \(target): \(subject)")
            case .failed: lines.append("    Note over \(target): \(subject) has thrown")
            case .withdrawn: lines.append("    \(target)--x\(sender): \(subject) is withdrawn")
            case .ended, .taken: break
            }
        }
        return lines.joined(separator: "\n")
    }

    /// For each event the definition whose body has sent what it is of. A call that is withdrawn goes back to where it
    /// came from.
    private func senders(of shown: ArraySlice<Event>) -> [Int?] {
        var callers: [Start: Int] = [:]
        for event in events where event.kind == .called {
            callers[Start(definition: event.definition, number: event.number)] = event.sender?.definition
        }
        return shown.map { event in
            event.kind == .withdrawn
                ? callers[Start(definition: event.definition, number: event.number)] : event.sender?.definition
        }
    }

    private static func plain(_ name: String) -> String { name.forMermaid(without: "#;:<>%") }
}
