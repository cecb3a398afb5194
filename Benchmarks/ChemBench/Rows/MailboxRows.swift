import ChemActors
import ChemLibrary

/// Mailbox actors: sending, asking, making. An operation is a message.
enum MailboxRows {
    static let all = [
        Row("ring/503", 200_000, quick: 50_000, against: "baseline/ring-503-stream", and: ["ring/503-joins"]) { count in
            let (arrived, finished) = RingRows.makeEnd()
            let ring = (0..<RingRows.length).map { number in
                MailboxActor(state: MailboxActor<Hop>?.none) { (next, hop: Hop, _) in
                    switch hop {
                    case .link(let actor): next = actor
                    case .token(0): arrived(number)
                    case .token(let n): next?.tell(.token(n - 1))
                    }
                }.start()
            }
            for (index, one) in ring.enumerated() { one.tell(.link(ring[(index + 1) % ring.count])) }
            let start = ContinuousClock.now
            ring[0].tell(.token(count))
            let last = try await finished()
            let measurement = Measurement.since(start)
            for one in ring { one.cancel() }
            try expect("the last member", last, is: count % RingRows.length)
            return measurement
        },
        Row("ring/503-async", 100_000, quick: 20_000, against: "baseline/ring-503-stream") { count in
            let (arrived, finished) = RingRows.makeEnd()
            let ring = (0..<RingRows.length).map { number in
                MailboxActor(state: MailboxActor<Hop>?.none) { (next, hop: Hop, _) async in
                    switch hop {
                    case .link(let actor): next = actor
                    case .token(0): arrived(number)
                    case .token(let n): next?.tell(.token(n - 1))
                    }
                }.start()
            }
            for (index, one) in ring.enumerated() { one.tell(.link(ring[(index + 1) % ring.count])) }
            let start = ContinuousClock.now
            ring[0].tell(.token(count))
            let last = try await finished()
            let measurement = Measurement.since(start)
            for one in ring { one.cancel() }
            try expect("the last member", last, is: count % RingRows.length)
            return measurement
        },
        Row("mailbox/ping-pong", 200_000, quick: 50_000, against: "baseline/asyncstream") { count in
            let (arrived, finished) = RingRows.makeEnd()
            let pair = (0..<2).map { number in
                MailboxActor(state: MailboxActor<Hop>?.none) { (other, hop: Hop, _) in
                    switch hop {
                    case .link(let actor): other = actor
                    case .token(0): arrived(number)
                    case .token(let n): other?.tell(.token(n - 1))
                    }
                }.start()
            }
            pair[0].tell(.link(pair[1]))
            pair[1].tell(.link(pair[0]))
            let start = ContinuousClock.now
            pair[0].tell(.token(count))
            let last = try await finished()
            let measurement = Measurement.since(start)
            for one in pair { one.cancel() }
            try expect("the last member", last, is: count % 2)
            return measurement
        },
        Row("mailbox/fan-in-8", 400_000, quick: 80_000, against: "baseline/asyncstream") { count in
            let (arrived, finished) = RingRows.makeEnd()
            let share = count / 8
            let actor = MailboxActor(state: (left: share * 8, sum: 0)) { (state, number: Int, _) in
                state.sum += number
                state.left -= 1
                if state.left == 0 { arrived(state.sum) }
            }.start()
            let start = ContinuousClock.now
            await withDiscardingTaskGroup { group in
                for _ in 0..<8 { group.addTask { for number in 0..<share { actor.tell(number) } } }
            }
            let sum = try await finished()
            let measurement = Measurement.since(start)
            try expect("the sum", sum, is: 8 * share * (share - 1) / 2)
            return measurement
        },
        Row("mailbox/create-1e4", 10_000, quick: 10_000, against: "baseline/taskgroup-child") { count in
            let (arrived, finished) = RingRows.makeEnd()
            let start = ContinuousClock.now
            let total = MailboxActor(state: (left: count, sum: 0)) { (state, number: Int, _) in
                state.sum += number
                state.left -= 1
                if state.left == 0 { arrived(state.sum) }
            }.start()
            let actors = (0..<count).map { _ in
                MailboxActor(state: ()) { (_, number: Int, _) in total.tell(number) }.start()
            }
            for (number, actor) in actors.enumerated() { actor.tell(number) }
            let sum = try await finished()
            let measurement = Measurement.since(start)
            try expect("the sum", sum, is: count * (count - 1) / 2)
            return measurement
        },
        Row("mailbox/ask", 50_000, quick: 10_000, against: "baseline/actor-call") { count in
            let actor = MailboxActor(state: 0) { (sum, question: ReplyTo<Int>, _) in
                sum += 1
                question(sum)
            }.start()
            let start = ContinuousClock.now
            for _ in 0..<count { blackHole(try await actor.ask { $0 }) }
            let measurement = Measurement.since(start)
            try expect("the questions", try await actor.ask { $0 }, is: count + 1)
            return measurement
        },
    ]

    /// What a member of a ring understands.
    enum Hop: Sendable {
        case link(MailboxActor<Hop>)
        case token(Int)
    }
}
