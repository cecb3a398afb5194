import ChemActors
import TestSupport
import Testing

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

/// Waits until so many calls wait on a machine, and the explanation says this, and returns it.
func stuck(_ machine: ChemicalMachine, calls: Int, saying text: String = "") async throws -> StuckReport {
    let last = Guarded(machine.explainStuck())
    let hasCome = await Patience.until {
        let report = machine.explainStuck()
        last.withLock { $0 = report }
        return report.calls.count == calls && (text.isEmpty || "\(report)".contains(text))
    }
    #expect(hasCome, "\(last.now)")
    #if !DEBUG
        // However busy the machine is with other tests, one of many isn't disturbed.
        var times: [Duration] = []
        while times.count < 50, times.last.map({ $0 > .milliseconds(10) }) ?? true {
            times.append(ContinuousClock().measure { _ = machine.explainStuck() })
        }
        #expect(times.min() ?? .zero <= .milliseconds(10), "\(times)")
    #endif
    return last.now
}
