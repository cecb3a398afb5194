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
    ///
    /// While not all permits are out nobody waits for them to come back, and one that is due comes back with the next
    /// acquisition. So a call that must not wait at all, `within: .zero`, can miss it; ``tryAcquire(fileID:line:)``
    /// doesn't.
    public let acquire: FastMolecule<Void, Void>
    /// Gives back what is due.
    private let settle: FastMolecule<Void, Void>

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
        (acquire, settle) = Join.define(name, fileID: fileID, line: line) { join in
            Self.declare(count, period, clock, in: &join)
        }
    }

    private static func declare<C: Clock<Duration>>(
        _ count: Int,
        _ period: Duration,
        _ clock: C,
        in join: inout Join.Builder
    ) -> (acquire: FastMolecule<Void, Void>, settle: FastMolecule<Void, Void>) {
        join.endsWhenCleared()
        let acquire = join.fast("acquire", order: .oldestFirst)
        let settle = join.fast("settle")
        let permit = join.slow("permit")
        let taken = join.slow("taken", of: C.Instant.self, order: .oldestFirst)
        let another = join.fast("another", returning: C.Instant.self)
        // When those come back that are out, in that order, and whether somebody sleeps until one does.
        let out = join.state("out", (due: FIFO<C.Instant>(), hasSleeper: false))
        let sleep = join.slow("sleep", of: C.Instant.self)
        let awake = join.slow("awake")

        let count = count.countable
        // Gives back what is due. That is done after each acquisition, as long as there are permits to acquire;
        // otherwise there is one sleeper.
        let giveBack: @Sendable (inout (due: FIFO<C.Instant>, hasSleeper: Bool)) -> Void = { out in
            let now = clock.now
            while let first = out.due.first, first <= now {
                _ = out.due.popFirst()
                permit()
            }
            if !out.hasSleeper, out.due.count == count, let first = out.due.first {
                out.hasSleeper = true
                sleep(first)
            }
        }
        // Without the state: whoever waits for nothing would find it taken by somebody else, though there are permits.
        join.answer(acquire, with: permit) { _, _ in taken(clock.instant(after: period)) }
        join.when(taken, updating: out) { out, deadline in
            out.due.append(deadline)
            giveBack(&out)
        }
        join.answer(another, with: taken) { _, deadline in deadline }
        join.answer(settle, updating: out) { out, _ in
            while let deadline = try another.tryCall() { out.due.append(deadline) }
            giveBack(&out)
        }
        join.when(sleep) { deadline async throws in
            try await clock.sleep(until: deadline, tolerance: nil)
            awake()
        }
        join.when(awake, updating: out) { out, _ in
            out.hasSleeper = false
            giveBack(&out)
        }
        permit.inject(contentsOf: repeatElement((), count: count))
        return (acquire, settle)
    }

    private init(exporting other: RateLimit) {
        (acquire, settle) = (other.acquire.exported, other.settle.exported)
    }

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
        if try await acquires(fileID, line) { return true }
        try await settle(fileID: fileID, line: line)
        return try await acquires(fileID, line)
    }

    /// Takes a permit if one is back.
    nonisolated(nonsending) private func acquires(_ fileID: StaticString, _ line: UInt) async throws -> Bool {
        do {
            try await acquire(within: .zero, fileID: fileID, line: line)
            return true
        } catch let error as CallError where error.code == .timedOut {
            return false
        }
    }
}
