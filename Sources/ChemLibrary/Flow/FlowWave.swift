/// What one wave has to do, and what it has done so far.
@usableFromInline
package struct FlowWave {
    @usableFromInline var number: UInt64 = 0
    @usableFromInline var recomputations: UInt64 = 0
    /// How many values wait in zips for their partners.
    @usableFromInline var surplus = 0
    /// Whether a zip has taken the last waiting value of a stream that has ended.
    @usableFromInline var isZipDrained = false
    /// A bit for each place in the order of a wave: the operators that still have to run.
    @usableFromInline let dirty: UnsafeMutablePointer<UInt64>
    /// A bit for each node: the stores that have changed.
    @usableFromInline let touched: UnsafeMutablePointer<UInt64>
    @usableFromInline var isTouched = false

    init(operators: Int, nodes: Int) {
        dirty = .allocate(capacity: operators / 64 + 1)
        dirty.initialize(repeating: 0, count: operators / 64 + 1)
        touched = .allocate(capacity: nodes / 64 + 1)
        touched.initialize(repeating: 0, count: nodes / 64 + 1)
    }

    /// Marks the operator at `position` to run in its turn.
    @inlinable
    @inline(__always)
    mutating func mark(_ position: Int) { dirty[position &>> 6] |= 1 &<< UInt64(position & 63) }

    /// Marks the store `index` to be published after the wave.
    @inlinable
    @inline(__always)
    mutating func touch(_ index: Int) {
        touched[index &>> 6] |= 1 &<< UInt64(index & 63)
        isTouched = true
    }
}
