public import ChemActors
import ChemBase

/// Passes a value on when no other value has followed for a while: for example, typed text once the user pauses.
///
/// ```swift
/// let debounce = Debounce(for: .milliseconds(300), to: search)
/// debounce.send("chem")
/// debounce.send("chemistry")    // only this one arrives, 300 ms later
/// ```
///
/// Each value replaces the one before, and restarts the wait. So if values keep coming too fast, none passes;
/// ``Throttle`` lets some of them through.
///
/// A value that waits when the last copy of the debounce is gone still passes.
///
/// Source: the operator of that name in reactive libraries.
public struct Debounce<Value: Sendable>: Exportable {
    /// Sends a value. Never suspends.
    public let send: SlowMolecule<Value>

    /// A debounce that injects what it lets through into `target`.
    ///
    /// - Parameters:
    ///   - interval: How long no other value may follow, by `clock`; more than zero.
    ///   - clock: The clock that measures the time; by default, that of the surrounding machine.
    ///   - target: Gets the values.
    ///   - name: What the debounce is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(
        for interval: Duration,
        clock: some Clock<Duration> = .machine,
        to target: SlowMolecule<Value>,
        name: String = "debounce",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        demand(interval > .zero, "a debounce needs an interval above zero, not \(interval)", fileID, line)
        send = Join.define(name, fileID: fileID, line: line) { join in
            Self.declare(interval, clock, to: target, in: &join)
        }
    }

    private static func declare<C: Clock<Duration>>(
        _ interval: Duration,
        _ clock: C,
        to target: SlowMolecule<Value>,
        in join: inout Join.Builder
    ) -> SlowMolecule<Value> {
        join.endsWhenCleared()
        let send = join.slow("send", of: Value.self, order: .oldestFirst)
        let pending = join.state("pending", (value: Value, deadline: C.Instant)?.none)
        let sleep = join.slow("sleep", of: C.Instant.self)
        let awake = join.slow("awake")

        // There is one sleeper if, and only if, a value is pending. If another value has followed, it goes on sleeping.
        join.when(send, updating: pending) { pending, value in
            let deadline = clock.instant(after: interval)
            if pending == nil { sleep(deadline) }
            pending = (value, deadline)
        }
        join.when(sleep) { deadline async throws in
            try await clock.sleep(until: deadline, tolerance: nil)
            awake()
        }
        join.when(awake, updating: pending) { pending, _ in
            guard let (value, deadline) = pending else { return }
            if clock.now < deadline {
                sleep(deadline)
            } else {
                pending = nil
                target(value)
            }
        }
        return send
    }

    private init(exporting other: Debounce) { send = other.send.exported }

    /// The same debounce, kept alive by this value.
    public var exported: Debounce { Debounce(exporting: self) }
}
