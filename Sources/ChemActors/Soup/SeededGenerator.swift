/// The generator behind every random choice of a soup: wyrand, one multiplication per number.
///
/// The choices of a chemical machine have to be fair and repeatable, not unpredictable to an adversary.
/// Source: Wang Yi, "wyhash", public domain.
@usableFromInline
package struct SeededGenerator: RandomNumberGenerator {
    @usableFromInline var state: UInt64
    /// Who chooses instead, if the machine is controlled. The machine keeps it.
    @usableFromInline let chooser: Unmanaged<Chooser>?

    @inlinable
    init(seed: UInt64, chooser: Unmanaged<Chooser>?) {
        state = seed
        self.chooser = chooser
    }

    @inlinable
    package init(seed: UInt64) {
        self.init(seed: seed, chooser: nil)
    }

    @inlinable
    @inline(__always)
    package mutating func next() -> UInt64 {
        state &+= 0xa076_1d64_78bd_642f
        let product = state.multipliedFullWidth(by: state ^ 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }

    /// A number in `0 ..< bound`. The bias of the multiplication is below bound ÷ 2⁶⁴.
    @inlinable
    @inline(__always)
    package mutating func below(_ bound: Int) -> Int {
        if let chooser { return Self.choose(chooser, bound) }
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: bound)).high)
    }

    @usableFromInline
    @inline(never)
    static func choose(_ chooser: Unmanaged<Chooser>, _ bound: Int) -> Int {
        bound == 1 ? 0 : chooser._withUnsafeGuaranteedRef { $0.choose(bound) }
    }
}
