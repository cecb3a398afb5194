extension Recording {
    /// The last events as a sequence diagram in the language of
    /// [Mermaid](https://mermaid.js.org/syntax/sequenceDiagram.html): who sends what to whom, and which reactions
    /// start.
    ///
    /// - Parameter count: How many events, from the end. A diagram of more than some hundred is hard to read.
    /// - Returns: the diagram.
    public func mermaid(last count: Int = 100) -> String {
        let shown = events.suffix(max(count, 0))
        var known: Set<Int> = []
        var participants: [Int] = []
        for event in shown {
            for definition in [event.sender?.definition, event.definition].compactMap(\.self)
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
        for event in shown {
            let sender = event.sender.map { "d\($0.definition)" } ?? "outside"
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

    private static func plain(_ name: String) -> String { name.forMermaid(without: "#;:<>%") }
}
