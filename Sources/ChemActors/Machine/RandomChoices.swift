import ChemBase

/// The random choices of something that belongs to no definition: by the seed of the machine on which it is made, or by
/// whoever controls that machine.
package final class RandomChoices: Sendable {
    private let generator: Guarded<SeededGenerator>
    private let control: (any MachineControl)?

    /// Choices on the machine on which `Join.define` makes definitions here.
    package init() {
        let machine = Join.currentMachine
        generator = Guarded(SeededGenerator(seed: machine.nextSeed()))
        control = machine.control
    }

    /// Those of `0 ..< count` among which to choose: all of them, or, if somebody goes through all choices, those that
    /// matter. He shouldn't be asked for others, and to find out isn't a step of its own.
    package func candidates(_ count: Int, where matters: (Int) -> Bool) -> [Int] {
        var candidates = Array(0..<count)
        control?.undisturbed { candidates.removeAll { !matters($0) } }
        return candidates
    }

    /// One of `0 ..< count`, where `count` is one or more.
    package func choose(_ count: Int) -> Int {
        if count == 1 { return 0 }
        return control?.choose(count) ?? generator.withLock { $0.below(count) }
    }
}
