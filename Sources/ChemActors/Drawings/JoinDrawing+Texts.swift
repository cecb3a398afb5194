extension JoinDrawing {
    /// What has a meaning in the label of a flowchart.
    private static let special = "\"#;<>`"

    /// The drawing as a flowchart in the language of [Mermaid](https://mermaid.js.org/syntax/flowchart.html).
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, molecule) in molecules.enumerated() {
            let text = "\"\(label(of: molecule).forMermaid(without: Self.special))\""
            let shape =
                switch molecule.kind {
                case .slow: "([\(text)])"
                case .fast: "[[\(text)]]"
                case .state: "[(\(text))]"
                case .foreign: ">\(text)]"
                }
            lines.append("    m\(index)\(shape)")
        }
        for (index, reaction) in reactions.enumerated() {
            let node = "r\(index)"
            lines.append("    \(node)[\"\(label(ofReaction: index).forMermaid(without: Self.special))\"]")
            for (molecule, copies) in reaction.consumed {
                lines.append("    m\(molecule) -->\(copies > 1 ? "|\(copies)|" : "") \(node)")
            }
            for state in reaction.updated { lines.append("    m\(state) <--> \(node)") }
            for state in reaction.read { lines.append("    m\(state) -.- \(node)") }
            if let answered = reaction.answered { lines.append("    \(node) -.->|answer| m\(answered)") }
            for molecule in reaction.injected { lines.append("    \(node) --> m\(molecule)") }
            for molecule in reaction.called { lines.append("    \(node) ==>|call| m\(molecule)") }
        }
        return lines.joined(separator: "\n")
    }

    /// The drawing in the language of [Graphviz](https://graphviz.org/doc/info/lang.html).
    public var dot: String {
        var lines = ["digraph \(Self.quoted(definition)) {", "    rankdir=LR;"]
        for (index, molecule) in molecules.enumerated() {
            let shape =
                switch molecule.kind {
                case .slow: "shape=box, style=rounded"
                case .fast: "shape=box, style=rounded, peripheries=2"
                case .state: "shape=cylinder"
                case .foreign: "shape=cds"
                }
            lines.append("    m\(index) [label=\(Self.quoted(label(of: molecule))), \(shape)];")
        }
        for (index, reaction) in reactions.enumerated() {
            let node = "r\(index)"
            lines.append("    \(node) [label=\(Self.quoted(label(ofReaction: index))), shape=box];")
            for (molecule, copies) in reaction.consumed {
                lines.append("    m\(molecule) -> \(node)\(copies > 1 ? " [label=\"\(copies)\"]" : "");")
            }
            for state in reaction.updated { lines.append("    m\(state) -> \(node) [dir=both];") }
            for state in reaction.read { lines.append("    m\(state) -> \(node) [dir=none, style=dashed];") }
            if let answered = reaction.answered {
                lines.append("    \(node) -> m\(answered) [style=dashed, label=\"answer\"];")
            }
            for molecule in reaction.injected { lines.append("    \(node) -> m\(molecule);") }
            for molecule in reaction.called {
                lines.append("    \(node) -> m\(molecule) [style=bold, label=\"call\"];")
            }
        }
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    func label(of molecule: Molecule) -> String {
        guard showsCounts, let present = molecule.present, present > 0, molecule.kind != .state else {
            return molecule.name
        }
        return molecule.kind == .fast ? "\(molecule.name): \(present) waiting" : "\(molecule.name) × \(present)"
    }

    /// The file and the line, or the number: what it consumes, the arrows say.
    func label(ofReaction index: Int) -> String {
        let reaction = reactions[index]
        let place = reaction.location.split(separator: "/").last.map(String.init) ?? reaction.location
        let name = numbersReactions ? "\(index + 1)" : place
        return showsCounts && reaction.running > 0 ? "\(name): \(reaction.running) running" : name
    }

    private static func quoted(_ text: String) -> String {
        "\""
            // By scalars: a combining mark behind a quotation mark doesn't change what that means.
            + text.replacing("\r\n", with: " ").unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case "\n", "\r": " "
                default: String(scalar)
                }
            }.joined() + "\""
    }
}
