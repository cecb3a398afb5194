import Testing

@testable import ChemActors

@Suite("The ring of a recorder, as a value")
struct EventRingTests {
    private func event(_ kind: Recording.Kind, _ number: UInt32, at stamp: UInt64, count: UInt32 = 0) -> RecordedEvent {
        RecordedEvent(stamp: stamp, number: number, count: count, sender: 0, subject: 0, kind: kind)
    }

    /// What tells two events apart.
    private func text(_ event: RecordedEvent) -> String {
        "\(event.kind) \(event.number) \(event.stamp) \(event.count)"
    }

    @Test("It holds the last events in their order, ends with their starts, and knows how many are lost, in 200 seeds")
    func likeAnArray() {
        for seed in UInt64(1)...200 {
            var random = SplitMix(state: seed)
            let limit = [128, 256, 1024][Int.random(in: 0..<3, using: &random)]
            var ring = EventRing(limit: limit)
            #expect(ring.last(.max).isEmpty && ring.lastStamp == nil && ring.lost(holding: []) == 0)
            /// Each with the place in the ring that it takes.
            var expected: [(text: String, place: Int)] = []
            var places = 0
            var now: UInt64 = 0
            var running: [UInt32] = []
            for number in UInt32(1)...UInt32.random(in: 1...6_000, using: &random) {
                now += UInt64.random(in: 0...3, using: &random)
                // Longer than a place has room for.
                if Int.random(in: 0..<1_000, using: &random) == 0 { now += 1 << 32 }
                if running.isEmpty || Bool.random(using: &random) {
                    let kind: Recording.Kind = Bool.random(using: &random) ? .started : .injected
                    let happened = event(kind, number, at: now, count: kind == .injected ? number : 0)
                    if kind == .started { running.append(number) }
                    ring.append(happened)
                    expected.append((text(happened), places))
                    places += 1
                } else {
                    let ended = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                    let last = expected[expected.count - 1].text
                    let isTogether = ring.end(ended, at: now)
                    let happened = event(.ended, ended, at: now)
                    if isTogether {
                        #expect(last.hasPrefix("started \(ended) "), "seed \(seed)")
                    } else {
                        ring.append(happened)
                        places += 1
                    }
                    expected.append((text(happened), places - 1))
                }
            }
            let held = ring.last(.max)
            let rest = expected.filter { $0.place >= places - limit }
            #expect(held.map(text) == rest.map(\.text), "seed \(seed)")
            #expect(ring.lost(holding: held) == expected.count - held.count, "seed \(seed)")
            #expect(held.allSatisfy { !$0.hasEnded }, "seed \(seed)")
        }
    }

    @Test("An end is written down with its start if, and only if, nothing has happened in between")
    func endsWithStarts() {
        var ring = EventRing(limit: 128)
        ring.append(event(.started, 1, at: 10))
        let atOnce = ring.end(1, at: 15)
        ring.append(event(.started, 2, at: 20))
        ring.append(event(.injected, 0, at: 21, count: 7))
        let afterAnother = ring.end(2, at: 22)
        let twice = ring.end(1, at: 23)
        #expect(atOnce && !afterAnother && !twice)
        let texts = ring.last(.max).map(text)
        #expect(texts == ["started 1 10 0", "ended 1 15 0", "started 2 20 0", "injected 0 21 7"])
    }

    @Test(
        "Injections come where their times say; at one moment before what takes them, and behind the start that sends"
    )
    func merging() {
        func injection(_ stamp: UInt64, by start: UInt64 = 0) -> RecordedEvent {
            RecordedEvent(stamp: stamp, number: 0, count: 1, sender: start, subject: 0, kind: .injected)
        }
        let mine: UInt64 = 7 << 32
        let events = [event(.started, 1, at: 10), event(.ended, 1, at: 12), event(.started, 2, at: 12)]
        let injections = [injection(9), injection(10, by: mine | 1), injection(12, by: mine | 1), injection(13)]
        let texts = events.merged(with: injections, of: 7).map { "\($0.kind) \($0.stamp)" }
        #expect(
            texts == [
                "injected 9", "started 10", "injected 10", "injected 12", "ended 12", "started 12", "injected 13",
            ]
        )
        // A start has the time of the end before it.
        let second = events.merged(with: [injection(12, by: mine | 2)], of: 7).map { "\($0.kind) \($0.stamp)" }
        #expect(second == ["started 10", "ended 12", "started 12", "injected 12"])
        // The start of the same number in another definition is another one.
        #expect(
            events.merged(with: [injection(10, by: 8 << 32 | 1)], of: 7).map(\.kind).prefix(2) == [.injected, .started]
        )
        #expect(
            events.merged(with: [], of: 7).count == 3 && [RecordedEvent]().merged(with: injections, of: 7).count == 4
        )
    }

    @Test("The texts of the last events are those that they have, around the number that stands for none")
    func lastTexts() {
        for begin in [0, UInt32.max - 20] {
            var texts = EventTexts(limit: 100, first: begin &+ 1)
            var numbers: [(number: UInt32, text: String)] = []
            for index in 0..<50 { numbers.append((texts.add("text \(index)"), "text \(index)")) }
            for count in [0, 1, 7, 49, 50, 51, .max] {
                let last = texts.last(count)
                for (number, text) in numbers.suffix(min(count, 50)) { #expect(last[number] == text) }
                #expect(last[0] == nil)
                if count < 40 { #expect(last[numbers[0].number] == nil) }
            }
            // Whoever looks isn't told of what comes later, and what comes later has its number.
            let before = texts.last(3)
            let number = texts.add("later")
            #expect(before[number] == nil && texts[number] == "later")
        }
    }
}
