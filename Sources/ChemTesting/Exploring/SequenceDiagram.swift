import ChemActors
import ChemBase

/// Something that has happened in a run.
enum Happening: Hashable {
    /// Somebody has injected or called.
    case message(ControlledMessage)
    /// A reaction has started. Its inputs are nil for another attempt of one that has failed.
    case reaction(definition: String, inputs: String?)
    /// So much time has passed.
    case time(Duration)

    /// A reaction as reports name it.
    var reaction: String? {
        guard case .reaction(let definition, let inputs) = self else { return nil }
        return "\(definition): \(inputs ?? "another attempt")"
    }
}

/// Draws what has happened in a run as a sequence diagram of Mermaid: who has sent what to whom, and which reactions
/// have started.
struct SequenceDiagram: CustomStringConvertible {
    /// So many lines can be read.
    private static let limit = 120

    let description: String

    init(_ happenings: [Happening]) {
        var names: [String] = []
        func alias(_ name: String?) -> String {
            guard let name else { return "test" }
            if let index = names.firstIndex(of: name) { return "d\(index)" }
            names.append(name)
            return "d\(names.count - 1)"
        }
        let lines = happenings.suffix(Self.limit).map { happening in
            switch happening {
            case .message(let message):
                "    \(alias(message.sender))->>\(alias(message.definition)): \(Self.plain(message.molecule))"
            case .reaction(let definition, let inputs):
                "    Note over \(alias(definition)): \(Self.plain(inputs ?? "another attempt"))"
            case .time(let duration):
                "    Note over test: time passes, \(duration.spoken)"
            }
        }
        let participants = names.enumerated().map { "    participant d\($0.offset) as \(Self.plain($0.element))" }
        let left = happenings.count - lines.count
        let gap = left > 0 ? ["    Note over test: \(left) more before"] : []
        description = (["sequenceDiagram", "    participant test"] + participants + gap + lines).joined(separator: "\n")
    }

    private static func plain(_ name: String) -> String { name.forMermaid(without: "#;:<>%") }
}
