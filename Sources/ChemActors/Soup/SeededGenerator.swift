/// The generator behind every random choice of a soup: wyrand, one multiplication per number.
///
/// The choices of a chemical machine have to be fair and repeatable, not unpredictable to an adversary.
/// Source: Wang Yi, "wyhash", public domain.
@usableFromInline
struct SeededGenerator: RandomNumberGenerator {
    @usableFromInline var state: UInt64

    @inlinable
    init(seed: UInt64) {
        state = seed
    }

    @inlinable
    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= 0xa076_1d64_78bd_642f
        let product = state.multipliedFullWidth(by: state ^ 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }

    /// A number in `0 ..< bound`. The bias of the multiplication is below bound ÷ 2⁶⁴.
    @inlinable
    @inline(__always)
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: bound)).high)
    }
}
