/// A set of small numbers.
struct NumberSet: Hashable {
    private var low: UInt64 = 0
    /// Those from 64 on.
    private var high: [UInt64] = []

    init() {}

    var isEmpty: Bool { low == 0 && high.isEmpty }

    mutating func insert(_ number: Int) {
        if number < 64 {
            low |= 1 << UInt64(number)
            return
        }
        let word = number / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(number % 64)
    }

    func contains(_ number: Int) -> Bool {
        if number < 64 { return low & 1 << UInt64(number) != 0 }
        let word = number / 64 - 1
        return word < high.count && high[word] & 1 << UInt64(number % 64) != 0
    }

    mutating func formUnion(_ other: NumberSet) {
        low |= other.low
        for (index, word) in other.high.enumerated() {
            if index < high.count { high[index] |= word } else { high.append(word) }
        }
    }

    /// Those that aren't in `other`.
    func subtracting(_ other: NumberSet) -> NumberSet {
        var rest = self
        rest.low &= ~other.low
        for index in 0..<min(rest.high.count, other.high.count) { rest.high[index] &= ~other.high[index] }
        return rest
    }

    /// Whether some number is in both.
    func meets(_ other: NumberSet) -> Bool {
        if low & other.low != 0 { return true }
        return !high.isEmpty && zip(high, other.high).contains { $0 & $1 != 0 }
    }
}
