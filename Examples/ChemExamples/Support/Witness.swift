import ChemActors

/// What a witness writes down: one event after the other, and what is to be said about all of them.
///
/// A ledger is a plain value, so that it can be shown wrong histories in tests: it has to notice.
protocol Ledger: Sendable {
    associatedtype Event: Sendable

    /// Writes down what has happened next.
    mutating func record(_ event: Event)

    /// Whether enough has happened. For chemistry that doesn't end by itself.
    var isComplete: Bool { get }

    /// What the events say about the run.
    var checks: [Check] { get }
}

extension Ledger {
    var isComplete: Bool { false }
}

/// Chemistry that watches other chemistry.
///
///     saw(event) & ledger → ledger, in the order of the events; complete() when it says so, once
///     account & ledger    → ledger; what is written in it
///     completed & complete() → an answer
///
/// A body injects `saw` before it injects what others may react to, so that of two events of which one made the
/// other possible the first is also written down first.
struct Witness<Book: Ledger>: Sendable {
    /// Tells the witness what has happened.
    let saw: SlowMolecule<Book.Event>
    /// What has been written down so far.
    let account: FastMolecule<Void, Book>
    /// Answers one caller when the ledger is complete.
    let completed: FastMolecule<Void, Void>

    init(_ ledger: Book) {
        (saw, account, completed) = Join.define("witness") { join in
            let book = join.state("ledger", ledger)
            let saw = join.slow("saw", of: Book.Event.self, order: .oldestFirst)
            let account = join.fast("account", returning: Book.self)
            let complete = join.slow("complete")
            let completed = join.fast("completed")

            join.when(saw, updating: book) { book, event in
                let wasComplete = book.isComplete
                book.record(event)
                if book.isComplete && !wasComplete { complete() }
            }
            join.answer(account, reading: book) { book, _ in book }
            join.answer(completed, with: complete) { _, _ in }

            return (saw, account, completed)
        }
    }

    private init(
        saw: SlowMolecule<Book.Event>,
        account: FastMolecule<Void, Book>,
        completed: FastMolecule<Void, Void>
    ) {
        self.saw = saw
        self.account = account
        self.completed = completed
    }
}
