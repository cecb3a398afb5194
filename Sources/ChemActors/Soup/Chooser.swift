/// Makes the choices of a soup in place of its generator, so that somebody else can decide what happens.
@usableFromInline
final class Chooser: Sendable {
    /// One of `0 ..< count`, where `count` is two or more. Called in the soup.
    let choose: @Sendable (_ count: Int) -> Int

    init(_ choose: @escaping @Sendable (_ count: Int) -> Int) {
        self.choose = choose
    }
}
