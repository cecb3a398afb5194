import ChemActors
import ChemLibrary
import Testing

@Suite("Mailbox actor", .timeLimit(.minutes(5)))
struct MailboxTests {
    enum Sum: Sendable {
        case add(Int)
        case total(ReplyTo<Int>)
    }

    @Test func aToldMessageIsHandledAndAQuestionAnswered() async throws {
        let actor = MailboxActor(state: 0) { (sum, message: Sum, _) in
            switch message {
            case .add(let n): sum += n
            case .total(let reply): reply(sum)
            }
        }.start()
        for n in 1...100 { actor.tell(.add(n)) }
        #expect(try await actor.ask(Sum.total) == 5050)
    }
}
