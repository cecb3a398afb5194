import ChemActors

extension ChemicalMachine {
    /// A machine that records, prints nothing, and says nothing of waits by itself.
    static var observed: ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .flight))
    }
}

extension StuckReport {
    /// Whether a line has all of these parts.
    func says(_ parts: String...) -> Bool {
        "\(self)".split(separator: "\n").contains { line in parts.allSatisfy { line.contains($0) } }
    }
}

/// A line of the calling file, as reports name it.
func here(_ line: Int, fileID: String = #fileID) -> String { "\(fileID):\(line)" }
