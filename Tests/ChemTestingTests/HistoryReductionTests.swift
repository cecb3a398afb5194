import ChemActors
import ChemLibrary
@testable import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("Histories are told of in all their orders", .endsInTime)
struct HistoryReductionTests {
    /// What came of the operations, and which were over before which others began.
    private static func signatures(
        _ trial: (@escaping @Sendable (String) -> Void) -> Trial,
        _ sharing: Sharing
    ) async throws -> (Set<String>, runs: Int) {
        let all = Mutex<Set<String>>([])
        let trial = trial { signature in all.withLock { _ = $0.insert(signature) } }
        let outcome = try await trial.outcome(.exhaustive(sharing: sharing, limit: 200_000))
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        return (all.withLock { $0 }, outcome.runs)
    }

    @Test("In as many as without leaving anything out, if they matter", arguments: [true, false])
    func sameOrders(contended: Bool) async throws {
        let trial = { (note: @escaping @Sendable (String) -> Void) in
            Trial("it") {
                let mutex = AsyncMutex(0)
                let history = History<RegisterModel>()
                history.timeline.matters()
                try await Trial.together(0..<2) { client in
                    for round in 0..<2 {
                        let operation = RegisterModel.Operation.add(1 << (client * 2 + round))
                        try await history.record(operation) {
                            try await mutex.withLock { value in
                                let before = value
                                if contended { await Task.yield() }
                                operation.change(&value)
                                return before
                            }
                        }
                        if !contended { await Task.yield() }
                    }
                }
                note(history.signature)
            }
        }
        let (every, all) = try await Self.signatures(trial, .everything)
        let (some, tasks) = try await Self.signatures(trial, .tasks)
        let (fewer, molecules) = try await Self.signatures(trial, .molecules)
        #expect(some == every)
        #expect(fewer == every)
        #expect(molecules < tasks && tasks < all)
    }

    @Test("Three clients of a mutex: each order of their operations is run once")
    func mutex() async throws {
        let outcome = try await Trial.register("it", of: Trial.mutex).outcome(.exhaustive(sharing: .molecules))
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        // 9! ÷ 3!³ and 6! ÷ 2!³.
        #expect(outcome.runs == (Soak.isOn ? 1_680 : 90))
    }

    /// A register of which readers have a copy that is late.
    private static let stale = Trial("it") {
        let (write, read) = Join.define { join in
            let original = join.state("original", 0)
            let copy = join.state("copy", 0)
            let write = join.fast("write", of: Int.self)
            let late = join.slow("late", of: Int.self)
            let read = join.fast("read", returning: Int.self)
            join.answer(write, updating: original) { original, value in
                original = value
                late(value)
            }
            join.when(late, updating: copy) { copy, value in copy = value }
            join.answer(read, updating: copy) { copy, _ in copy }
            return (write, read)
        }
        let history = History<RegisterModel>()
        try await Trial.together([RegisterModel.Operation.write(1), .read]) { operation in
            try await history.record(operation) {
                if case .write(let value) = operation {
                    try await write(value)
                    return 0
                }
                return try await read()
            }
        }
        try Trial.insist(history.isLinearizable(from: RegisterModel()))
    }

    @Test("What one order alone shows is found", arguments: [Sharing.molecules, .tasks, .everything])
    func stale(sharing: Sharing) async throws {
        let outcome = try await Self.stale.outcome(.exhaustive(sharing: sharing))
        #expect(outcome.hasFailed)
    }
}

extension History {
    fileprivate var signature: String {
        let sorted = entries.sorted { "\($0.operation)" < "\($1.operation)" }
        return sorted.map { one in
            let later = sorted.indices.filter { (one.end ?? .max) < sorted[$0].begin }
            return "\(one.operation) \(one.result.map { "\($0)" } ?? "-") before \(later)"
        }.joined(separator: ", ")
    }
}
