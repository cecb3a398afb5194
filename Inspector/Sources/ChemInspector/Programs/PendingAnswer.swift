import NIOCore
import Synchronization

/// An answer that somebody waits for. The first result counts.
final class PendingAnswer: Sendable {
    typealias Outcome = Result<ByteBuffer, ProgramError>

    private enum State {
        case isOpen
        case isAwaited(CheckedContinuation<Outcome, Never>)
        case isFinished(Outcome)
    }

    private let state = Mutex(State.isOpen)

    /// Whether there is a result.
    var isFinished: Bool {
        state.withLock {
            if case .isFinished = $0 { true } else { false }
        }
    }

    func finish(_ outcome: Outcome) {
        let waiting: CheckedContinuation<Outcome, Never>? = state.withLock {
            switch $0 {
            case .isFinished: return nil
            case .isOpen:
                $0 = .isFinished(outcome)
                return nil
            case .isAwaited(let continuation):
                $0 = .isFinished(outcome)
                return continuation
            }
        }
        waiting?.resume(returning: outcome)
    }

    /// Waits for it. To be called once.
    func value() async throws(ProgramError) -> ByteBuffer {
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let early: Outcome? = state.withLock {
                if case .isFinished(let outcome) = $0 { return outcome }
                $0 = .isAwaited(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
        return try outcome.get()
    }
}
