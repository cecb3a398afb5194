import ChemBase

/// What the last events of a definition say of values. Touched under the lock of the events.
struct EventTexts {
    private static let length = 200

    private var texts = FIFO<String>()
    /// The number of the first of them.
    private var first: UInt32
    private let limit: Int

    init(limit: Int, first: UInt32 = 1) {
        self.limit = limit
        self.first = first
    }

    /// Adds the text of the event that is written down next.
    ///
    /// - Returns: its number, which isn't zero.
    mutating func add(_ text: String) -> UInt32 {
        if texts.count >= limit { dropFirst() }
        if first &+ UInt32(truncatingIfNeeded: texts.count) == 0 {
            // Zero stands for none.
            texts.append("")
        }
        texts.append(text.count > Self.length ? "\(text.prefix(Self.length - 1))…" : text)
        return first &+ UInt32(truncatingIfNeeded: texts.count - 1)
    }

    private mutating func dropFirst() {
        _ = texts.popFirst()
        first &+= 1
    }

    /// The texts of the last events, at most `count` of those that have one. They are copied, so that whoever looks at
    /// them doesn't make the next event copy all.
    func last(_ count: Int) -> EventTexts {
        // One may be no event's.
        guard count < texts.count - 1 else { return self }
        let begin = texts.count - count - 1
        var result = EventTexts(limit: limit, first: first &+ UInt32(truncatingIfNeeded: begin))
        for place in begin..<texts.count { result.texts.append(texts[place]) }
        return result
    }

    /// The text with this number, if there is one and it is still here.
    subscript(number: UInt32) -> String? {
        let place = Int(number &- first)
        return number != 0 && place < texts.count ? texts[place] : nil
    }
}
