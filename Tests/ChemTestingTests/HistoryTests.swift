import ChemActors
import ChemLibrary
@testable import ChemTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Histories", .endsInTime)
struct HistoryTests {
    /// A cell of memory.
    private struct Register: SequentialModel {
        enum Operation { case read, write(Int) }
        var value = 0

        mutating func apply(_ operation: Operation) -> Int? {
            if case .write(let new) = operation { value = new }
            return value
        }
    }

    private struct Tally: SequentialModel {
        enum Operation { case add, get }
        var count = 0

        mutating func apply(_ operation: Operation) -> Int? {
            if case .add = operation { count += 1 }
            return count
        }
    }

    @Test("Many operations that have thrown cost little, with or without effect", arguments: [0, 3, 30, 31])
    func manyThatHaveThrown(effect: Int) async throws {
        let history = History<Tally>()
        for _ in 0..<30 { _ = try? await history.record(.add) { throw CancellationError() } }
        await history.record(.get) { effect }
        #expect(history.isLinearizable(from: Tally()) == (effect <= 30))
        let outcome = try await Exploration(.once) { _ in
            let history = History<Tally>()
            for _ in 0..<30 { _ = try? await history.record(.add) { throw CancellationError() } }
            await history.record(.get) { effect }
            #expect(history.isLinearizable(from: Tally()) == (effect <= 30))
        }.outcome()
        #expect(!outcome.hasFailed)
    }

    /// Tells when an operation goes on.
    private final class Gate: Sendable {
        private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

        func wait() async { await withCheckedContinuation { c in continuation.withLock { $0 = c } } }

        func open() {
            continuation.withLock { c in
                defer { c = nil }
                return c
            }?.resume()
        }
    }

    /// What is reported of a history, or nil.
    private func report<Model: SequentialModel>(_ history: History<Model>, from model: Model) -> String? {
        let report = Mutex<String?>(nil)
        withKnownIssue(isIntermittent: true) {
            expectLinearizable(history, from: model)
        } matching: { issue in
            report.withLock { $0 = issue.comments.first?.rawValue }
            return true
        }
        return report.withLock { $0 }
    }

    @Test("A long history of operations that don't overlap takes linear time, and no stack")
    func long() async {
        let history = History<Register>()
        for number in 0..<50_000 { await history.record(.write(number)) { number } }
        await history.record(.read) { 49_999 }
        #expect(history.isLinearizable(from: Register()))
        await history.record(.read) { 0 }
        #expect(!history.isLinearizable(from: Register()))
    }

    private struct NumberQueue: SequentialModel {
        enum Operation { case add(Int), take }
        var numbers: [Int] = []

        mutating func apply(_ operation: Operation) -> Int? {
            switch operation {
            case .add(let number): numbers.append(number)
            case .take: return numbers.isEmpty ? nil : numbers.removeFirst()
            }
            return 0
        }
    }

    /// It may have its place anywhere, or none. Quadratic, this takes minutes, and gigabytes.
    @Test("A long history in which an operation has never ended takes linear time", arguments: [false, true])
    func longWithPending(isWrong: Bool) async throws {
        let history = History<NumberQueue>()
        await #expect(throws: CancellationError.self) { try await history.record(.take) { throw CancellationError() } }
        for number in 0..<20_000 {
            await history.record(.add(number)) { 0 }
            await history.record(.take) { isWrong && number == 10_000 ? -1 : number }
        }
        let report = report(history, from: NumberQueue())
        #expect((report != nil) == isWrong)
        guard isWrong else { return }
        // What is near the mistake, and no more.
        #expect(report?.contains("take → -1") == true, "\(report ?? "")")
        #expect(report?.hasPrefix("no order explains what the clients got; 40 of 40001 operations:\n") == true)
    }

    @Test("One operation after the other has to be as the model says")
    func sequential() async {
        let right = History<Register>()
        await right.record(.write(1)) { 1 }
        await right.record(.read) { 1 }
        #expect(report(right, from: Register()) == nil)
        let wrong = History<Register>()
        await wrong.record(.write(1)) { 1 }
        await wrong.record(.read) { 0 }
        #expect(
            report(wrong, from: Register()) == """
                no order explains what the clients got:
                write(1) → 1 ├┤
                read → 0       ├┤
                """
        )
    }

    @Test("Operations that overlap may have come in any order, but in one")
    func overlapping() async {
        // A write begins, two reads come, the write ends.
        func history(_ first: Int, _ second: Int) async -> History<Register> {
            let history = History<Register>()
            await history.record(.write(1)) {
                await history.record(.read) { first }
                await history.record(.read) { second }
                return 1
            }
            return history
        }
        #expect(report(await history(0, 0), from: Register()) == nil)
        #expect(report(await history(0, 1), from: Register()) == nil)
        #expect(report(await history(1, 1), from: Register()) == nil)
        #expect(report(await history(1, 0), from: Register()) != nil)
    }

    @Test("What hasn't ended, or has thrown, may have had its effect or not")
    func pending() async {
        struct Failed: Error {}
        let history = History<Register>()
        _ = try? await history.record(.write(1)) { () throws(Failed) in throw Failed() }
        await history.record(.read) { 0 }
        await history.record(.read) { 1 }
        #expect(report(history, from: Register()) == nil)
        await history.record(.read) { 0 }
        #expect(report(history, from: Register()) != nil)
    }

    /// Three clients who each take a permit of a semaphore and put it back.
    private func useSemaphore(permits: Int, asIf free: Int) async throws {
        try await explore(.deviations(upTo: 2, limit: 3_000)) { _ in
            let semaphore = AsyncSemaphore(permits: permits)
            let history = History<TutorialTests.Permits>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await history.record(.acquire) {
                            try await semaphore.acquire()
                            return true
                        }
                        // Others may come while it has the permit.
                        await Task.yield()
                        await history.record(.release) {
                            semaphore.release()
                            return true
                        }
                    }
                }
                try await group.waitForAll()
            }
            expectLinearizable(history, from: TutorialTests.Permits(free: free))
        }
    }

    @Test("The semaphore of the library is one under all schedules that deviate at two steps")
    func semaphore() async throws {
        try await useSemaphore(permits: 1, asIf: 1)
        try await useSemaphore(permits: 2, asIf: 2)
    }

    @Test("A semaphore with a permit too many is found, and the clients are drawn")
    func mutant() async throws {
        let report = Mutex("")
        try await withKnownIssue {
            try await useSemaphore(permits: 2, asIf: 1)
        } matching: { issue in
            let text = issue.comments.first?.rawValue ?? ""
            if text.hasPrefix("no order explains") { report.withLock { $0 = text } }
            return true
        }
        let drawing = report.withLock { $0 }
        let page = try String(contentsOf: TutorialTests.page, encoding: .utf8)
        #expect(drawing.contains("acquire → true ├") && page.contains("```\n\(drawing)\n```"), "\(drawing)")
    }

    /// Elements in the order in which they were sent.
    private struct Queue: SequentialModel {
        enum Operation { case send(Int), receive }
        var elements: [Int] = []
        let capacity: Int

        mutating func apply(_ operation: Operation) -> Int? {
            switch operation {
            case .send(let element):
                guard elements.count < capacity else { return nil }
                elements.append(element)
                return element
            case .receive: return elements.isEmpty ? nil : elements.removeFirst()
            }
        }
    }

    @Test("The channel of the library is a queue under all schedules that deviate at two steps")
    func channel() async throws {
        try await explore(.deviations(upTo: 2, limit: 3_000)) { _ in
            let channel = JoinChannel<Int>(capacity: 1)
            let history = History<Queue>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<2 {
                    group.addTask {
                        for number in 0..<2 {
                            let element = client * 2 + number
                            try await history.record(.send(element)) {
                                try await channel.send(element)
                                return element
                            }
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<4 {
                        try await history.record(.receive) { try await channel.receive() ?? -1 }
                    }
                }
                try await group.waitForAll()
            }
            expectLinearizable(history, from: Queue(capacity: 1))
        }
    }
}
