/// A set of small numbers.
package struct NumberSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var middle: UInt64 = 0
    /// Those from 128 on. Nil if there are none, so that most sets are copied without counting references.
    private var high: [UInt64]?

    package init() {}

    package init(_ numbers: some Sequence<Int>) {
        for number in numbers { insert(number) }
    }

    var isEmpty: Bool { low | middle == 0 && high == nil }

    package mutating func insert(_ number: Int) {
        switch number {
        case ..<64: low |= 1 << UInt64(number)
        case ..<128: middle |= 1 << UInt64(number - 64)
        default:
            let word = number / 64 - 2
            var words = high ?? []
            high = nil
            while words.count <= word { words.append(0) }
            words[word] |= 1 << UInt64(number % 64)
            high = words
        }
    }

    package func contains(_ number: Int) -> Bool {
        switch number {
        case ..<64: return low & 1 << UInt64(number) != 0
        case ..<128: return middle & 1 << UInt64(number - 64) != 0
        default:
            let word = number / 64 - 2
            guard let high, word < high.count else { return false }
            return high[word] & 1 << UInt64(number % 64) != 0
        }
    }

    mutating func formUnion(_ other: NumberSet) {
        low |= other.low
        middle |= other.middle
        guard let others = other.high else { return }
        guard var words = high else {
            high = others
            return
        }
        high = nil
        for (index, word) in others.enumerated() {
            if index < words.count { words[index] |= word } else { words.append(word) }
        }
        high = words
    }

    /// Those that aren't in `other`.
    func subtracting(_ other: NumberSet) -> NumberSet {
        var rest = self
        rest.low &= ~other.low
        rest.middle &= ~other.middle
        guard var words = high, let others = other.high else { return rest }
        for index in 0..<min(words.count, others.count) { words[index] &= ~others[index] }
        rest.high = words
        return rest
    }

    /// Whether all of them are in `other`.
    package func isSubset(of other: NumberSet) -> Bool {
        guard low & ~other.low == 0, middle & ~other.middle == 0 else { return false }
        guard let high else { return true }
        let others = other.high ?? []
        return high.indices.allSatisfy { high[$0] & ~($0 < others.count ? others[$0] : 0) == 0 }
    }

    /// Whether some number is in both.
    func meets(_ other: NumberSet) -> Bool {
        if low & other.low | middle & other.middle != 0 { return true }
        guard let high, let others = other.high else { return false }
        return zip(high, others).contains { $0 & $1 != 0 }
    }
}
