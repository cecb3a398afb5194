import ChemBase

/// Which reactions are possible, and the choice among them: the decision logic of a join definition as a plain value.
///
/// It doesn't count copies. It is told when the number of copies of a molecule crosses a reaction's need, so deciding
/// takes time proportional to the number of reactions that mention the molecule, and doesn't depend on the number of
/// molecules.
///
/// After the reactions comes one more, the *repetition*. It is possible while failed reactions are due to be tried
/// again. So they take part in the choice, and any check whether something is possible includes them.
///
/// Nothing here runs user code, waits, or knows of threads. The caller holds the lock of the soup.
@usableFromInline
struct Matching: ~Copyable {
    /// What one reaction still lacks.
    @usableFromInline
    struct Readiness {
        /// How many of its molecules are present in fewer copies than it needs.
        @usableFromInline var missing: Int32
        /// Its index in `possible`, or -1.
        @usableFromInline var place: Int32
    }

    /// One reaction's need for one molecule.
    @usableFromInline
    struct Use {
        @usableFromInline var reaction: Int32
        /// How many copies it consumes.
        @usableFromInline var copies: Int32

        @inlinable
        init(reaction: Int32, copies: Int32) {
            self.reaction = reaction
            self.copies = copies
        }
    }

    @usableFromInline var readiness: UnsafeMutablePointer<Readiness>
    @usableFromInline var possible: UnsafeMutablePointer<Int32>
    @usableFromInline var possibleCount = 0
    @usableFromInline var generator: SeededGenerator
    /// The number of reactions, which is also the index of the repetition.
    @usableFromInline private(set) var reactionCount = 0

    /// A repetition that is never possible, for all that have no reactions. Nobody changes it.
    private static let noReadiness = {
        let readiness = UnsafeMutablePointer<Readiness>.allocate(capacity: 1)
        readiness.initialize(to: Readiness(missing: 1, place: -1))
        return SharedPointer(readiness)
    }()

    init(seed: UInt64, chooser: Unmanaged<Chooser>? = nil) {
        generator = SeededGenerator(seed: seed, chooser: chooser)
        readiness = Self.noReadiness.memory
        // Never read, since nothing is possible.
        possible = UnsafeMutablePointer(bitPattern: MemoryLayout<Int32>.alignment).unsafelyUnwrapped
    }

    /// How much memory `seal` needs.
    static func byteCount(reactions: Int) -> Int {
        (reactions + 1) * (MemoryLayout<Readiness>.stride + MemoryLayout<Int32>.stride)
    }

    /// Fixes the reactions, once. Each of `molecules` is the number of different molecules that a reaction needs. All
    /// are taken to be absent. `block`, aligned to four bytes, has to exist until `unseal`, or as long as this.
    mutating func seal(molecules: some Collection<Int>, in block: UnsafeMutableRawPointer) {
        guard !molecules.isEmpty else { return }
        reactionCount = molecules.count
        let size = reactionCount + 1
        readiness = block.bindMemory(to: Readiness.self, capacity: size)
        possible = (block + size * MemoryLayout<Readiness>.stride).bindMemory(to: Int32.self, capacity: size)
        var next = readiness
        for count in molecules {
            next.initialize(to: Readiness(missing: Int32(count), place: -1))
            next += 1
        }
        next.initialize(to: Readiness(missing: 1, place: -1))
    }

    /// Forgets the reactions.
    mutating func unseal() {
        readiness = Self.noReadiness.memory
        reactionCount = 0
        possibleCount = 0
    }

    /// Whether failed reactions are due to be tried again.
    var canRepeat: Bool {
        get { readiness[reactionCount].missing == 0 }
        set {
            guard newValue != canRepeat else { return }
            readiness[reactionCount].missing = newValue ? 0 : 1
            if newValue { offer(Int32(reactionCount)) } else { withdraw(Int32(reactionCount)) }
        }
    }

    /// The reaction has become possible.
    @inlinable
    @inline(__always)
    mutating func offer(_ reaction: Int32) {
        readiness[Int(reaction)].place = Int32(truncatingIfNeeded: possibleCount)
        possible[possibleCount] = reaction
        possibleCount &+= 1
    }

    /// The reaction was possible and isn't any more.
    @inlinable
    @inline(__always)
    mutating func withdraw(_ reaction: Int32) {
        possibleCount &-= 1
        let last = possible[possibleCount]
        let place = readiness[Int(reaction)].place
        possible[Int(place)] = last
        readiness[Int(last)].place = place
        readiness[Int(reaction)].place = -1
    }

    /// The number of present copies has grown from `before` to `after`.
    @inlinable
    @inline(__always)
    mutating func grown(_ uses: UnsafeBufferPointer<Use>, from before: Int, to after: Int) {
        for use in uses where before < Int(use.copies) && Int(use.copies) <= after {
            let reaction = readiness + Int(use.reaction)
            reaction.pointee.missing &-= 1
            if reaction.pointee.missing == 0 { offer(use.reaction) }
        }
    }

    /// The number of present copies has shrunk from `before` to `after`.
    @inlinable
    @inline(__always)
    mutating func shrunk(_ uses: UnsafeBufferPointer<Use>, from before: Int, to after: Int) {
        for use in uses where after < Int(use.copies) && Int(use.copies) <= before {
            let reaction = readiness + Int(use.reaction)
            if reaction.pointee.missing == 0 { withdraw(use.reaction) }
            reaction.pointee.missing &+= 1
        }
    }

    /// Picks one of the possible reactions, including the repetition, with equal probability. There must be one.
    @inlinable
    @inline(__always)
    mutating func pick() -> Int {
        assert(possibleCount > 0)
        if possibleCount == 1 { return Int(possible[0]) }
        return Int(possible[generator.below(possibleCount)])
    }
}
