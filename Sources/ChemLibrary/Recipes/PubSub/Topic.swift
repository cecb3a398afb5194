public import ChemActors
import ChemBase
import Synchronization

/// Publish and subscribe: each published value reaches every subscriber, in the order of publishing.
///
/// ```swift
/// let prices = Topic<Int>()
/// let screen = prices.subscribe()
/// prices.publish(42)
/// prices.finish()
/// for await price in screen { print(price) }    // 42
/// ```
///
/// Publishing, subscribing, leaving and finishing never suspend, work in synchronous code, and take effect in the order
/// of the calls: a subscriber gets what is published after it has subscribed, and nothing that is published after it
/// has left. Each subscriber has a buffer of its own, so a slow one doesn't hold up the others.
///
/// The topic is finished by ``finish()``, or when its last copy is gone. Then subscribers get what is in their buffers,
/// and the end. No subscriber is left waiting.
///
/// `AsyncStream` serves one consumer, and ends for all when it ends for one.
///
/// - Complexity: publishing is O(number of subscribers).
public struct Topic<Value: Sendable>: Exportable {
    private let event: SlowMolecule<Event>
    private let owner: AtEnd

    /// Those who get what is published, in the order in which they came: equal seeds give equal runs.
    private struct Subscribers: Sendable {
        private var numbers: [SlowMolecule<Value?>: Int] = [:]
        /// With rising numbers. Those who have left leave a hole, until half of the places are holes.
        private var inOrder: [(number: Int, subscriber: Subscriber?)] = []

        var all: some Sequence<Subscriber> { inOrder.lazy.compactMap(\.subscriber) }

        mutating func add(_ subscriber: Subscriber) {
            let number = (inOrder.last?.number ?? 0) + 1
            numbers[subscriber.put] = number
            inOrder.append((number, subscriber))
        }

        /// Tells it the end, if it is there.
        ///
        /// - Complexity: amortized O(log n).
        mutating func remove(_ subscriber: SlowMolecule<Value?>) {
            guard let number = numbers.removeValue(forKey: subscriber) else { return }
            var range = 0..<inOrder.count
            while range.count > 1 {
                let middle = (range.lowerBound + range.upperBound) / 2
                range = inOrder[middle].number <= number ? middle..<range.upperBound : range.lowerBound..<middle
            }
            inOrder[range.lowerBound].subscriber.take()?.end()
            if inOrder.count > 2 * numbers.count + 16 { inOrder.removeAll { $0.subscriber == nil } }
        }
    }

    /// Somebody who gets what is published, and hears of the end, whichever that is: if the topic's definition is
    /// cleared, deactivated or dissolved, nobody but its `deinit` can say so.
    private final class Subscriber: Sendable {
        let put: SlowMolecule<Value?>
        private let hasEnded = Atomic(false)

        init(_ put: SlowMolecule<Value?>) { self.put = put }

        func end() {
            if !hasEnded.exchange(true, ordering: .relaxed) { put(nil) }
        }

        deinit { end() }
    }

    /// An event of a topic. One molecule carries all events, oldest first, so that they have one order.
    private enum Event: Sendable {
        case published(Value)
        case subscribed(Subscriber)
        case left(SlowMolecule<Value?>)
        case finished
    }

    /// How much a subscriber's buffer holds.
    public enum Buffering: Hashable, Sendable {
        /// Every value that the subscriber hasn't got yet.
        case unbounded
        /// The latest values, as many as given, at least 1. Older ones are dropped.
        case latest(Int)
    }

    /// A topic without subscribers.
    ///
    /// - Parameters:
    ///   - name: What the topic is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(name: String = "topic", fileID: StaticString = #fileID, line: UInt = #line) {
        event = Join.define(name, fileID: fileID, line: line) { join in
            let event = join.slow("event", of: Event.self, order: .oldestFirst)
            let topic = join.state("topic", (subscribers: Subscribers(), isFinished: false))
            join.when(event, updating: topic) { topic, event in
                switch event {
                case .published(let value):
                    for subscriber in topic.subscribers.all { subscriber.put(value) }
                case .subscribed(let subscriber):
                    if topic.isFinished { subscriber.end() } else { topic.subscribers.add(subscriber) }
                case .left(let subscriber):
                    // A finished topic has no subscribers left to remove.
                    topic.subscribers.remove(subscriber)
                case .finished:
                    for subscriber in topic.subscribers.all { subscriber.end() }
                    topic = (Subscribers(), true)
                }
            }
            return event
        }
        owner = AtEnd { [event] in event(.finished) }
    }

    /// Gives `value` to all subscribers. Never suspends.
    public func publish(_ value: Value) { event(.published(value)) }

    /// Tells all subscribers that nothing will follow; values published from now on are ignored. Never suspends.
    public func finish() { event(.finished) }

    /// Subscribes. Never suspends.
    ///
    /// - Parameters:
    ///   - buffering: Which values are kept until the subscriber asks for them; by default, all.
    ///   - name: What the subscription is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: what is published from now on.
    public func subscribe(
        buffering: Buffering = .unbounded,
        name: String = "subscription",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Subscription<Value> {
        var limit = Int.max
        if case .latest(let count) = buffering {
            demand(count >= 1, "a subscriber's buffer needs room for at least 1 value, not \(count)", fileID, line)
            limit = count
        }
        let (put, next) = Subscription<Value>.define(limit, name, fileID, line)
        event(.subscribed(Subscriber(put)))
        let membership = AtEnd { [event] in event(.left(put)) }
        return Subscription(next: next, membership: membership, fileID: fileID, line: line)
    }

    private init(event: SlowMolecule<Event>, owner: AtEnd) {
        self.event = event
        self.owner = owner
    }

    /// The same topic, kept alive by this value.
    public var exported: Topic { Topic(event: event.exported, owner: owner) }
}

/// The values that a topic publishes to one subscriber, from the moment of subscribing.
///
/// ```swift
/// for await price in prices.subscribe() { … }
/// ```
///
/// Copies share one buffer: each value goes to one of them. It leaves the topic when ``leave()`` is called or its last
/// copy is gone.
public struct Subscription<Value: Sendable>: Exportable, AsyncSequence {
    /// Waits for the next value, oldest caller first; nil is the end. A call that is cancelled takes no value.
    ///
    /// Hold the subscription while you wait. The molecule alone doesn't keep it in the topic.
    public let next: FastMolecule<Void, Value?>
    private let membership: AtEnd
    /// Where it was made: `for await` passes no line on.
    private let fileID: StaticString
    private let line: UInt

    init(next: FastMolecule<Void, Value?>, membership: AtEnd, fileID: StaticString, line: UInt) {
        self.next = next
        self.membership = membership
        (self.fileID, self.line) = (fileID, line)
    }

    /// Leaves the topic: nothing that is published from now on arrives. Values that have arrived can still be received,
    /// and then the end.
    ///
    /// Never suspends. Leaving again changes nothing.
    public func leave() { membership.end() }

    /// The values that wait for the subscriber.
    private struct Buffer: Sendable {
        var values = FIFO<Value>()
        var isFinished = false
    }

    static func define(
        _ limit: Int,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> (SlowMolecule<Value?>, FastMolecule<Void, Value?>) {
        Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let buffer = join.state("buffer", Buffer())
            let put = join.slow("put", of: Value?.self, order: .oldestFirst)
            // One copy for each value in the buffer, and one for the end.
            let available = join.slow("available")
            let next = join.fast("next", returning: Value?.self, order: .oldestFirst)

            join.when(put, updating: buffer) { buffer, value in
                if let value {
                    if buffer.values.count == limit { _ = buffer.values.popFirst() } else { available() }
                    buffer.values.append(value)
                } else {
                    buffer.isFinished = true
                    available()
                }
            }.produces(available)
            join.answer(next, with: available, updating: buffer) { buffer, _, _ in
                if let value = buffer.values.popFirst() { return .some(value) }
                // This is the end, also for later callers.
                available()
                return nil
            }
            return (put, next)
        }
    }

    /// The same subscription, kept alive by this value.
    public var exported: Subscription {
        Subscription(next: next.exported, membership: membership, fileID: fileID, line: line)
    }

    /// The next value, or nil at the end, or if the task is cancelled.
    fileprivate nonisolated(nonsending) func take() async -> Value? {
        (try? await next(fileID: fileID, line: line)) ?? nil
    }

    /// Gets one value after another. It has no buffer of its own.
    ///
    /// While it waits, snapshots show the line of ``Topic/subscribe(buffering:name:fileID:line:)``.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription

        /// Waits for the next value; nil means the end, or that the task is cancelled.
        nonisolated(nonsending) public mutating func next() async -> Value? {
            await subscription.take()
        }

        /// Waits for the next value; nil means the end, or that the task is cancelled.
        ///
        /// - Parameter actor: The actor on which the caller runs.
        /// - Returns: the next value, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await subscription.take()
        }
    }

    /// An iterator. Several of them share the values.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }
}

/// Runs an action when the last copy of a value is gone, and earlier if ``end()`` is called.
final class AtEnd: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Runs the action now. It runs again in `deinit`, so it must tolerate repetition, as the actions of all users do.
    func end() { action() }

    deinit { action() }
}

@available(*, unavailable)
extension Subscription.Iterator: Sendable {}
