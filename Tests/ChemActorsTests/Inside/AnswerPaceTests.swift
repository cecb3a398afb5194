import TestSupport
import Testing

@testable import ChemActors

@Suite("How long calls have kept their threads, as a value", .endsInTime)
struct AnswerPaceTests {
    /// After how many calls that take `call` with `gap` between them, in microseconds, a caller has to give way; nil if
    /// it doesn't in 10,000 calls.
    private func callsUntilLong(call: UInt64, gap: UInt64) -> Int? {
        var pace = AnswerPace()
        var time: UInt64 = 1_000_000_000
        for number in 0..<10_000 {
            if number & pace.lookMask == 0 {
                pace.look(at: time)
                if pace.isLong { return number }
            }
            time += call * 1_000
            if pace.lookMask == 0 { pace.lastEnd = time }
            time += gap * 1_000
        }
        return nil
    }

    @Test("Calls give way after a turn, although their callers do a little between them")
    func littleBetween() {
        #expect(callsUntilLong(call: 1_000, gap: 0) == 3)
        #expect(callsUntilLong(call: 1_000, gap: 100) == 2)
        #expect(callsUntilLong(call: 50, gap: 15) != nil)
        #expect(callsUntilLong(call: 0, gap: 1) != nil)
    }

    @Test("Calls with pauses between them don't")
    func pauses() {
        #expect(callsUntilLong(call: 1_000, gap: 500) == nil)
        #expect(callsUntilLong(call: 50, gap: 25) == nil)
        #expect(callsUntilLong(call: 1, gap: 30) == nil)
    }
}
