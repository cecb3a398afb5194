/// In which way `mapReduce` puts results together.
public enum Reduction: Hashable, Sendable {
    /// Any two results that are there meet, in any order: for a reducer that is associative and commutative.
    ///
    /// One reaction consumes two copies of `done`.
    case pairs
    /// As ``pairs``, in the words of CocoaJoin, whose reactions couldn't consume two copies of the same molecule.
    ///
    /// A `primer` turns one `done` into a `done'`, which then meets another `done`. It costs a reaction more for each
    /// element.
    case primers
    /// Only neighbours meet, the earlier one first: for a reducer that is associative, such as the concatenation of
    /// texts.
    ///
    /// Which results meet depends only on the number of elements, so sums of floating-point numbers are repeatable,
    /// too.
    case tree
}
