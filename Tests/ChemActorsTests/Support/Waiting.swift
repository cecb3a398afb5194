import ChemActors
import Dispatch
import TestSupport
import Testing

/// Starts calls, and knows when they have suspended: an operation keeps the actor until then.
actor Callers {
    private var started = 0

    func call<Answer: Sendable>(_ operation: @Sendable () async throws -> Answer) async rethrows -> Answer {
        started += 1
        return try await operation()
    }

    /// Waits until `count` operations have suspended or ended.
    func suspended(_ count: Int) async {
        while started < count, !Task.isCancelled { await Task.yield() }
    }
}

/// A value that several threads change. (ThreadSanitizer doesn't understand the `Mutex` of Linux.)
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 1)
    private var stored: Value

    init(_ value: Value) { stored = value }

    @discardableResult
    func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        semaphore.wait()
        defer { semaphore.signal() }
        return try change(&stored)
    }

    var value: Value { update { $0 } }
}

/// Waits until `condition` holds; after eighteen minutes that is a failure.
func until(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + .seconds(1_100)
    var polling = Polling()
    while !condition() {
        try Task.checkCancellation()
        if ContinuousClock.now > end { throw NeverHappened(place: "\(sourceLocation)") }
        await polling.pause()
    }
}

/// What `until` waited for didn't come.
struct NeverHappened: Error { let place: String }

extension ChemicalMachine.Configuration {
    /// For a test whose mishaps are meant: nothing is printed.
    static var silent: Self { Self(reporter: { _ in }) }
}

/// The events that a machine has reported.
final class EventLog: Sendable {
    private let events = Shared<[ChemicalEvent]>([])

    func add(_ event: ChemicalEvent) { events.update { $0.append(event) } }

    var all: [ChemicalEvent] { events.value }

    /// A machine that reports to this log, and so prints nothing.
    var machine: ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(reporter: { self.add($0) }, patience: nil))
    }

    func count(where condition: (ChemicalEvent) -> Bool) -> Int { all.count(where: condition) }

    /// How many copies of `molecule` a definition had in its soup when it dissolved. Waits for that unless it's
    /// nothing.
    func left(of molecule: String, expecting expected: Int) async throws -> Int {
        let counts = {
            self.all.compactMap {
                if case .dissolvedWithMolecules(molecule, let count, _) = $0.kind { count } else { nil }
            }
        }
        try await until { expected == 0 || !counts().isEmpty }
        return counts().reduce(0, +)
    }
}

extension Task {
    /// Whether it ended with a `CancellationError`. (`#expect(throws:)` takes time proportional to the errors that are
    /// alive.)
    var wasCancelled: Bool {
        get async {
            if case .failure(let error) = await result { error is CancellationError } else { false }
        }
    }
}

extension Shared {
    /// Waits until there is an element, and returns the first.
    func first<Element>(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Element
    where Value == [Element] {
        try await until({ !value.isEmpty }, sourceLocation: sourceLocation)
        return value[0]
    }
}
