/// Which reactions are possible, and the choice among them: the decision logic of a join definition as a plain value.
///
/// It knows how many copies of each molecule are present only by being told when a number crosses a reaction's need, so
/// deciding costs time proportional to the reactions that mention a molecule, and none to the number of molecules.
///
/// Nothing here runs user code, waits, or knows of threads. Whoever calls holds the lock of the soup.
@usableFromInline
struct Soup: ~Copyable {
    /// What one reaction still lacks.
    @usableFromInline
    struct Readiness {
        /// How many of its molecules are not present in the number it needs.
        @usableFromInline var missing: Int32
        /// Where it stands in `possible`, or -1.
        @usableFromInline var place: Int32
    }

    /// One reaction's need of one molecule.
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
    var reactionCount = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        readiness = .allocate(capacity: 0)
        possible = .allocate(capacity: 0)
    }

    @inlinable
    deinit {
        readiness.deallocate()
        possible.deallocate()
    }

    /// Fixes the reactions: `molecules[i]` is how many different molecules reaction `i` needs, all taken to be absent.
    mutating func seal(molecules: [Int]) {
        readiness.deallocate()
        possible.deallocate()
        reactionCount = molecules.count
        readiness = .allocate(capacity: reactionCount)
        possible = .allocate(capacity: reactionCount)
        possibleCount = 0
        for (index, count) in molecules.enumerated() {
            (readiness + index).initialize(to: Readiness(missing: Int32(count), place: -1))
        }
    }

    /// The number of present copies has grown from `before` to `after`.
    @inlinable
    @inline(__always)
    mutating func grown(_ uses: UnsafeBufferPointer<Use>, from before: Int, to after: Int) {
        for use in uses where before < Int(use.copies) && Int(use.copies) <= after {
            let reaction = readiness + Int(use.reaction)
            reaction.pointee.missing &-= 1
            if reaction.pointee.missing == 0 {
                reaction.pointee.place = Int32(truncatingIfNeeded: possibleCount)
                possible[possibleCount] = use.reaction
                possibleCount &+= 1
            }
        }
    }

    /// The number of present copies has shrunk from `before` to `after`.
    @inlinable
    @inline(__always)
    mutating func shrunk(_ uses: UnsafeBufferPointer<Use>, from before: Int, to after: Int) {
        for use in uses where after < Int(use.copies) && Int(use.copies) <= before {
            let reaction = readiness + Int(use.reaction)
            if reaction.pointee.missing == 0 {
                possibleCount &-= 1
                let last = possible[possibleCount]
                let place = reaction.pointee.place
                possible[Int(place)] = last
                readiness[Int(last)].place = place
                reaction.pointee.place = -1
            }
            reaction.pointee.missing &+= 1
        }
    }

    /// One of the possible reactions, each with the same chance. There must be one.
    @inlinable
    @inline(__always)
    mutating func pick() -> Int {
        assert(possibleCount > 0)
        if possibleCount == 1 { return Int(possible[0]) }
        return Int(possible[generator.below(possibleCount)])
    }
}
