public import ChemActors
import ChemBase

/// A place where a fixed number of parties wait for each other, again and again.
///
/// ```swift
/// let step = Barrier(parties: 4)
/// // in each of four tasks:
/// for generation in 1...1_000 {
///     compute(generation)
///     try await step.arrive()    // nobody begins generation n + 1 before all have computed n
/// }
/// ```
///
/// One reaction consumes as many arrivals as there are parties. So a round takes all of its parties or none, and the
/// barrier is ready for the next round at once. If more tasks arrive than there are parties, the oldest arrivals form a
/// round.
///
/// **Cancellation.** If a party is cancelled or times out while it waits, it is withdrawn as if it had never arrived:
/// `arrive` throws, and the others wait for another arrival. The barrier isn't broken. Once a round is complete, its
/// parties can no longer be withdrawn: `arrive` returns even if the task is cancelled. If a party leaves for good, the
/// others wait forever unless another task takes its place, so cancel them together, as a task group does.
///
/// If each round is a function of its own, prefer a task group in a loop: it is simpler, but starts new tasks each
/// time.
///
/// Source: A. B. Downey, The Little Book of Semaphores, reusable barrier; `CyclicBarrier` of java.util.concurrent.
public struct Barrier: Exportable {
    /// Arrives, and waits until all parties have arrived.
    ///
    /// `try await barrier.arrive()` waits; `try await barrier.arrive(within: .seconds(1))` waits for at most a second.
    /// It throws `CancellationError` or `CallError` if the arrival was withdrawn, and any error that the action throws.
    public let arrive: FastMolecule<Void, Void>

    /// A barrier for `parties` parties.
    ///
    /// - Parameters:
    ///   - parties: How many arrivals make a round, from 1 to 1,000,000.
    ///   - name: What the barrier is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(`parties`), for the barrier and for each round.
    public init(parties: Int, name: String = "barrier", fileID: StaticString = #fileID, line: UInt = #line) {
        Self.check(parties, fileID, line)
        arrive = Join.define(name, fileID: fileID, line: line) { join in
            let arrive = join.fast("arrive", order: .oldestFirst)
            join.when(parties, of: arrive) { arrivals in
                for reply in arrivals { reply() }
            }
            return arrive
        }
    }

    /// A barrier for `parties` parties that runs an action whenever a round is complete.
    ///
    /// The action runs in a task of its own, after all parties have arrived and before any of them continues. If it
    /// throws, all parties of that round get the error; the barrier remains usable.
    ///
    /// - Parameters:
    ///   - parties: How many arrivals make a round, from 1 to 1,000,000.
    ///   - name: What the barrier is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - action: What to do between two rounds.
    public init(
        parties: Int,
        name: String = "barrier",
        fileID: StaticString = #fileID,
        line: UInt = #line,
        action: @escaping @concurrent @Sendable () async throws -> Void
    ) {
        Self.check(parties, fileID, line)
        arrive = Join.define(name, fileID: fileID, line: line) { join in
            let arrive = join.fast("arrive", order: .oldestFirst)
            join.when(parties, of: arrive) { arrivals in
                try await action()
                for reply in arrivals { reply() }
            }
            return arrive
        }
    }

    private static func check(_ parties: Int, _ fileID: StaticString, _ line: UInt) {
        demand(
            1...1_000_000 ~= parties,
            "a barrier can't have \(parties) parties, only from 1 to 1,000,000",
            fileID,
            line
        )
    }

    private init(arrive: FastMolecule<Void, Void>) {
        self.arrive = arrive
    }

    /// The same barrier, kept alive by this value.
    public var exported: Barrier { Barrier(arrive: arrive.exported) }
}
