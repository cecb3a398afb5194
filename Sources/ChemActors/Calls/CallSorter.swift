import ChemBase

/// The parts of a fast molecule: where which call goes. Asked outside of the soup, by the caller.
final class CallSorter<Argument: Sendable, Answer: Sendable>: Sendable {
    struct Part: Sendable {
        // The memory lives as long as the definition, which whoever asks keeps alive.
        let takes: @Sendable (Argument) -> Bool
        let calls: SharedPointer<FastStorage<Argument, Answer>>
        /// The copies into which the calls are turned, if this is a part of a bounded molecule.
        var item: SharedPointer<SlowStorage<Argument>>?
    }

    let parts: [Part]

    init(_ parts: [Part]) {
        self.parts = parts
    }

    /// The first part that takes `argument`.
    func part(for argument: Argument) -> Part? { parts.first { $0.takes(argument) } }
}
