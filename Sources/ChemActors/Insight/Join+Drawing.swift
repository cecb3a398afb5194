extension JoinDrawing {
    init(_ view: DefinitionView) {
        self.init(view.outline)
        let own = view.molecules.filter { $0.slot.kind != .gate }
        setCounts(present: own.map(\.present), running: view.reactions.map(\.running))
    }
}

extension Join {
    /// A picture of the definition as it is now.
    ///
    /// For diagnosis and documentation. The definition is held up for a moment only.
    ///
    /// - Complexity: O(molecules + inputs and known outputs of all reactions + waiting calls · log(waiting calls)).
    nonisolated public var drawing: JoinDrawing { JoinDrawing(DefinitionView(self)) }
}

extension ChemicalMachine {
    /// Pictures of all definitions that exist now, in the order in which they were made.
    ///
    /// ```swift
    /// for drawing in machine.drawings { print(drawing.svg) }
    /// ```
    ///
    /// A machine with a full ``EventRecorder`` also draws those that have dissolved, as they were at their end.
    ///
    /// - Complexity: that of ``Join/drawing``, for each. They are drawn one after the other.
    public var drawings: [JoinDrawing] {
        // Those that dissolve meanwhile may be found twice.
        var parts: [UInt32: JoinDrawing] = [:]
        var others: [JoinDrawing] = []
        for view in definitions.reversed().map({ DefinitionView($0) }) where view.phase != .dissolved {
            if let number = view.join.observation?.number {
                parts[number] = JoinDrawing(view)
            } else {
                others.append(JoinDrawing(view))
            }
        }
        for part in archive.all {
            if let drawing = part.definition.drawing { parts[part.number] = drawing.withNothing() }
        }
        return parts.sorted { $0.key < $1.key }.map(\.value) + others
    }
}
