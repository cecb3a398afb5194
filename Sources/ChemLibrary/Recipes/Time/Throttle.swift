public import ChemActors
import ChemBase

/// A gate that lets values through at intervals, however fast they come.
///
/// ```swift
/// let throttle = Throttle(every: .milliseconds(20), to: show)
/// for value in values { throttle.send(value) }    // `show` gets them one by one, at least 20 ms apart
/// ```
///
/// The first value passes at once. Then the gate is closed until the interval has passed; values that come meanwhile
/// wait, or are dropped, as you choose. Values pass in the order in which they were sent.
///
/// To pass a value only if no other value follows, use ``Debounce``; to limit how many pass within a period,
/// ``RateLimit``.
///
/// Values that wait when the last copy of the throttle is gone still pass. The throttle itself stays until its gate is
/// open again, and a scope, `withChemicalMachine`, in which it was made doesn't end before.
///
/// Source: Chymyst's tutorial.
public struct Throttle<Value: Sendable>: Exportable {
    /// What happens to values that come while the gate is closed.
    public enum Policy: Hashable, Sendable {
        /// All of them pass, one interval after the other. If they keep coming too fast, more and more of them wait.
        case all
        /// The last one passes when the gate opens. Those before it are dropped.
        case latest
        /// None of them passes: only the first one did, which closed the gate.
        case first
    }

    /// Sends a value. Never suspends.
    public let send: SlowMolecule<Value>

    /// A throttle that injects what it lets through into `target`.
    ///
    /// - Parameters:
    ///   - interval: How long the gate stays closed, by `clock`; more than zero.
    ///   - policy: What happens to values that come meanwhile; by default, all of them wait.
    ///   - clock: The clock that measures the time; by default, that of the surrounding machine.
    ///   - target: Gets the values.
    ///   - name: What the throttle is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(
        every interval: Duration,
        keeping policy: Policy = .all,
        clock: some Clock<Duration> = .machine,
        to target: SlowMolecule<Value>,
        name: String = "throttle",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        demand(interval > .zero, "a throttle needs an interval above zero, not \(interval)", fileID, line)
        send = Join.define(name, fileID: fileID, line: line) { join in
            Self.declare(interval, policy, clock, to: target, in: &join)
        }
    }

    private static func declare<C: Clock<Duration>>(
        _ interval: Duration,
        _ policy: Policy,
        _ clock: C,
        to target: SlowMolecule<Value>,
        in join: inout Join.Builder
    ) -> SlowMolecule<Value> {
        join.endsWhenCleared()
        let send = join.slow("send", of: Value.self, order: .oldestFirst)
        let closed = join.slow("closed", of: C.Instant.self)
        let open = join.slow("open")
        let pass: @Sendable (Value) -> Void = { value in
            target(value)
            closed(clock.instant(after: interval))
        }
        join.when(closed) { deadline async throws in
            try await clock.sleep(until: deadline, tolerance: nil)
            open()
        }
        switch policy {
        case .all:
            join.when(send, open) { value, _ in pass(value) }
        case .latest:
            let gate = join.state("gate", Gate.open)
            join.when(send, updating: gate) { gate, value in
                if case .open = gate {
                    gate = .closed
                    pass(value)
                } else {
                    gate = .keeps(value)
                }
            }
            join.when(open, updating: gate) { gate, _ in
                if case .keeps(let value) = gate {
                    gate = .closed
                    pass(value)
                } else {
                    gate = .open
                }
            }
        case .first:
            let isOpen = join.state("isOpen", true)
            join.when(open, updating: isOpen) { isOpen, _ in isOpen = true }
            join.when(send, updating: isOpen) { isOpen, value in
                guard isOpen else { return }
                isOpen = false
                pass(value)
            }
        }
        if policy == .all { open() }
        return send
    }

    /// The gate of a throttle that keeps the latest value.
    private enum Gate: Sendable {
        case open, closed
        /// Closed, with a value that waits.
        case keeps(Value)
    }

    private init(exporting other: Throttle) { send = other.send.exported }

    /// The same throttle, kept alive by this value.
    public var exported: Throttle { Throttle(exporting: self) }
}
