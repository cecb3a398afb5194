public import ChemActors

// Reducing in a tree, in which only neighbours meet.

extension MapReduceChemistry {
    /// The nodes of the tree whose other half is still missing.
    @usableFromInline
    struct Halves: Sendable {
        /// The index in `waiting` at which each level begins.
        @usableFromInline let starts: [Int]
        /// How many nodes each level has.
        @usableFromInline let widths: [Int]
        @usableFromInline var waiting: [Part?]

        @inlinable
        init(_ count: Int) {
            var (starts, widths, start, width) = ([Int](), [Int](), 0, count)
            while width > 0 {
                starts.append(start)
                widths.append(width)
                start += (width + 1) / 2
                if width == 1 { break }
                width = (width + 1) / 2
            }
            self.starts = starts
            self.widths = widths
            waiting = Array(repeating: nil, count: start)
        }

        /// Returns both halves of a node if `part` is the second one to arrive; otherwise keeps `part` and returns nil.
        @inlinable
        mutating func add(_ part: Part) -> (Part, Part)? {
            var part = part
            // The last node of a level of odd width has no other half: it also serves as a node of the next level.
            while part.index % 2 == 0, part.index == widths[part.level] - 1 {
                part = Part(part.value, count: part.count, level: part.level + 1, index: part.index / 2)
            }
            let place = starts[part.level] + part.index / 2
            guard let other = waiting[place] else {
                waiting[place] = part
                return nil
            }
            waiting[place] = nil
            return part.index % 2 == 0 ? (part, other) : (other, part)
        }
    }

    /// Declares how parts find their neighbours.
    @inlinable
    static func declareTree(
        _ molecules: Molecules,
        in join: inout Join.Builder
    ) -> SlowMolecule<(Part, Part)> {
        let halves = join.slow("halves", of: (Part, Part).self)
        let tree = join.state("tree", Halves(molecules.count))
        join.when(molecules.done, updating: tree) { tree, part in
            if let pair = tree.add(part) { halves(pair) }
        }
        return halves
    }
}
