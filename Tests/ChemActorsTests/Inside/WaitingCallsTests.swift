import Testing

@testable import ChemActors

@Suite("Calls that wait, as a value")
struct WaitingCallsTests {
    private final class Call: WaitingCall {
        let number: Int

        init(_ number: Int) {
            self.number = number
            super.init(SourceLocation(fileID: #fileID, line: #line))
        }
    }

    @Test("Any call can be taken out, and the oldest is the oldest, in 8 seeds", arguments: [true, false])
    func likeAnArray(isOldestFirst: Bool) {
        for seed in UInt64(1)...8 {
            var random = SeededGenerator(seed: seed)
            var calls = WaitingCalls(isOldestFirst: isOldestFirst)
            var expected: [Call] = []
            // Bursts, so that chunks come and go.
            for round in 0..<12 {
                let isGrowing = round % 2 == 0
                for number in 0..<random.below(isGrowing ? 700 : 900) {
                    if isGrowing {
                        let call = Call(round * 1_000 + number)
                        calls.append(call)
                        expected.append(call)
                    } else if !expected.isEmpty {
                        let chosen: Call
                        if isOldestFirst, random.below(2) == 0 {
                            chosen = unsafeDowncast(calls.oldest(), to: Call.self)
                            #expect(chosen === expected[0], "seed \(seed)")
                        } else if !isOldestFirst, random.below(2) == 0 {
                            chosen = unsafeDowncast(calls.call(at: random.below(calls.count)), to: Call.self)
                        } else {
                            chosen = expected[random.below(expected.count)]
                        }
                        calls.remove(chosen)
                        #expect(chosen.place == -1)
                        expected.removeAll { $0 === chosen }
                    }
                }
                #expect(calls.count == expected.count, "seed \(seed)")
                let all = Set(calls.all.map(ObjectIdentifier.init))
                #expect(all == Set(expected.map(ObjectIdentifier.init)), "seed \(seed)")
            }
        }
    }

    @Test("Beside one that waits for long, others come and go and leave nothing behind", arguments: [1, 7, 300])
    func memory(atOnce: Int) {
        var calls = WaitingCalls(isOldestFirst: true)
        let old = Call(-1)
        calls.append(old)
        for round in 0..<100_000 / atOnce {
            let others = (0..<atOnce).map { Call(round * atOnce + $0) }
            for other in others { calls.append(other) }
            for other in others { calls.remove(other) }
        }
        #expect(calls.count == 1 && calls.oldest() === old)
        let chunks = Mirror(reflecting: calls).children.first { $0.label == "chunks" }?.value as? [Any]
        #expect(chunks.map { $0.count <= 66 } == true, "\(chunks?.count ?? -1) chunks")
        // Places beside the old call, in the last chunk, and perhaps in one that was the last.
        let places = (chunks ?? []).reduce(0) { sum, chunk in
            sum + ((Mirror(reflecting: chunk).children.first?.value as? [Any])?.count ?? 0)
        }
        #expect(places <= 768, "\(places) places")
    }

    @Test("A copy for a snapshot doesn't change when calls leave")
    func copies() {
        var calls = WaitingCalls(isOldestFirst: true)
        for number in 0..<1_000 { calls.append(Call(number)) }
        let snapshot = calls
        while calls.count > 0 { calls.remove(calls.oldest()) }
        #expect(snapshot.all.map { unsafeDowncast($0, to: Call.self).number } == Array(0..<1_000))
    }
}
