/// What is noted of a reaction that is observed. Others need no memory for it.
final class ReactionNotes {
    // What `setPlace` sets is set in the closure of `define`, the numbers are touched in the soup, and the rest never
    // changes.

    /// Its place among the reactions of its definition, and whether its body runs in a task of its own.
    @exclusivity(unchecked) private(set) var place = 0
    @exclusivity(unchecked) private(set) var isAsynchronous = false
    /// What it is called in signposts, if there are some.
    @exclusivity(unchecked) private(set) var text = ""
    /// How often it has started.
    @exclusivity(unchecked) var starts: UInt32 = 0
    /// How many of its bodies run.
    @exclusivity(unchecked) var running = 0
    /// How often a body has thrown, and the type of the error that it has thrown last.
    @exclusivity(unchecked) var failures = 0
    @exclusivity(unchecked) var lastError = ""
    /// The numbers of its inputs.
    let inputs: UnsafeMutableBufferPointer<Int32>
    /// Whether it takes slow molecules.
    let takesTokens: Bool
    /// What it injects, as far as that is known without a lock.
    let knownOutputs = KnownOutputs()

    init(_ inputs: [Slot]) {
        self.inputs = .allocate(capacity: inputs.count)
        _ = self.inputs.initialize(from: inputs.map(\.number))
        takesTokens = inputs.contains { $0.kind == .slow }
    }

    deinit { inputs.deallocate() }

    /// Says what is known once the reaction is declared.
    func setPlace(_ place: Int, isAsynchronous: Bool, text: String) {
        self.place = place
        self.text = text
        self.isAsynchronous = isAsynchronous
    }
}
