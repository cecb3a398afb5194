import ChemActors

/// The thread-ring benchmark: 503 members that pass one number on, each in turn. An operation is a hop.
enum RingRows {
    static let length = 503

    static let all = [
        Row("ring/503-joins", 200_000, quick: 50_000, against: "baseline/ring-503-stream") { count in
            let (arrived, finished) = makeEnd()
            let ring = (0..<length).map { member(number: $0, reports: arrived) }
            for (index, one) in ring.enumerated() { one.link(ring[(index + 1) % length].token) }
            let start = ContinuousClock.now
            ring[0].token(count)
            let last = try await finished()
            let measurement = Measurement.since(start)
            for one in ring { one.definition.deactivate() }
            try expect("the last member", last, is: count % length)
            return measurement
        },
        Row("baseline/ring-503-stream", 50_000, quick: 20_000) { count in
            let mailboxes = (0..<length).map { _ in AsyncStream.makeStream(of: Int.self) }
            let (end, finished) = AsyncStream.makeStream(of: Int.self)
            let tasks = mailboxes.enumerated().map { index, mailbox in
                let next = mailboxes[(index + 1) % length].continuation
                return Task.detached {
                    for await n in mailbox.stream {
                        if n == 0 { finished.yield(index) } else { next.yield(n - 1) }
                    }
                }
            }
            let start = ContinuousClock.now
            mailboxes[0].continuation.yield(count)
            var iterator = end.makeAsyncIterator()
            let last = await iterator.next()
            let measurement = Measurement.since(start)
            for mailbox in mailboxes { mailbox.continuation.finish() }
            for task in tasks { await task.value }
            try expect("the last member", last, is: count % length)
            return measurement
        },
    ]

    /// Where the last member of a ring reports, and who waits for that.
    static func makeEnd() -> (SlowMolecule<Int>, FastMolecule<Void, Int>) {
        Join.define("end") { join in
            let arrived = join.slow("arrived", of: Int.self)
            let finished = join.fast("finished", returning: Int.self)
            join.answer(finished, with: arrived) { _, n in n }
            return (arrived, finished)
        }
    }

    private struct Member {
        let token: SlowMolecule<Int>
        let link: SlowMolecule<SlowMolecule<Int>>
        let definition: Join
    }

    /// A member of a ring of definitions: what it has to do is one reaction.
    private static func member(number: Int, reports: SlowMolecule<Int>) -> Member {
        let (token, link, definition) = Join.define("member") { join in
            let token = join.slow("token", of: Int.self, order: .oldestFirst)
            let link = join.slow("link", of: SlowMolecule<Int>.self)
            // A token waits until it is known where to go.
            join.when(token, link) { n, next in
                link(next)
                if n == 0 { reports(number) } else { next(n - 1) }
            }
            return (token, link, join.definition)
        }
        return Member(token: token, link: link, definition: definition)
    }
}
