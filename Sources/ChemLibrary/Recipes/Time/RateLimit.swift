public import ChemActors
import ChemBase

/// A limit on how often something happens: never more than `count` times within any period.
///
/// ```swift
/// let limit = RateLimit(5, per: .seconds(1))
/// for request in requests {
///     try await limit.acquire()
///     try await send(request)
/// }
/// ```
///
/// There are `count` permits. Each permit comes back when the period has passed since it was acquired: the window
/// slides, so there is no boundary at which twice as many may pass. Waiting callers are served oldest first. A call
/// that is cancelled or timed out is withdrawn, and takes no permit.
///
/// A permit that isn't back is a moment in a queue. While all of them are out, a task sleeps until the first comes
/// back: so long the limit stays, also if nobody has a copy any more, and so does a scope, `withChemicalMachine`, in
/// which it was made.
///
/// To space events out rather than limit them, use ``Throttle``.
///
/// Source: a molecule of which `count` copies exist, as in Chymyst's tutorial.
public struct RateLimit: Exportable {
    /// Waits for a permit, oldest caller first.
    public let acquire: FastMolecule<Void, Void>

    /// A limit with all of its permits available.
    ///
    /// - Parameters:
    ///   - count: How often something may happen within a period, at least 1.
    ///   - period: How long it takes until a permit comes back, by `clock`; more than zero.
    ///   - clock: The clock that measures the time; by default, that of the surrounding machine.
    ///   - name: What the limit is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(`count`).
    public init(
        _ count: Int,
        per period: Duration,
        clock: some Clock<Duration> = .machine,
        name: String = "rateLimit",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        demand(count >= 1, "a rate limit needs a count of at least 1, not \(count)", fileID, line)
        demand(period > .zero, "a rate limit needs a period above zero, not \(period)", fileID, line)
        acquire = Join.define(name, fileID: fileID, line: line) { join in
            Self.declare(count, period, clock, in: &join)
        }
    }

    private static func declare<C: Clock<Duration>>(
        _ count: Int,
        _ period: Duration,
        _ clock: C,
        in join: inout Join.Builder
    ) -> FastMolecule<Void, Void> {
        join.endsWhenCleared()
        let acquire = join.fast("acquire", order: .oldestFirst)
        let permit = join.slow("permit")
        let taken = join.slow("taken", of: C.Instant.self, order: .oldestFirst)
        // When those come back that are out, in that order.
        let out = join.state("out", FIFO<C.Instant>())
        let sleep = join.slow("sleep", of: C.Instant.self)
        let awake = join.slow("awake")

        let count = count.countable
        // Gives back what is due. That is done after each acquisition, as long as there are permits to acquire;
        // otherwise there is one sleeper.
        let giveBack: @Sendable (inout FIFO<C.Instant>) -> Void = { out in
            let now = clock.now
            while let first = out.first, first <= now {
                _ = out.popFirst()
                permit()
            }
            if out.count == count, let first = out.first { sleep(first) }
        }
        // Without the state: whoever waits for nothing would find it taken by somebody else, though there are permits.
        join.answer(acquire, with: permit) { _, _ in taken(clock.instant(after: period)) }
        join.when(taken, updating: out) { out, deadline in
            out.append(deadline)
            giveBack(&out)
        }
        join.when(sleep) { deadline async throws in
            try await clock.sleep(until: deadline, tolerance: nil)
            awake()
        }
        join.when(awake, updating: out) { out, _ in giveBack(&out) }
        permit.inject(contentsOf: repeatElement((), count: count))
        return acquire
    }

    private init(exporting other: RateLimit) { acquire = other.acquire.exported }

    /// The same limit, kept alive by this value.
    public var exported: RateLimit { RateLimit(exporting: self) }
}

extension RateLimit {
    /// Takes a permit if there is one now and no caller waits for it.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: whether it was taken.
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending)
        public func tryAcquire(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Bool
    {
        do {
            try await acquire(within: .zero, fileID: fileID, line: line)
            return true
        } catch let error as CallError where error.code == .timedOut {
            return false
        }
    }
}
