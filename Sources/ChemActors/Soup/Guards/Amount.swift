/// How much of something: what a threshold compares. A number or a duration.
///
/// Thresholds are compared under a lock, where no code of yours may run. So an amount is made of what the runtime
/// knows.
@frozen
public struct Amount: Comparable, Sendable {
    /// In the order of the amounts; of unsigned numbers, so that one comparison does for all kinds.
    @usableFromInline let level: Level
    @usableFromInline let style: Style

    @usableFromInline
    enum Style: Sendable { case integer, unsigned, number, duration }

    @inlinable
    init(_ level: Level, _ style: Style) {
        self.level = level
        self.style = style
    }

    /// An integer of at most 64 bits.
    @inlinable
    public init<Number: FixedWidthInteger>(_ number: Number) {
        // A precondition says nothing in release.
        guard Number.bitWidth <= 64 else { fatalError("ChemActors: an amount has at most 64 bits, not \(number)") }
        if Number.isSigned {
            self.init(Level(UInt64(bitPattern: Int64(truncatingIfNeeded: number)) ^ 1 << 63, 0), .integer)
        } else {
            self.init(Level(UInt64(truncatingIfNeeded: number), 0), .unsigned)
        }
    }

    /// A number. One that is no number is no amount: a threshold never admits it.
    @inlinable
    public init(_ number: Double) {
        if number.isNaN {
            self.init(.never, .number)
        } else {
            // Without the sign of zero.
            let bits = (number + 0).bitPattern
            self.init(Level(number < 0 ? ~bits : (bits & ~(1 << 63)) | 1 << 63, 0), .number)
        }
    }

    /// A duration.
    @inlinable
    public init(_ duration: Duration) {
        // Longer ones than that have no components.
        let (seconds, attoseconds) = min(max(duration, .seconds(Int64.min + 1)), .seconds(Int64.max)).components
        // Both have the sign of the duration.
        let isBorrowed = attoseconds < 0
        let whole = isBorrowed ? seconds - 1 : seconds
        let part = isBorrowed ? attoseconds + 1_000_000_000_000_000_000 : attoseconds
        self.init(Level(UInt64(bitPattern: whole) ^ 1 << 63, UInt64(part)), .duration)
    }

    /// Whether one is less than the other. Only amounts of the same kind can be compared.
    public static func < (one: Amount, other: Amount) -> Bool { one.level < other.level }

    /// Whether both are the same.
    public static func == (one: Amount, other: Amount) -> Bool { one.level == other.level }
}

extension Amount: CustomStringConvertible {
    /// As people read it.
    public var description: String {
        switch style {
        case .integer: "\(Int64(bitPattern: level.a ^ 1 << 63))"
        case .unsigned: "\(level.a)"
        case .number:
            level == .never
                ? "nan" : "\(Double(bitPattern: level.a >> 63 == 1 ? level.a & ~(1 << 63) : ~level.a))"
        case .duration:
            "\(Duration(secondsComponent: Int64(bitPattern: level.a ^ 1 << 63), attosecondsComponent: Int64(level.b)))"
        }
    }
}

/// An amount without its kind.
@frozen
@usableFromInline
struct Level: Comparable, BitwiseCopyable, Sendable {
    @usableFromInline let a: UInt64
    @usableFromInline let b: UInt64

    @inlinable
    init(_ a: UInt64, _ b: UInt64) {
        self.a = a
        self.b = b
    }

    /// Above all others.
    @inlinable static var never: Level { Level(.max, .max) }

    @inlinable
    static func < (one: Level, other: Level) -> Bool { one.a != other.a ? one.a < other.a : one.b < other.b }
}

/// A type whose values thresholds can compare: ``Amount`` says how.
///
/// Integers, `Double`, `Float` and `Duration` conform. For a type of your own:
///
/// ```swift
/// struct Money: Quantity {
///     let cents: Int
///     var amount: Amount { Amount(cents) }
/// }
/// ```
public protocol Quantity: SendableMetatype {
    /// How much it is. It's computed outside of any lock.
    var amount: Amount { get }
}

extension Quantity where Self: FixedWidthInteger {
    /// The number.
    @inlinable public var amount: Amount { Amount(self) }
}

extension Int: Quantity {}
extension Int8: Quantity {}
extension Int16: Quantity {}
extension Int32: Quantity {}
extension Int64: Quantity {}
extension UInt: Quantity {}
extension UInt8: Quantity {}
extension UInt16: Quantity {}
extension UInt32: Quantity {}
extension UInt64: Quantity {}

extension Double: Quantity {
    /// The number.
    @inlinable public var amount: Amount { Amount(self) }
}

extension Float: Quantity {
    /// The number.
    @inlinable public var amount: Amount { Amount(Double(self)) }
}

extension Duration: Quantity {
    /// The duration.
    @inlinable public var amount: Amount { Amount(self) }
}

extension Amount: Quantity {
    /// Itself.
    @inlinable public var amount: Amount { self }
}
