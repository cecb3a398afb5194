public import ChemActors

/// Stands in for a fast molecule that what is tested calls: the test sees the calls, and answers them.
///
/// ```swift
/// let stock = FastProbe<String, Int>()
/// let shop = Shop(asking: stock.molecule)
/// async let price = shop.price(of: "apples")
/// let call = try await stock.next()
/// #expect(call.value == "apples")
/// call(3)
/// ```
///
/// Or by a script, which may also throw, or take its time:
///
/// ```swift
/// let slow = FastProbe<String, Int> { fruit in
///     try await MachineClock().sleep(for: .seconds(2))
///     return fruit.count
/// }
/// ```
///
/// It is a definition on the machine on which `Join.define` would make one: in a run of ``ChemTesting``, that of the
/// run. To note a call costs O(log n) amortised, where n is the number of calls that have come.
///
/// Source: the test probes of Akka.
public struct FastProbe<Argument: Sendable, Answer: Sendable>: Sendable {
    /// What to give to the code under test.
    public let molecule: FastMolecule<Argument, Answer>
    /// Waits for the first call that hasn't been taken yet, and takes it, to be answered. There is none if the probe
    /// has a script. Everything that can be said of a call holds: `next(within:)` gives up in time, `next.tryCall()`
    /// doesn't wait.
    public let next: FastMolecule<Void, Reply<Argument, Answer>>
    let seen: StateReader<Chunks<Argument>>

    /// Creates a probe whose calls the test takes and answers.
    ///
    /// - Parameters:
    ///   - name: What it is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(_ name: String = "probe", fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(name, nil, fileID, line)
    }

    /// Creates a probe that answers by a script.
    ///
    /// - Parameters:
    ///   - name: What it is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - script: Makes the answer to each call; what it throws, the caller gets. Calls are answered at the same time.
    public init(
        _ name: String = "probe",
        fileID: StaticString = #fileID,
        line: UInt = #line,
        answering script: @escaping @Sendable (Argument) async throws -> Answer
    ) {
        self.init(name, script, fileID, line)
    }

    private init(
        _ name: String,
        _ script: (@Sendable (Argument) async throws -> Answer)?,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        (molecule, next, seen) = Join.define(name, fileID: fileID, line: line) { join in
            let call = join.fast("call", of: Argument.self, returning: Answer.self, order: .oldestFirst)
            let untaken = join.slow("untaken", of: Reply<Argument, Answer>.self, order: .oldestFirst)
            let next = join.fast("next", returning: Reply<Argument, Answer>.self, order: .oldestFirst)
            let seen = join.state("seen", Chunks<Argument>())
            let scripted = join.slow("scripted", of: Reply<Argument, Answer>.self)
            join.when(call, updating: seen) { seen, reply in
                seen.append(reply.value)
                if script == nil { untaken(reply) } else { scripted(reply) }
            }
            join.when(scripted) { reply in
                guard let script else { return }
                do { reply(try await script(reply.value)) } catch { reply.fail(error) }
            }
            join.answer(next, with: untaken) { _, reply in reply }
            return (call, next, seen.reader)
        }
    }

    /// What the calls so far have carried, in their order, whether they are answered or not.
    ///
    /// - Complexity: O(number of calls).
    public var arguments: [Argument] { seen.value.elements }
}
