/// Makes the choices of a soup in place of its generator, so that somebody else can decide what happens.
@usableFromInline
class Chooser: @unchecked Sendable {
    // Checked by hand: nothing changes.

    /// One of `0 ..< count`, where `count` is two or more. Called in the soup.
    func choose(_ count: Int) -> Int { fatalError("abstract") }
}
