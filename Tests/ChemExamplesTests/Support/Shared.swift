import Dispatch

/// A value that several threads change. (ThreadSanitizer doesn't understand the `Mutex` of Linux.)
final class Shared<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: the value is touched by one thread at a time.
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
