import ChemActors
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the suites on control, failures, statistics and the storm share.
enum ControlProbe {
    struct NeverHappened: Error {}
    struct Failed: Error, Equatable { var number = 0 }

    /// Polls until `condition` holds; fails after `limit`.
    static func until(
        _ what: String,
        within limit: Duration = .seconds(1_100),
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ condition: () -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        var polling = Polling()
        while !condition() {
            guard ContinuousClock.now < deadline, !Task.isCancelled else {
                Issue.record("never happened: \(what)", sourceLocation: sourceLocation)
                throw NeverHappened()
            }
            await polling.pause()
        }
    }

    /// Lets other tasks run for a while: 200 asynchronous calls of another definition. For what must *not* happen
    /// meanwhile.
    static func letOthersRun() async throws {
        let call = ChemicalMachine().define("elsewhere") { join in
            let call = join.fast("call")
            join.answer(call) { _ in await Task.yield() }
            return call
        }
        for _ in 1...200 { try await call() }
    }

    /// Returns when a back-off of `duration` that began before this call is over.
    static func outwait(_ duration: Duration) async throws {
        let (job, definition) = ChemicalMachine(.init(reporter: { _ in })).define("clock") { join in
            join.failurePolicy = .retry(1, backOff: duration * 2)
            let job = join.slow("job")
            join.when(job) { _ in throw Failed() }
            return (job, join.definition)
        }
        job()
        try await definition.quiescence()
    }

    /// A number that anybody may raise.
    final class Count: Sendable {
        private let value = Atomic<Int>(0)

        var now: Int { value.load(ordering: .acquiring) }

        @discardableResult
        func add(_ more: Int = 1) -> Int { value.add(more, ordering: .acquiringAndReleasing).newValue }
    }

    /// What a reporter has heard.
    final class Events: @unchecked Sendable {
        // `NSLock` rather than `Mutex`: ThreadSanitizer sees its order on Linux.
        private let lock = NSLock()
        private var list: [ChemicalEvent] = []

        func configuration(seed: UInt64 = 1, executor: (any TaskExecutor)? = nil) -> ChemicalMachine.Configuration {
            .init(seed: seed, executor: executor) { [self] event in lock.withLock { list.append(event) } }
        }

        func count(_ isIt: (ChemicalEvent.Kind) -> Bool) -> Int {
            lock.withLock { list.count { isIt($0.kind) } }
        }

        func dropped(_ name: String) -> Int {
            lock.withLock {
                list.reduce(0) { if case .dropped(name, let count) = $1.kind { $0 + count } else { $0 } }
            }
        }

        var failedReactions: Int { count { if case .failedReaction = $0 { true } else { false } } }
        var droppedRetries: Int { count { if case .droppedRetry = $0 { true } else { false } } }
        var mishaps: [String] { lock.withLock { list.filter(\.isMishap).map(\.description) } }
    }

    /// Where asynchronous bodies wait, cancelled or not, until it is opened.
    final class Gate: @unchecked Sendable {
        private let lock = NSLock()
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func open() {
            let continuations = lock.withLock {
                isOpen = true
                defer { waiting = [] }
                return waiting
            }
            for continuation in continuations { continuation.resume() }
        }

        func pass() async {
            await withCheckedContinuation { continuation in
                let mayPass = lock.withLock {
                    if !isOpen { waiting.append(continuation) }
                    return isOpen
                }
                if mayPass { continuation.resume() }
            }
        }
    }

    /// The code of the ``CallError`` that `call` throws.
    static func code(of call: () async throws -> Void) async -> CallError.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? CallError)?.code
        }
    }
}
