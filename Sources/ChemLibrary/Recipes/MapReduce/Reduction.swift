/// How `mapReduce` combines results.
public enum Reduction: Hashable, Sendable {
    /// Any two available results meet, in any order: for a reducer that is associative and commutative.
    ///
    /// One reaction consumes two copies of `done`.
    case pairs
    /// Like ``pairs``, but expressed as in CocoaJoin, whose reactions couldn't consume two copies of the same molecule.
    ///
    /// A `primer` turns one `done` into a `done'`, which then meets another `done`. It costs one more reaction for each
    /// element.
    case primers
    /// Only neighbours meet, the earlier one first: for a reducer that is associative, such as the concatenation of
    /// texts.
    ///
    /// Which results meet depends only on the number of elements, so even sums of floating-point numbers are
    /// repeatable.
    case tree
}
