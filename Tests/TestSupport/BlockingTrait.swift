public import Testing

/// Tests whose bodies block threads run one at a time: two of them could block every thread of the pool.
public struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    /// Each test of a suite takes its own turn.
    public var isRecursive: Bool { true }

    /// Runs the test when it's its turn.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await BlockingTurn.shared.take()
        do {
            try await function()
        } catch {
            await BlockingTurn.shared.giveBack()
            throw error
        }
        await BlockingTurn.shared.giveBack()
    }
}

extension Trait where Self == BlockingTrait {
    /// The test blocks threads, so no other such test may run at the same time.
    public static var blocksThreads: Self { Self() }
}

private actor BlockingTurn {
    static let shared = BlockingTurn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if !isTaken {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
