/// What is left in a machine when nothing happens any more, or in a definition that dissolves, though somebody counts
/// on its being consumed.
package struct Residue: Sendable {
    /// Calls that nothing ends: neither a reaction nor a time limit.
    package var calls: [String] = []
    /// Molecules that only others than their definition inject, and of which copies are left: nobody has consumed them.
    package var molecules: [String] = []
    /// What the reactions lack that would consume the calls and the molecules.
    package var lacks: [String] = []
    /// Molecules whose numbers don't add up. There are none.
    package var unbalanced: [String] = []

    package var isEmpty: Bool { calls.isEmpty && molecules.isEmpty && unbalanced.isEmpty }

    package init() {}

    package static func += (sum: inout Residue, other: Residue) {
        sum.calls += other.calls
        sum.molecules += other.molecules
        sum.lacks += other.lacks
        sum.unbalanced += other.unbalanced
    }
}
