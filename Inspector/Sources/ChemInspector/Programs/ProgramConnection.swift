import NIOCore
import NIOPosix
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection to a published machine.
///
/// Requests go one after the other. One that has timed out is still waited for before the next one is sent, since
/// answers bear no number. So a program that is stopped costs one connection and one request, however often we ask, and
/// its socket's queue doesn't fill up.
final class ProgramConnection: Sendable {
    private typealias Lines = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private struct Request {
        let line: String
        let answer: PendingAnswer
    }

    private struct State {
        var isOpen = true
        var unanswered: [ObjectIdentifier: PendingAnswer] = [:]
    }

    private let channel: any Channel
    private let requests: AsyncStream<Request>.Continuation
    private let state = Mutex(State())

    /// Connects.
    ///
    /// - Parameters:
    ///   - path: The socket.
    ///   - limit: How many bytes an answer has at most.
    ///   - timeout: How long the system may take to connect.
    /// - Throws: Why nobody can be asked.
    init(path: String, limit: Int, timeout: TimeAmount) async throws(ProgramError) {
        let lines: Lines
        do {
            lines = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(timeout)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let decoder = ByteToMessageHandler(LineDecoder(limit: limit))
                        try channel.pipeline.syncOperations.addHandler(decoder)
                        return try Lines(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw Self.reason(error)
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .bufferingOldest(64))
        channel = lines.channel
        requests = continuation
        // Only whoever reads knows why it has ended.
        channel.closeFuture.whenComplete { [self] _ in stop() }
        Task { [self] in
            let error = await Self.answer(stream, over: lines, limit: limit)
            end(error)
        }
    }

    /// Whether the program may still answer.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    func close() { end(.isGone) }

    /// Sends a line, and waits for the one that answers it.
    func ask(_ line: String, within timeout: TimeAmount) async throws(ProgramError) -> ByteBuffer {
        let answer = PendingAnswer()
        let isOpen = state.withLock {
            if $0.isOpen { $0.unanswered[ObjectIdentifier(answer)] = answer }
            return $0.isOpen
        }
        guard isOpen else { throw .isGone }
        defer { state.withLock { _ = $0.unanswered.removeValue(forKey: ObjectIdentifier(answer)) } }
        // If that many are waiting already, the program doesn't answer.
        if case .dropped = requests.yield(Request(line: line, answer: answer)) { throw .isSilent }
        let timer = channel.eventLoop.scheduleTask(in: timeout) { answer.finish(.failure(.isSilent)) }
        defer { timer.cancel() }
        return try await answer.value()
    }

    /// Takes no more requests.
    private func stop() {
        state.withLock { $0.isOpen = false }
        requests.finish()
    }

    private func end(_ error: ProgramError) {
        stop()
        let unanswered = state.withLock {
            let unanswered = $0.unanswered
            $0.unanswered = [:]
            return unanswered
        }
        for answer in unanswered.values { answer.finish(.failure(error)) }
        channel.close(promise: nil)
    }

    /// Sends what is asked for and reads the answers, until there are no more.
    ///
    /// - Returns: why it has ended.
    private static func answer(_ requests: AsyncStream<Request>, over lines: Lines, limit: Int) async -> ProgramError {
        do {
            return try await lines.executeThenClose { inbound, outbound in
                var answers = inbound.makeAsyncIterator()
                for await request in requests where !request.answer.isFinished {
                    try await outbound.write(ByteBuffer(string: request.line + "\n"))
                    guard let answer = try await answers.next() else { return .isGone }
                    request.answer.finish(.success(answer))
                }
                return .isGone
            }
        } catch is LineDecoder.LineIsTooLong {
            return .isTooLong(limit: limit)
        } catch {
            return .isGone
        }
    }

    private static func reason(_ error: any Error) -> ProgramError {
        switch error {
        case let error as IOError where [ECONNREFUSED, ENOENT, ECONNRESET].contains(error.errnoCode): .isGone
        // The queue of the socket is full: whoever listens doesn't accept.
        case let error as IOError where error.errnoCode == EAGAIN: .isSilent
        case is ChannelError: .isSilent
        default: .isUnreachable("\(error)")
        }
    }
}
