/// What a reaction is called, and where it was declared.
@usableFromInline
final class ReactionDescription: @unchecked Sendable {
    // Checked by hand: nothing changes but `putBacks`. The closures of a reaction hold its description, and are
    // released before its definition.
    let inputs: [Slot]
    /// Whether there are states among them.
    let hasStates: Bool
    let location: SourceLocation
    /// Sound, since whoever reads it has a name of the definition as well: the closures of a reaction hold its inputs,
    /// and a failed reaction that waits holds those closures. Nobody else keeps a description.
    unowned(unsafe) let join: Join
    /// How often its inputs were put back after a failure. Touched in the soup.
    var putBacks = 0

    init(inputs: [Slot], location: SourceLocation, join: Join) {
        self.inputs = inputs
        hasStates = inputs.contains { $0.kind == .state }
        self.location = location
        self.join = join
    }

    /// The inputs as a chemist writes them: `increment & count`.
    var text: String { inputs.map(\.name).joined(separator: " & ") }

    var states: [Slot] { inputs.filter { $0.kind == .state } }
}
