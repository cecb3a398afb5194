import Foundation

/// A value behind a lock that ThreadSanitizer understands.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: `value` is touched under `lock` only.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// A copy of the value as it is now.
    var now: Value { withLock { $0 } }
}

extension Guarded where Value == Int {
    func add(_ number: Int = 1) { withLock { $0 += number } }
}

extension Guarded {
    func append<Element>(_ element: Element) where Value == [Element] { withLock { $0.append(element) } }
}

/// A door that stays open once opened; a blocked thread, not a suspended task, waits in front of it.
final class Door: @unchecked Sendable {
    // Checked by hand: `isOpen` is touched under `condition` only.
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Blocks the thread until the door opens. False if that took longer than `seconds`.
    func wait(seconds: Double = 1_200) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            if !condition.wait(until: deadline) { return isOpen }
        }
        return true
    }
}

/// A signal that one task waits for, suspended.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send() { continuation.yield() }

    /// Suspends until `count` signals have been sent.
    func wait(for count: Int = 1) async {
        var left = count
        if left == 0 { return }
        for await _ in stream {
            left -= 1
            if left == 0 { return }
        }
    }
}

/// Runs `body` on a thread of its own, so that it may keep that busy, and waits suspended.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
