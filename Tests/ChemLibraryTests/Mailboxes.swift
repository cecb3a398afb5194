import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What the tests of mailbox actors share.
enum Mailboxes {
    /// The error that `body` throws.
    static func error(_ body: () async throws -> Void) async -> (any Error)? {
        do { try await body() } catch { return error }
        return nil
    }

    /// Collects what happens, from any thread. A definition, so that ThreadSanitizer understands it.
    struct Log<Element: Sendable>: Sendable {
        let add: SlowMolecule<Element>
        private let read: FastMolecule<Void, [Element]>
        private let definition: Join
        private let reached: FastMolecule<Int, [Element]>

        init() {
            (add, read, reached, definition) = Join.define("log") { join in
                let elements = join.state("elements", [Element]())
                let waiting = join.state("waiting", [Reply<Int, [Element]>]())
                let add = join.slow("add", of: Element.self, order: .oldestFirst)
                let read = join.fast("read", returning: [Element].self)
                let reached = join.fast("reached", of: Int.self, returning: [Element].self)
                join.when(add, updating: elements, waiting) { elements, waiting, element in
                    elements.append(element)
                    for reply in waiting where reply.value <= elements.count { reply(elements) }
                    waiting.removeAll { $0.value <= elements.count }
                }
                join.answer(read, reading: elements) { elements, _ in elements }
                join.when(reached, updating: elements, waiting) { elements, waiting, reply in
                    if reply.value <= elements.count { reply(elements) } else { waiting.append(reply) }
                }
                return (add, read, reached, join.definition)
            }
        }

        /// What has been added up to now.
        func all() async throws -> [Element] {
            try await definition.quiescence()
            return try await read()
        }

        /// Waits until there are at least `count` elements.
        func first(_ count: Int) async throws -> [Element] { try await reached(count) }
    }

    /// A door that handlers wait at, suspended.
    struct Gate: Sendable {
        let open: SlowMolecule<Void>
        let pass: FastMolecule<Void, Void>
        let arrived: FastMolecule<Void, Void>

        init() {
            (open, pass, arrived) = Join.define("gate") { join in
                let open = join.slow("open")
                let pass = join.fast("pass", order: .oldestFirst)
                let here = join.slow("here")
                let waiting = join.slow("waiting", of: Reply<Void, Void>.self, order: .oldestFirst)
                let arrived = join.fast("arrived")
                join.when(pass) { reply in
                    here()
                    waiting(reply)
                }
                join.when(waiting, open) { reply, _ in reply() }
                join.answer(arrived, with: here) { _, _ in }
                return (open, pass, arrived)
            }
        }
    }

    struct Broken: Error, Equatable {
        var number = 0
    }

    /// A machine that prints nothing: the handlers of these tests fail on purpose.
    static func quietMachine(_ seed: Int) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(seed: UInt64(seed), reporter: { _ in }))
    }

    /// The code of the ``MailboxError`` that `body` throws, or nil if it throws nothing or something else.
    static func code<Value>(of body: () async throws -> Value) async -> MailboxError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? MailboxError)?.code
        }
    }
}

extension MailboxTermination {
    /// A word that tests can compare.
    var word: String {
        switch self {
        case .stopped: "stopped"
        case .cancelled: "cancelled"
        case .failed(let error): "failed \(error)"
        }
    }
}
