import ChemActors

/// Plays a diagram of marbles: does something at certain times.
///
/// ```swift
/// let found = SlowProbe<Character>()
/// let typed = Debounce(for: .milliseconds(25), to: found.molecule)
/// try await play("abc-----d---e---") { typed.send($0) }
/// #expect(found.marbles() == "----c-----d---e")
/// ```
///
/// Each character is a step of time: `-` in which nothing happens, any other one a value. What stands in parentheses
/// comes in one step, one value after the other: `a-(bc)-d`. Spaces are left out. Before each step, time passes, by the
/// clock of the machine: in a run of ``ChemTesting`` it takes no time, and all that can happen in a step happens before
/// the next.
///
/// Source: the diagrams of ReactiveX, and the validation of Swift's asynchronous algorithms.
///
/// - Parameters:
///   - marbles: The diagram.
///   - step: How long a step is, more than zero.
///   - send: What to do for each value.
/// - Throws: what `send` throws, and `CancellationError` if the task is cancelled.
nonisolated(nonsending) public func play(
    _ marbles: String,
    every step: Duration = .milliseconds(10),
    _ send: (Character) async throws -> Void
) async throws {
    if step <= .zero { fatalError("ChemTesting: a step has to be longer than zero, not \(step)") }
    let steps = Marbles.steps(of: marbles)
    let clock = MachineClock()
    let beginning = clock.now
    for (index, values) in steps.enumerated() {
        if index > 0 { try await clock.sleep(until: beginning + step * index) }
        for value in values { try await send(value) }
    }
}

extension SlowProbe {
    /// The diagram of what has come since the probe was made, each value in the step in which it came.
    ///
    /// It has at most 100,000 steps. If the last value came later, the program stops: a larger step is needed.
    ///
    /// - Parameters:
    ///   - step: How long a step is, more than zero.
    ///   - letter: The character that stands for a value.
    /// - Returns: the diagram, up to the last value. Values that came in one step stand in parentheses.
    /// - Complexity: O(number of values + number of steps).
    public func marbles(every step: Duration = .milliseconds(10), _ letter: (Value) -> Character) -> String {
        if step <= .zero { fatalError("ChemTesting: a step has to be longer than zero, not \(step)") }
        // The number of a step may be more than an `Int` holds.
        let arrived = zip(values, times).map { (value: $0, index: $1.attoseconds / step.attoseconds) }
        let last = arrived.map(\.index).max() ?? 0
        if last >= Marbles.mostSteps {
            fatalError(
                "ChemTesting: the last value has come after \(last) steps of \(step), and a diagram has at most "
                    + "\(Marbles.mostSteps): give 'marbles(every:)' a larger step"
            )
        }
        var steps: [[Character]] = []
        for (value, index) in arrived {
            while steps.count <= Int(index) { steps.append([]) }
            steps[Int(index)].append(letter(value))
        }
        return Marbles.diagram(of: steps)
    }
}

extension SlowProbe<Character> {
    /// The diagram of what has come since the probe was made, each value in the step in which it came.
    ///
    /// It has at most 100,000 steps. If the last value came later, the program stops: a larger step is needed.
    ///
    /// - Parameter step: How long a step is, more than zero.
    /// - Returns: the diagram, up to the last value. Values that came in one step stand in parentheses.
    /// - Complexity: O(number of values + number of steps).
    public func marbles(every step: Duration = .milliseconds(10)) -> String { marbles(every: step) { $0 } }
}

private enum Marbles {
    /// How many steps a diagram has at most. Nobody reads one that is longer, and after a year in a run of ten
    /// milliseconds each it would fill the memory.
    static let mostSteps: Int128 = 100_000

    static func steps(of marbles: String) -> [[Character]] {
        var steps: [[Character]] = []
        var group: [Character]?
        for character in marbles where character != " " {
            switch character {
            case "(":
                if group != nil { fatalError("ChemTesting: '\(marbles)' has parentheses in parentheses") }
                group = []
            case ")":
                guard let values = group else { fatalError("ChemTesting: '\(marbles)' has ')' without '('") }
                steps.append(values)
                group = nil
            default:
                let values = character == "-" ? [] : [character]
                if group == nil { steps.append(values) } else { group?.append(contentsOf: values) }
            }
        }
        if group != nil { fatalError("ChemTesting: '\(marbles)' has '(' without ')'") }
        return steps
    }

    static func diagram(of steps: [[Character]]) -> String {
        steps.map { values in
            switch values.count {
            case 0: "-"
            case 1: String(values)
            default: "(\(String(values)))"
            }
        }.joined()
    }
}
