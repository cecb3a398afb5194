// The example of ADBActors: three actors in a ring pass a message on until they are cancelled.

import ChemActors
import ChemLibrary

// snippet.show
struct TestActor: MailboxBehavior {
    enum Message: Sendable {
        case next(MailboxActor<Message>)
        case passItOn
    }
    var next: MailboxActor<Message>?

    mutating func receive(
        _ message: sending Message,
        in context: MailboxContext<TestActor, Message>
    ) async throws {
        switch message {
        case .next(let actor):
            next = actor
        case .passItOn:
            guard let next else { return }
            print("<\(context.description)> passes to <\(next)>")
            next.tell(.passItOn)
        }
    }
}

let actors = (1...3).map { _ in MailboxActor(TestActor()) }
for (index, actor) in actors.enumerated() { actor.tell(.next(actors[(index + 1) % 3])) }
for actor in actors { actor.start() }

actors[0].tell(.passItOn)
try await Task.sleep(for: .milliseconds(2))

for actor in actors { actor.cancel() }
for actor in actors { try await actor.termination() }  // from here on there is no further line
// snippet.end
precondition(actors.allSatisfy { $0.isTerminating })
