import ChemBase

/// The copies of one input of a reaction that a predicate decides on, in the order of arrival. Touched in the soup.
struct SearchedCopies {
    let table: UnsafeMutablePointer<CopyTable>
    let attachment: Int
    /// A copy that has left is -1.
    var copies: [SearchIndex.Candidate] = []
    /// How many have left.
    var holes = 0
    /// All before this one have left.
    var first = 0
    var count: Int { copies.count - holes }
    /// What the first `mirrored` of them carry, or carried, if that is trivial: one after the other, so that many are
    /// read at once. In the place of a copy that had left before it could be read stands what another one carries.
    private var mirror: UnsafeMutableRawPointer?
    private(set) var mirrorCapacity = 0
    var mirrored = 0
    private var stride = 0

    init(table: UnsafeMutablePointer<CopyTable>, attachment: Int) {
        self.table = table
        self.attachment = attachment
    }

    /// Where a copy that came at `moment` is or would be.
    func place(of moment: UInt64) -> Int {
        var (low, high) = (first, copies.count)
        while low < high {
            let middle = (low + high) / 2
            if copies[middle].moment < moment { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Moves the copies into the places of those that have left.
    mutating func closeRanks() {
        var left = 0
        var leftMirrored = 0
        for (place, candidate) in copies.enumerated() where candidate.copy >= 0 {
            if place < mirrored, let mirror {
                if left != place {
                    (mirror + left * stride).copyMemory(from: mirror + place * stride, byteCount: stride)
                }
                leftMirrored = left + 1
            }
            copies[left] = candidate
            table.pointee.link(candidate.copy, attachment).pointee.group = Int32(truncatingIfNeeded: left)
            left += 1
        }
        copies.removeSubrange(left...)
        mirrored = leftMirrored
        holes = 0
        first = 0
    }

    /// Room for what all copies carry. There must be one.
    mutating func makeMirror(stride: Int) -> UnsafeMutableRawPointer {
        if copies.count > mirrorCapacity {
            let larger = max(64, copies.count * 2)
            guard let memory = Platform.resize(mirror, to: larger * stride) else {
                fatalError("ChemActors: no memory for \(larger) molecules")
            }
            mirror = memory
            mirrorCapacity = larger
            self.stride = stride
        }
        guard let mirror else { fatalError("ChemActors: an input without copies") }
        return mirror
    }

    mutating func dropMirror() {
        mirror?.deallocate()
        mirror = nil
        mirrorCapacity = 0
        mirrored = 0
    }
}
