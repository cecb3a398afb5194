// Mailbox actors: sending, asking, capacity, failures, children.

import ChemActors
import ChemLibrary

// snippet.account
enum Transaction: Sendable {
    case deposit(Int)
    case withdraw(Int, ReplyTo<Bool>)
    case balance(ReplyTo<Int>)
}

let account = MailboxActor(state: 0) { (balance, transaction: Transaction) in
    switch transaction {
    case .deposit(let amount):
        balance += amount
    case .withdraw(let amount, let reply):
        guard balance >= amount else { return _ = reply(false) }
        await authorize(amount)  // no other transaction is handled meanwhile
        balance -= amount
        reply(true)
    case .balance(let reply):
        reply(balance)
    }
}.start()

@concurrent func authorize(_ amount: Int) async { await Task.yield() }

account.tell(.deposit(100))  // an ordinary call: from a callback, from a button, from anywhere
async let first = account.ask { .withdraw(80, $0) }
async let second = account.ask { .withdraw(80, $0) }
print(try await first != second)  // true: one of them was refused
print(try await account.ask(within: .seconds(1), Transaction.balance))  // 20
// snippet.end
let balance = try await account.ask(Transaction.balance)
precondition(balance == 20)

// snippet.behavior
struct Greeter: MailboxBehavior {
    var greeted = 0

    mutating func receive(_ name: String, in context: MailboxContext<Greeter, String>) async throws {
        greeted += 1
        print("\(context.description): hello \(name), you are number \(greeted)")
    }
}

let greeter = MailboxActor(Greeter())
greeter.tell("Ada")  // waits for the start
greeter.tell("Grace")
greeter.start()
greeter.stop(.drain)
try await greeter.termination()  // Greeter 0x… …: hello Ada, you are number 1, and so on
// snippet.end
precondition(greeter.statistics.processed == 2)

// snippet.capacity
let options = MailboxOptions(name: "printer", capacity: .bounded(10, whenFull: .suspend))
let printer = MailboxActor(state: 0, options: options) { (pages, page: String) in pages += 1 }

for number in 1...10 { try await printer.send("page \(number)") }
print(printer.tell("page 11"))  // false: there is no room, and `tell` never waits
do {
    try await printer.send("page 11")
} catch let error as MailboxError where error.code == .notStarted {
    print(error)  // nobody would have made room
    printer.start()
    try await printer.send("page 11")  // waits for room
}
// snippet.end
printer.stop(.drain)
try await printer.termination()
precondition(printer.statistics.processed == 11)

// snippet.become
let door = MailboxActor(state: [String]()) { (guests, name: String, context) in
    guard name == "open" else { return context.stash(name) }
    context.unstashAll()
    context.become { guests, name in guests.append(name) }
}.start()

for name in ["Ada", "Grace", "open", "Barbara"] { door.tell(name) }
// Ada, Grace and Barbara come in, in this order
// snippet.end
door.stop(.drain)
try await door.termination()
precondition(door.statistics.processed == 6)

// snippet.failure
struct Unreadable: Error {}

let reader = MailboxActor(state: 0) { (count, line: String) in
    guard let number = Int(line) else { throw Unreadable() }
    count += number
}
for line in ["1", "2", "three", "4"] { reader.tell(line) }
reader.start()
reader.stop(.drain)
try await reader.termination()
print(reader.statistics.processed, reader.statistics.failed, reader.statistics.restarts)  // 3 1 1
// snippet.end
precondition(reader.statistics.restarts == 1)

// snippet.supervisor
let supervisor = Supervisor(Supervision(.oneForAll, limit: RestartLimit(0, within: .seconds(1))))
let source = supervisor.supervise(
    MailboxActor(state: 0) { (_, n: Int) in if n < 0 { throw Unreadable() } }
)
let sink = supervisor.supervise(MailboxActor(state: 0) { (_, n: Int) in })
sink.watch { reason in print("the sink has ended:", reason) }  // cancelled

source.tell(-1)  // with a limit of zero, one failure ends the group
print(try await supervisor.termination())  // failed(Unreadable())
// snippet.end
precondition(sink.isTerminating)

// snippet.children
let parent = MailboxActor(state: 0) { (_, jobs: [Int], context) in
    for job in jobs {
        let child = context.spawn(
            MailboxActor(state: 0) { (_, n: Int, context) in context.stop(.drain) }
        )
        context.watch(child) { _ in [] }  // a message for the parent when the child has ended
        child.tell(job)
    }
}.start()
parent.tell([1, 2, 3])
parent.cancel()
try await parent.termination()  // its children have ended, too
// snippet.end

// snippet.dynamic
let handlers = MailboxActor(state: 0) { on in
    on.message(Int.self) { sum, number in sum += number }
    on.message(String.self) { _, text in print(text) }
}.start()
handlers.tell(1)
handlers.tell("two")
handlers.tell(3.0)  // nobody knows it: a dead letter
// snippet.end
handlers.stop(.drain)
try await handlers.termination()
precondition(handlers.statistics.unknown == 1)
