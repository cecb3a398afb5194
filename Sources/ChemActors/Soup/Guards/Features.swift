/// What the indexes of a molecule see of one copy, in their order.
@usableFromInline
struct Features: Sendable {
    /// What the first index sees. Most molecules are in one.
    @usableFromInline let first: Feature
    /// What the others see.
    @usableFromInline let others: OtherFeatures?

    @inlinable
    init(_ first: Feature) {
        self.first = first
        others = nil
    }

    @usableFromInline
    init(_ first: Feature, _ others: [Feature]) {
        self.first = first
        self.others = others.isEmpty ? nil : OtherFeatures(others)
    }

    subscript(index: Int) -> Feature {
        borrowing get { others.map { index == 0 ? first : $0.all[index - 1] } ?? first }
    }
}

/// What the second index and those behind it see. An object, since most molecules are in one index only.
@usableFromInline
final class OtherFeatures: Sendable {
    let all: [Feature]

    init(_ all: [Feature]) {
        self.all = all
    }
}
