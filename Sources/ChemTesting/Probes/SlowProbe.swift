public import ChemActors

/// Stands in for a slow molecule that what is tested injects: notes what comes.
///
/// ```swift
/// let printed = SlowProbe<String>()
/// let greeter = Greeter(printing: printed.molecule)
/// greeter.greet("Ada")
/// #expect(try await printed.next() == "Hello, Ada!")
/// ```
///
/// It is a definition on the machine on which `Join.define` would make one: in a run of ``ChemTesting``, that of the
/// run. To note a value costs O(log n) amortised, where n is the number of values that have come.
///
/// Source: the test probes of Akka.
public struct SlowProbe<Value: Sendable>: Sendable {
    /// A value, and when it came.
    struct Arrival: Sendable {
        let value: Value
        let time: MachineClock.Instant
    }

    /// What to give to the code under test.
    public let molecule: SlowMolecule<Value>
    /// Waits for the first value that hasn't been taken by this call yet, and takes it. Everything that can be said of
    /// a call holds: `next(within:)` gives up in time, `next.tryCall()` doesn't wait.
    public let next: FastMolecule<Void, Value>
    let arrivals: StateReader<Chunks<Arrival>>
    let clock: MachineClock
    /// When the probe was made.
    let beginning: MachineClock.Instant

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - name: What it is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(_ name: String = "probe", fileID: StaticString = #fileID, line: UInt = #line) {
        let clock = MachineClock()
        self.clock = clock
        beginning = clock.now
        (molecule, next, arrivals) = Join.define(name, fileID: fileID, line: line) { join in
            let value = join.slow("value", of: Value.self, order: .oldestFirst)
            let untaken = join.slow("untaken", of: Value.self, order: .oldestFirst)
            let next = join.fast("next", returning: Value.self, order: .oldestFirst)
            let arrivals = join.state("arrivals", Chunks<Arrival>())
            join.when(value, updating: arrivals) { arrivals, value in
                arrivals.append(Arrival(value: value, time: clock.now))
                untaken(value)
            }
            join.answer(next, with: untaken) { _, value in value }
            return (value, next, arrivals.reader)
        }
    }

    /// All values that have come so far, whether they have been taken or not.
    ///
    /// - Complexity: O(number of values).
    public var values: [Value] { arrivals.value.elements.map(\.value) }

    /// When each of the values came, as the time since the probe was made.
    ///
    /// - Complexity: O(number of values).
    public var times: [Duration] { arrivals.value.elements.map { beginning.duration(to: $0.time) } }
}
