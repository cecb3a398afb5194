import ChemBase

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

/// Whether this is an integer of the standard library. As a key or an amount it needs no code of a user.
@inlinable
func isInteger<T>(_ type: T.Type) -> Bool {
    type == Int.self || type == UInt.self || type == Int64.self || type == UInt64.self || type == Int32.self
        || type == UInt32.self || type == Int16.self || type == UInt16.self || type == Int8.self
        || type == UInt8.self
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
        case .text(let string): "\"\(string.onOneLine)\""
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
            return "\"\(String(decoding: bytes, as: UTF8.self).onOneLine)\""
        }
        if style == .truth { return a == 0 ? "false" : "true" }
        switch b {
        case 0: return "\(Int64(bitPattern: a))"
        case MatchingKey.unsigned: return "\(a)"
        default: return "\(Int64(bitPattern: a)), \(Int64(bitPattern: b << 8) >> 8)"
        }
    }
}
