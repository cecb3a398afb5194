import ChemActors
import Hummingbird
import ServiceLifecycle

// snippet.longPoll
/// Waits for what isn't there yet. Returns nil if it doesn't come in time, or if the server is shut
/// down.
///
/// If the client goes away meanwhile, the task is cancelled, and so the call is withdrawn.
func longPoll<Answer: Sendable>(
    _ request: Request,
    _ wait: Duration,
    _ call: @escaping @Sendable () async throws -> Answer
) async throws -> Answer? {
    do {
        if wait == .zero { return try await call() }
        return try await cancelWhenGracefulShutdown {
            try await request.body.consumeWithCancellationOnInboundClose { _ in try await call() }
        }
    } catch let error as CallError where error.code == .timedOut {
        return nil
    } catch is CancellationError where Task.isShuttingDownGracefully {
        return nil
    }
}
// snippet.end
