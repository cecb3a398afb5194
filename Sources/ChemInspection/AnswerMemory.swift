/// The last answers, for whoever asks too often.
struct AnswerMemory {
    private struct Answer {
        let request: [UInt8]
        let bytes: [UInt8]
        let made: UInt64
        var asked: UInt64
    }

    private static let limit = 16
    /// For how long an answer is kept that nobody asks for, in nanoseconds.
    private static let interest: UInt64 = 10_000_000_000
    /// How old an answer is at least that is made anew although little is left.
    private static let freshness: UInt64 = 1_000_000_000

    /// In the order in which they were made.
    private var answers: [Answer] = []

    /// Looks for an answer to give again.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - left: What is left for new answers. While that is little, the oldest answer that somebody still asks for is
    ///     made anew, and no other: what is asked for most often would leave nothing for the rest.
    ///   - now: The time.
    /// - Returns: the answer, or nil if one is to be made.
    mutating func answer(to request: [UInt8], _ left: Budget.State, now: UInt64) -> [UInt8]? {
        answers.removeAll { $0.request != request && now &- $0.asked > Self.interest }
        guard let place = answers.firstIndex(where: { $0.request == request }) else { return nil }
        answers[place].asked = now
        switch left {
        case .isLeft: return nil
        case .isShort where place == 0 && now &- answers[place].made > Self.freshness: return nil
        case .isShort, .isSpent: return answers[place].bytes
        }
    }

    mutating func remember(_ bytes: [UInt8], for request: [UInt8], now: UInt64) {
        answers.removeAll { $0.request == request }
        if answers.count == Self.limit { answers.removeFirst() }
        answers.append(Answer(request: request, bytes: bytes, made: now, asked: now))
    }
}
