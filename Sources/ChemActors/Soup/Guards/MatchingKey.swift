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

    /// The same text in plain ASCII, if it isn't that and is equal to one that is short.
    private static func plain(_ text: String) -> String? {
        guard text.utf8.count <= 45, text.utf8.contains(where: { $0 >= 128 }) else { return nil }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let same = scalar.isASCII ? scalar : equivalents[scalar] else { return nil }
            plain.append(same)
        }
        return String(plain)
    }

    /// A short text in plain ASCII, in two numbers.
    private static func packed(_ text: String) -> Feature? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= 15, bytes.allSatisfy({ $0 < 128 }) else { return nil }
            var words: (UInt64, UInt64) = (0, (texts + UInt64(bytes.count)) << 56)
            for (index, byte) in bytes.enumerated() {
                if index < 8 {
                    words.0 |= UInt64(byte) << (8 * UInt64(index))
                } else {
                    words.1 |= UInt64(byte) << (8 * UInt64(index - 8))
                }
            }
            return Feature(words.0, words.1)
        }
    }

    /// A text. Those that are canonically equivalent are equal, as with `==`.
    public init(_ text: String) {
        self.init(
            Self.packed(text) ?? Self.plain(text).flatMap(Self.packed)
                ?? Feature(UInt64(bitPattern: Int64(text.hashValue)), 0, FeatureRest(text))
        )
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
