import FieldWorks

/// Questions and answers.
enum Calls {
    static let works = [
        Work("call", "actor", 2_000_000) { count in
            let adder = Adder()
            return try await sum(count, wanted: triangle(count) + 3 * count) { await adder.add($0) }
        },
        Work("ask", "AsyncStream", 100_000) { count in
            let server = AskedTask()
            defer { server.stop() }
            return try await sum(count, wanted: triangle(count + 1)) { _ in await server.ask() }
        },
        Work("ask-through", "actor", 1_000_000) { count in
            let outer = Outer()
            return try await sum(count, wanted: triangle(count) + 3 * count) { await outer.add($0) }
        },
    ]

    /// The black hole runs where the caller is: without it the optimizer may leave out the way back from one actor call
    /// before the next.
    @inline(__always)
    private static func sum(_ count: Int, wanted: Int, ask: (Int) async -> Int) async throws -> Outcome {
        var sum = 0
        let start = ContinuousClock.now
        for number in 0..<count {
            let answer = await ask(number)
            blackHole(answer)
            sum += answer
        }
        return try Outcome(count, start.elapsed, "the sum of the answers", sum, wanted: wanted)
    }
}

private actor Adder {
    func add(_ number: Int) -> Int { number + 3 }
}

/// Calls another actor before it answers.
private actor Outer {
    private let inner = Adder()

    func add(_ number: Int) async -> Int { await inner.add(number) }
}

/// A task with a stream as its mailbox; a question carries the continuation of whoever asks.
private struct AskedTask: Sendable {
    private let mailbox: AsyncStream<CheckedContinuation<Int, Never>>.Continuation

    init() {
        let (questions, mailbox) = AsyncStream.makeStream(of: CheckedContinuation<Int, Never>.self)
        self.mailbox = mailbox
        Task.detached {
            var asked = 0
            for await question in questions {
                asked += 1
                question.resume(returning: asked)
            }
        }
    }

    func ask() async -> Int { await withCheckedContinuation { _ = mailbox.yield($0) } }
    func stop() { mailbox.finish() }
}
