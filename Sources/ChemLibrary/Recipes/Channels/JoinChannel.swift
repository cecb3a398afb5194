public import ChemActors
public import ChemBase

/// A queue between tasks: senders put values in, receivers take them out, each value exactly once.
///
/// ```swift
/// let pages = JoinChannel<Page>(capacity: 16)
/// Task {
///     for address in addresses {
///         try await pages.send(download(address))    // waits while 16 pages lie there
///     }
///     pages.close()
/// }
/// for await page in pages { show(page) }    // ends when the channel is closed and empty
/// ```
///
/// Values leave in the order in which they were put in. Senders wait while there is no room, receivers while there is
/// no value; both are served oldest first. Any number of tasks may send, and any number may receive: receivers share
/// the values.
///
/// | | |
/// |---|---|
/// | `JoinChannel(capacity: 16)` | at most 16 values wait: back-pressure |
/// | `JoinChannel(capacity: 0)` | a rendezvous: a sender waits until a receiver has its value |
/// | `JoinChannel.unbounded()` | sending never waits |
///
/// Cancellation is exact. A sender that throws has sent nothing; a receiver that throws has taken nothing.
///
/// `AsyncStream` has one consumer and can't hold back its producer: prefer it for adapting a callback. The
/// `AsyncChannel` of swift-async-algorithms corresponds to a capacity of 0, and can't be used in synchronous code.
public struct JoinChannel<Element: Sendable>: Exportable {
    @usableFromInline let chemistry: ChannelChemistry<Element>

    /// A channel with room for `capacity` values.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait, not negative. With 0, a sender waits for its receiver.
    ///   - name: What the channel is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(`capacity`).
    @inlinable
    public init(capacity: Int, name: String = "channel", fileID: StaticString = #fileID, line: UInt = #line) {
        demand(capacity >= 0, "a channel can't have a capacity of \(capacity)", fileID, line)
        chemistry = capacity == 0 ? .rendezvous(name, fileID, line) : .buffer(capacity, name, fileID, line)
    }

    /// A channel that holds any number of values, so that sending never waits.
    ///
    /// - Parameters:
    ///   - name: What the channel is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the channel.
    @inlinable
    public static func unbounded(
        name: String = "channel",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> JoinChannel {
        JoinChannel(.buffer(nil, name, fileID, line))
    }

    @inlinable
    init(_ chemistry: ChannelChemistry<Element>) {
        self.chemistry = chemistry
    }

    /// Sends `value`, as soon as there is room for it; with a capacity of 0, as soon as a receiver takes it.
    ///
    /// - Parameters:
    ///   - value: What to send.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: ``ChannelClosed`` if the channel is closed, even while this waits, and `CancellationError`. In both
    ///   cases nothing was sent.
    @inlinable
    nonisolated(nonsending) public func send(
        _ value: Element,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await chemistry.send(value, fileID: fileID, line: line)
    }

    /// Sends `value`, if there is room for it before `duration` has passed.
    ///
    /// - Parameters:
    ///   - value: What to send.
    ///   - duration: How long to wait for room. Zero or less: send only if there is room now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: as ``send(_:fileID:line:)``, and `CallError` if the time was up. Then nothing was sent.
    @inlinable
    nonisolated(nonsending) public func send(
        _ value: Element,
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await chemistry.send(value, within: duration, fileID: fileID, line: line)
    }

    /// Sends `value` if that is possible now. Works in synchronous code, and doesn't overtake waiting senders.
    ///
    /// - Parameter value: What to send.
    /// - Returns: whether it was sent: false if there is no room, or the channel is closed.
    @inlinable
    public func trySend(_ value: Element) -> Bool {
        (try? chemistry.send.tryCall(value)) != nil
    }

    /// Takes the oldest value, as soon as there is one.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the value, or nil if the channel is closed and empty.
    /// - Throws: `CancellationError`; then nothing was taken.
    @inlinable
    nonisolated(nonsending) public func receive(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Element? {
        try await chemistry.receive(fileID: fileID, line: line)
    }

    /// Takes the oldest value, if there is one before `duration` has passed.
    ///
    /// - Parameters:
    ///   - duration: How long to wait for a value. Zero or less: take one only if it is there now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the value, or nil if the channel is closed and empty.
    /// - Throws: as ``receive(fileID:line:)``, and `CallError` if the time was up. Then nothing was taken.
    @inlinable
    nonisolated(nonsending) public func receive(
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Element? {
        try await chemistry.receive(within: duration, fileID: fileID, line: line)
    }

    /// Takes the oldest value if there is one now. Works in synchronous code, and doesn't overtake waiting receivers.
    ///
    /// - Returns: the value, or nil if there is none.
    @inlinable
    public func tryReceive() -> Element? {
        (try? chemistry.receive.tryCall()) ?? nil
    }

    /// Closes the channel: nothing can be sent from now on. Works in synchronous code; closing again changes nothing.
    ///
    /// Waiting senders get ``ChannelClosed``. Values that are in the channel are still received; after them every
    /// receiver gets nil, whether it is waiting already or comes later.
    @inlinable
    public func close() {
        if (try? chemistry.close.tryCall()) == nil { chemistry.closing() }
    }

    /// The same channel, kept alive by this value.
    @inlinable
    public var exported: JoinChannel { JoinChannel(chemistry.exported) }
}

/// The channel is closed: nothing can be sent.
public struct ChannelClosed: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the channel.
    public let channel: String

    /// Creates the error.
    ///
    /// - Parameter channel: The name of the channel; by default, that of one that was given none.
    public init(_ channel: String = "channel") { self.channel = channel }

    /// The error message.
    public var description: String { "'\(channel)' is closed: nothing can be sent." }
}

extension JoinChannel: AsyncSequence {
    /// Receiving doesn't fail: the sequence ends instead.
    public typealias Failure = Never

    /// A receiver that takes one value at a time, so leaving the loop loses none.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Receiving doesn't fail: the sequence ends instead.
        public typealias Failure = Never

        @usableFromInline let take: FastMolecule<Void, Element?>
        /// Where the channel was made: `for await` passes no line on.
        @usableFromInline let fileID: StaticString
        @usableFromInline let line: UInt

        @usableFromInline
        init(take: FastMolecule<Void, Element?>, fileID: StaticString, line: UInt) {
            self.take = take
            (self.fileID, self.line) = (fileID, line)
        }

        /// The next value, or nil if the channel is closed and empty, or the task is cancelled.
        @inlinable
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        /// The next value, or nil if the channel is closed and empty, or the task is cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            (try? await take(fileID: fileID, line: line)) ?? nil
        }
    }

    /// A new receiver, which shares the values with the others.
    ///
    /// While it waits, snapshots show the line where the channel was made.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(take: chemistry.receive, fileID: chemistry.fileID, line: chemistry.line)
    }
}

@available(*, unavailable)
extension JoinChannel.AsyncIterator: Sendable {}
