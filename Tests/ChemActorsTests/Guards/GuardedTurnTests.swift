import ChemActors
import TestSupport
import Testing

/// Steps of the soup beside guards and parts, which no step can ask.
@Suite("Calls that are turned, and guards", .endsInTime)
struct GuardedTurnTests {
    @Test("A call that is turned if a gate is open, and that a guard may take meanwhile")
    func turnedOrChosen() async throws {
        let (send, open, offer, matched, received) = Join.define("market") { join in
            let send = join.fast("send", of: Int.self)
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let open = join.slow("open")
            let offer = join.slow("offer", of: Int.self)
            let matched = join.state("matched", [Int]())
            let received = join.state("received", [Int]())
            join.turn(send, into: item, while: open)
            join.answer(send, with: offer, matching: \.self, \.self, updating: matched) { matched, n, _ in
                matched.append(n)
            }
            join.when(item, updating: received) { received, n in received.append(n) }
            return (send, open, offer, matched.reader, received.reader)
        }
        offer(2)
        #expect(try send.tryCall(2) == nil)
        async let first: Void = send(1)
        try await send(2)
        #expect(matched.value == [2])
        open()
        try await first
        try await send(3)
        try await until { received.value == [1, 3] }
        #expect(matched.value == [2])
    }

    @Test("Whatever could be answered at once is a choice, if a guard looks as well", arguments: [false, true])
    func fair(asynchronous: Bool) async throws {
        let machine = ChemicalMachine(.init(seed: 1))
        let (take, coin) = machine.define("till") { join in
            let take = join.fast("take", of: Int.self, returning: String.self)
            let coin = join.slow("coin", of: Int.self)
            if asynchronous {
                join.answer(take) { _ async in "plain" }
            } else {
                join.answer(take) { _ in "plain" }
            }
            join.answer(take, with: coin, matching: \.self, \.self) { _, n in
                coin(n)
                return "with a coin"
            }
            return (take, coin)
        }
        coin(1)
        var counts: [String: Int] = [:]
        for _ in 0..<100 { counts[try await take(1), default: 0] += 1 }
        // With 100 fair choices, a billion to one.
        #expect(counts.values.allSatisfy { $0 > 20 } && counts.count == 2, "\(counts)")
        for _ in 0..<10 { #expect(try await take(2) == "plain") }
        #expect(try take.tryCall(2) == nil)
    }

    @Test("What no step can ask is refused", arguments: 0..<7)
    func refused(kind: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            Join.define("hall") { join in
                let send = join.fast("send", of: Int.self)
                let receive = join.fast("receive", returning: Int?.self)
                let item = join.slow("item", of: Int.self, order: .oldestFirst)
                let other = join.slow("other", of: Int.self)
                let end = join.slow("end", of: Int?.self, order: .oldestFirst)
                let room = join.slow("room")
                join.when(room) {}.mayCompete()
                if kind < 4 {
                    join.answer(receive, with: end) { _, value in value }
                    join.turn(send, into: item, fileID: "App/Hall.swift", line: 20)
                } else {
                    join.answer(send) { _ in }
                    join.turn(receive, from: end, into: room, fileID: "App/Hall.swift", line: 20)
                }
                switch kind {
                case 0: join.when(join.part("even", of: item) { $0 % 2 == 0 }) { _ in }
                case 1:
                    join.when(item, other, matching: \.self, \.self) { _, _ in }
                    join.answer(send, with: other, matching: \.self, \.self) { _, _ in }
                case 2:
                    join.when(item, other, matching: \.self, \.self) { _, _ in }
                    join.turn(send, into: other, fileID: "App/Hall.swift", line: 30).mayCompete()
                case 3:
                    join.when(item, other, where: <) { _, _ in }
                    join.turn(send, into: other, fileID: "App/Hall.swift", line: 30).mayCompete()
                case 4: join.when(end, other, where: { $0 == $1 }) { _, _ in }
                case 5: join.when(join.part("corner", of: room, where: { _ in false })) {}
                default: join.when(room, other, where: { _, n in n > 0 }) { _, _ in }
                }
                for rest in [item, other] { join.when(rest) { _ in }.mayCompete() }
            }
        }
        let text =
            switch kind {
            case 0: ["into 'item', which has parts", "join.part("]
            case 1: ["into 'item', and guards look at both", "'answer'"]
            case 2, 3: ["into 'item', at which a guard looks, and into 'other'", "join.part("]
            case 4: ["from 'end', at which a guard looks", "'answer'"]
            case 5: ["injects 'room', which has parts", "'answer'"]
            default: ["injects 'room', which has guards", "'answer'"]
            }
        let calls = kind < 4 ? "'send'" : "'receive'"
        try expectRefusal("'hall'", "turns calls of \(calls) (App/Hall.swift:20)", text[0], text[1], in: result)
    }
}
