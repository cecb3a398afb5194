import Foundation
import Synchronization

/// Names for actors that no other actor has, here or elsewhere.
///
/// A random name for each would take longer than the rest of an actor: the system is asked for random bits. So the
/// process asks once, and tells its actors apart by their number.
enum MailboxIdentity {
    private static let count = Atomic<UInt64>(0)
    /// Of these 122 bits, 62 are changed from actor to actor.
    private static let process = UUID().uuid

    static func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }

    static func uuid(_ number: UInt64) -> UUID {
        // A bijection, so different numbers give different bits, which look random and lie behind the two of the
        // variant.
        let mixed = (number &* 0x9e37_79b9_7f4a_7c15) & (1 << 62 - 1)
        var bytes = process
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in 0..<8 { bytes[8 + index] ^= UInt8(truncatingIfNeeded: mixed >> (8 * (7 - index))) }
        }
        return UUID(uuid: bytes)
    }
}
