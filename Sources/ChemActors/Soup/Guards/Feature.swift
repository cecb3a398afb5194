/// What a guard sees of a value: a key that others must have too, or an amount.
///
/// It's computed outside of the soup, by whoever injects the value, unless that takes no code of a user: a number that
/// is stored in the value is read where the copy is put into the table. In the soup only this is compared, so no code
/// of a user runs there.
@frozen
@usableFromInline
struct Feature: Sendable {
    @usableFromInline var a: UInt64
    @usableFromInline var b: UInt64
    /// What doesn't fit into the numbers, which are then its hash value.
    @usableFromInline var rest: FeatureRest?

    @inlinable
    init(_ a: UInt64, _ b: UInt64 = 0, _ rest: FeatureRest? = nil) {
        self.a = a
        self.b = b
        self.rest = rest
    }

    /// What a molecule has that is matched without looking at its value.
    @inlinable static var none: Feature { Feature(0) }
}

extension Feature {
    /// What a threshold sees.
    @inlinable
    init(_ amount: Amount) {
        self.init(amount.level.a, amount.level.b)
    }
}

/// Whether this is a number of the standard library, of which a guard learns what it has to know without code of a
/// user.
@inlinable
func isNumber<T>(_ type: T.Type) -> Bool {
    type == Int.self || type == UInt.self || type == Int64.self || type == UInt64.self || type == Int32.self
        || type == UInt32.self || type == Int16.self || type == UInt16.self || type == Int8.self
        || type == UInt8.self || type == Double.self || type == Float.self || type == Bool.self
}

/// The stored property of `whole` at this offset.
@inlinable
@inline(__always)
func stored<Whole, Property>(_ type: Property.Type, at offset: Int, in whole: borrowing Whole) -> Property {
    withUnsafeBytes(of: whole) { bytes in
        bytes.baseAddress.unsafelyUnwrapped.advanced(by: offset).assumingMemoryBound(to: Property.self).pointee
    }
}

/// A part of a key that needs memory.
@usableFromInline
final class FeatureRest: Sendable {
    private enum Content: Equatable {
        /// A string that isn't short, or not plain ASCII.
        case text(String)
        /// Two keys that don't fit into two numbers.
        case pair(Feature, Feature)
        /// Says what the two numbers are, if these can be any.
        case bytes, wideNumber, negativeNumber
        /// The words of a number of more than 128 bits, the lowest first.
        case number([UInt64], isNegative: Bool)
    }

    /// Tells sixteen bytes, and numbers of more than 64 bits, from all other keys.
    @usableFromInline static let bytes = FeatureRest(.bytes)
    static let wideNumber = FeatureRest(.wideNumber)
    static let negativeNumber = FeatureRest(.negativeNumber)

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    init(_ text: String) {
        content = .text(text)
    }

    init(_ words: [UInt64], isNegative: Bool) {
        content = .number(words, isNegative: isNegative)
    }

    init(_ first: Feature, _ second: Feature) {
        content = .pair(first, second)
    }

    func isEqual(to other: FeatureRest) -> Bool { content == other.content }

    /// Whether the key is in the two numbers.
    var hasNumbers: Bool {
        switch content {
        case .bytes, .wideNumber, .negativeNumber: true
        case .text, .pair, .number: false
        }
    }

    /// As people read it.
    var text: String {
        switch content {
        case .text(let string): "\"\(string)\""
        case .pair, .bytes, .wideNumber, .negativeNumber, .number: "…"
        }
    }
}

extension Feature: Equatable {
    @inlinable
    static func == (one: Feature, other: Feature) -> Bool {
        guard one.a == other.a, one.b == other.b else { return false }
        if one.rest == nil, other.rest == nil { return true }
        return isEqual(one.rest, other.rest)
    }

    @usableFromInline
    static func isEqual(_ one: FeatureRest?, _ other: FeatureRest?) -> Bool {
        guard let one, let other else { return false }
        return one === other || one.isEqual(to: other)
    }
}

extension Feature {
    /// Different in each process, so that nobody can choose keys that collide.
    private static let secret = (UInt64.random(in: 0 ... .max) | 1, UInt64.random(in: 0 ... .max) | 1)

    /// Only decides where a key is stored: no order depends on it.
    var hash: UInt32 {
        let (x, y) = Self.secret
        let one = (a ^ x).multipliedFullWidth(by: b ^ y)
        let two = (one.high ^ one.low ^ y).multipliedFullWidth(by: x)
        return UInt32(truncatingIfNeeded: two.high ^ two.low)
    }
}

/// What has to be equal for a reaction to take values together: a number, a text, some bytes, or several of these.
///
/// Reactions compare keys under a lock, where no code of yours may run. So a key is made of what the runtime knows.
///
/// Keys are equal if they are made of equal values in the same way: a number is equal to the same number of another
/// type, and to nothing else.
@frozen
public struct MatchingKey: Hashable, Sendable {
    @usableFromInline let feature: Feature

    @inlinable
    init(_ feature: Feature) {
        self.feature = feature
    }

    /// A number.
    @inlinable
    public init(_ number: some FixedWidthInteger) {
        let low = UInt64(truncatingIfNeeded: number)
        if Int64(exactly: number) != nil {
            self.init(Feature(low))
        } else if UInt64(exactly: number) != nil {
            self.init(Feature(low, Self.unsigned))
        } else {
            let words = stride(from: 0, to: number.bitWidth, by: 64).map { UInt64(truncatingIfNeeded: number >> $0) }
            self.init(Self.wide(words, isNegative: number < 0))
        }
    }

    /// What a number is that has more than 64 bits: the same for all types that it fits into.
    @usableFromInline
    static func wide(_ words: [UInt64], isNegative: Bool) -> Feature {
        let filler: UInt64 = isNegative ? .max : 0
        let count = max(2, (words.lastIndex { $0 != filler } ?? 0) + 1)
        let rest: FeatureRest =
            count > 2
            ? FeatureRest(Array(words[..<count]), isNegative: isNegative) : isNegative ? .negativeNumber : .wideNumber
        return Feature(words[0], words.count > 1 ? words[1] : filler, rest)
    }

    // The second number tells what the first one is, if there is no object besides: zero stands for a number, this for
    // one that is too large for `Int64`. A text and two numbers have these in its highest byte.
    @usableFromInline static let unsigned: UInt64 = 1
    private static let texts: UInt64 = 0x10
    private static let pairs: UInt64 = 0x20

    /// What isn't plain ASCII, and equal to something that is.
    private static let equivalents: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{37E}": ";", "\u{1FEF}": "`", "\u{212A}": "K",
    ]

    /// The same text in plain ASCII, if it is equal to one.
    private static func plain(_ text: String) -> String? {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let same = scalar.isASCII ? scalar : equivalents[scalar] else { return nil }
            plain.append(same)
        }
        return String(plain)
    }

    /// A text. Those that are canonically equivalent are equal, as with `==`.
    public init(_ text: String) {
        var text = text.utf8.count <= 45 ? Self.plain(text) ?? text : text
        let packed: Feature? = text.withUTF8 { bytes in
            guard bytes.count <= 15, bytes.allSatisfy({ $0 < 128 }) else { return nil }
            var words: (UInt64, UInt64) = (0, (Self.texts + UInt64(bytes.count)) << 56)
            for (index, byte) in bytes.enumerated() {
                if index < 8 {
                    words.0 |= UInt64(byte) << (8 * UInt64(index))
                } else {
                    words.1 |= UInt64(byte) << (8 * UInt64(index - 8))
                }
            }
            return Feature(words.0, words.1)
        }
        self.init(packed ?? Feature(UInt64(bitPattern: Int64(text.hashValue)), 0, FeatureRest(text)))
    }

    /// Sixteen bytes, such as those of a UUID.
    ///
    /// ```swift
    /// extension UUID: @retroactive Matchable {
    ///     public var matchingKey: MatchingKey { MatchingKey(bytes: uuid) }
    /// }
    /// ```
    public init(
        bytes: (
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8
        )
    ) {
        self.init(
            withUnsafeBytes(of: bytes) { bytes in
                Feature(
                    bytes.loadUnaligned(as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                    .bytes
                )
            }
        )
    }

    /// Both of two keys.
    ///
    /// ```swift
    /// extension Seat: Matchable {
    ///     var matchingKey: MatchingKey { MatchingKey(row, number) }
    /// }
    /// ```
    public init(_ first: some Matchable, _ second: some Matchable) {
        let (one, two) = (first.matchingKey.feature, second.matchingKey.feature)
        // 56 bits are left for the second one.
        let small = Int64(bitPattern: two.a << 8) >> 8 == Int64(bitPattern: two.a)
        if one.b == 0, two.b == 0, one.rest == nil, two.rest == nil, small {
            self.init(Feature(one.a, Self.pairs << 56 | (two.a & ~0 >> 8)))
        } else {
            var hasher = Hasher()
            for feature in [one, two] {
                hasher.combine(feature.a)
                hasher.combine(feature.b)
            }
            self.init(Feature(UInt64(bitPattern: Int64(hasher.finalize())), 0, FeatureRest(one, two)))
        }
    }

    /// Whether both are made of equal values.
    @inlinable
    public static func == (one: MatchingKey, other: MatchingKey) -> Bool { one.feature == other.feature }

    /// Feeds the key to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(feature.a)
        hasher.combine(feature.b)
    }
}

/// A type whose values reactions can match: ``MatchingKey`` says what makes two of them equal.
///
/// Integers, `String`, `Bool`, `Character` and enumerations with such raw values conform. For a type of your own, say
/// what its key is made of:
///
/// ```swift
/// struct OrderID: Matchable {
///     let tenant: Int, number: Int
///     var matchingKey: MatchingKey { MatchingKey(tenant, number) }
/// }
/// ```
public protocol Matchable: SendableMetatype {
    /// Equal for two values that match, and only then. It's computed by whoever injects the value.
    var matchingKey: MatchingKey { get }
}

extension Matchable where Self: FixedWidthInteger {
    /// The number.
    @inlinable public var matchingKey: MatchingKey { MatchingKey(self) }
}

extension Int: Matchable {}
extension Int8: Matchable {}
extension Int16: Matchable {}
extension Int32: Matchable {}
extension Int64: Matchable {}
extension UInt: Matchable {}
extension UInt8: Matchable {}
extension UInt16: Matchable {}
extension UInt32: Matchable {}
extension UInt64: Matchable {}

extension String: Matchable {
    /// The text.
    public var matchingKey: MatchingKey { MatchingKey(self) }
}

extension Bool: Matchable {
    /// 0 or 1.
    @inlinable public var matchingKey: MatchingKey { MatchingKey(self ? 1 : 0) }
}

extension Character: Matchable {
    /// The text of the character.
    public var matchingKey: MatchingKey { MatchingKey(String(self)) }
}

extension ObjectIdentifier: Matchable {
    /// The identity of the object.
    @inlinable public var matchingKey: MatchingKey { MatchingKey(UInt(bitPattern: self)) }
}

extension Matchable where Self: RawRepresentable, RawValue: Matchable {
    /// The key of the raw value.
    @inlinable public var matchingKey: MatchingKey { rawValue.matchingKey }
}

extension MatchingKey: Matchable {
    /// Itself.
    @inlinable public var matchingKey: MatchingKey { self }
}

extension Feature {
    /// What a key was made of, for messages.
    enum Style: Sendable {
        case number, text, truth

        init(_ type: any Matchable.Type) {
            self =
                switch type {
                case is String.Type, is Character.Type: .text
                case is Bool.Type: .truth
                case let type as any RawRepresentable.Type: Style(of: type)
                default: .number
                }
        }

        private init<Raw: RawRepresentable>(of type: Raw.Type) {
            self = Raw.RawValue.self is String.Type ? .text : .number
        }
    }

    /// The key as people read it.
    func text(_ style: Style) -> String {
        if let rest {
            return rest.hasNumbers ? "\(String(b, radix: 16))-\(String(a, radix: 16))" : rest.text
        }
        if style == .text {
            let bytes = (0..<Int(b >> 56 & 15)).map {
                UInt8(truncatingIfNeeded: ($0 < 8 ? a : b) >> (8 * UInt64($0 % 8)))
            }
            return "\"\(String(decoding: bytes, as: UTF8.self))\""
        }
        if style == .truth { return a == 0 ? "false" : "true" }
        switch b {
        case 0: return "\(Int64(bitPattern: a))"
        case MatchingKey.unsigned: return "\(a)"
        default: return "\(Int64(bitPattern: a)), \(Int64(bitPattern: b << 8) >> 8)"
        }
    }
}
