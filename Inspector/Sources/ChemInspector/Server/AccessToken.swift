/// What a request must show, so that no other user and no page of another origin can ask: 128 random bits.
package struct AccessToken: Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    package let description: String

    /// A new one, from the system's source of randomness.
    package init() {
        var generator = SystemRandomNumberGenerator()
        description = (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Whether the header `Authorization` has this token.
    ///
    /// The time it takes doesn't depend on how much of the token is right.
    func isShown(by authorization: String?) -> Bool {
        let expected = Array("Bearer \(description)".utf8)
        let shown = Array((authorization ?? "").utf8)
        guard shown.count == expected.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(shown, expected) { difference |= one ^ other }
        return difference == 0
    }
}
