import ChemActors
import ChemLibrary
import FieldWorks

/// A ring whose members pass a number on, one less at each hop.
enum Ring {
    private static let length = 503

    static let works = [
        Work("ring", "definition", 500_000) { count in
            let (arrived, finished) = end()
            let ring = (0..<length).map { member($0, end: arrived) }
            for (index, member) in ring.enumerated() { member.link(ring[(index + 1) % length].token) }
            let start = ContinuousClock.now
            ring[0].token(count)
            let last = try await finished()
            let time = start.elapsed
            // They hold each other.
            for member in ring { member.definition.deactivate() }
            return try Outcome(count, time, "the last member", last, wanted: count % length)
        },
        Work("ring", "MailboxActor", 500_000) { count in
            let (arrived, finished) = end()
            let ring = (0..<length).map { number in
                MailboxActor(state: MailboxActor<Hop>?.none) { (next, hop: Hop) in
                    switch hop {
                    case .link(let actor): next = actor
                    case .token(0): arrived(number)
                    case .token(let number): next?.tell(.token(number - 1))
                    }
                }.start()
            }
            for (index, member) in ring.enumerated() { member.tell(.link(ring[(index + 1) % length])) }
            let start = ContinuousClock.now
            ring[0].tell(.token(count))
            let last = try await finished()
            let time = start.elapsed
            for member in ring { member.cancel() }
            return try Outcome(count, time, "the last member", last, wanted: count % length)
        },
    ]

    /// What an actor of the ring understands.
    private enum Hop: Sendable {
        case link(MailboxActor<Hop>)
        case token(Int)
    }

    private struct Member {
        let token: SlowMolecule<Int>
        let link: SlowMolecule<SlowMolecule<Int>>
        let definition: Join
    }

    private static func member(_ number: Int, end: SlowMolecule<Int>) -> Member {
        let (token, link, definition) = Join.define("member") { join in
            let token = join.slow("token", of: Int.self)
            let link = join.slow("link", of: SlowMolecule<Int>.self)
            // A token waits until it is known where to go.
            join.when(token, link) { left, next in
                link(next)
                if left == 0 { end(number) } else { next(left - 1) }
            }
            return (token, link, join.definition)
        }
        return Member(token: token, link: link, definition: definition)
    }

    private static func end() -> (SlowMolecule<Int>, FastMolecule<Void, Int>) {
        Join.define("end") { join in
            let arrived = join.slow("arrived", of: Int.self)
            let finished = join.fast("finished", returning: Int.self)
            join.answer(finished, with: arrived) { _, member in member }
            return (arrived, finished)
        }
    }
}
