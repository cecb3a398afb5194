import ChemActors
import ChemBase
import Synchronization

/// How many values wait for a consumer that is slower than the graph, and what happens to further ones.
public struct FlowBuffering: Hashable, Sendable {
    enum Policy: Hashable, Sendable {
        case unbounded
        case suspending(Int)
        case latest(Int)
    }

    let policy: Policy

    /// All values wait, however many there are. Nothing is lost, and the graph never waits.
    public static let unbounded: FlowBuffering = FlowBuffering(policy: .unbounded)

    /// At most `count` values wait; then the graph waits for the consumer, without blocking a thread. Nothing is lost,
    /// except that a value which waits for room when the graph is cancelled is dropped.
    ///
    /// The graph must not depend on the consumer.
    ///
    /// - Parameters:
    ///   - count: At least 1.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the policy.
    public static func suspending(
        _ count: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowBuffering {
        demand(count > 0, "a sequence of values has room for at least one, not for \(count)", fileID, line)
        return FlowBuffering(policy: .suspending(count))
    }

    /// The newest `count` values wait; older ones are dropped, and counted.
    ///
    /// - Parameters:
    ///   - count: At least 1.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the policy.
    public static func latest(
        _ count: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowBuffering {
        demand(count > 0, "a sequence of values has room for at least one, not for \(count)", fileID, line)
        return FlowBuffering(policy: .latest(count))
    }
}

/// A signal to a subscriber.
enum FlowSignal<Value: Sendable>: Sendable {
    case value(Value)
    case end
}

/// The graph's side of a sequence of values. The sequence ends when this is released.
@usableFromInline
package final class FlowSubscriber<Value: Sendable>: Sendable {
    let id: Int
    /// Passes a signal on. Returns false if there is no room.
    private let put: @Sendable (FlowSignal<Value>) -> Bool
    /// Passes a signal on as soon as there is room.
    private let putLater: @Sendable (FlowSignal<Value>) async -> Void

    init(
        id: Int,
        put: @escaping @Sendable (FlowSignal<Value>) -> Bool,
        putLater: @escaping @Sendable (FlowSignal<Value>) async -> Void
    ) {
        self.id = id
        self.put = put
        self.putLater = putLater
    }

    deinit { end() }

    /// Passes a value on, or returns the work that must be awaited for that.
    func give(_ value: Value) -> (@Sendable () async -> Void)? {
        if put(.value(value)) { return nil }
        return { [putLater] in await putLater(.value(value)) }
    }

    func end() {
        if put(.end) { return }
        Task { [putLater] in await putLater(.end) }
    }
}

extension FlowCore {
    /// Gives a value to subscribers. If one of them has no room, the wave waits for it.
    @usableFromInline
    func tell<Value>(_ subscribers: [FlowSubscriber<Value>], _ value: Value) {
        for subscriber in subscribers {
            guard let later = subscriber.give(value) else { continue }
            start(
                FlowJob(position: 0, isOnMainActor: false) {
                    await later()
                    return {}
                }
            )
        }
    }
}

/// The values of a store, as an asynchronous sequence.
///
/// ```swift
/// for await total in cell.values {
///     print(total)
/// }
/// ```
///
/// The sequence begins when it is made, not when the loop begins: no value sent afterwards is missed. By default
/// nothing is lost, however slow the consumer is; see ``FlowBuffering``. When its graph is finished, cancelled or gone,
/// the sequence ends after the values that were there before; for a consumer whose task is cancelled, it ends at once.
/// It doesn't keep the graph alive.
///
/// Each sequence gets all values. Several iterators of one sequence share them: each value goes to one of them.
///
/// The alternative is an `AsyncStream` that an ``Outlet`` yields into: it is for one consumer, and has no way to hold
/// the graph back.
public struct FlowValues<Element: Sendable>: AsyncSequence, Sendable {
    /// It never fails.
    public typealias Failure = Never

    /// Shared by all copies of a sequence: tells the graph when it is released.
    private final class Subscription: Sendable {
        let next: FastMolecule<Void, FlowSignal<Element>>
        let dropped: FlowCounter
        let definition: Join
        /// Where the sequence was made: `for await` passes no line on.
        let fileID: StaticString
        let line: UInt
        let unsubscribe: @Sendable () -> Void

        init(
            _ next: FastMolecule<Void, FlowSignal<Element>>,
            _ dropped: FlowCounter,
            _ definition: Join,
            _ fileID: StaticString,
            _ line: UInt,
            unsubscribe: @escaping @Sendable () -> Void
        ) {
            self.next = next
            self.dropped = dropped
            self.definition = definition
            (self.fileID, self.line) = (fileID, line)
            self.unsubscribe = unsubscribe
        }

        deinit {
            definition.deactivate()
            unsubscribe()
        }
    }

    private let subscription: Subscription

    /// How many values were dropped because the consumer was too slow.
    ///
    /// Always zero, except with ``FlowBuffering/latest(_:fileID:line:)``.
    public var dropped: Int { subscription.dropped.value }

    /// Makes an iterator over the values. While it waits, snapshots show the line where the sequence was made.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Takes the values one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// It never fails.
        public typealias Failure = Never

        private let values: FlowValues

        init(_ values: FlowValues) { self.values = values }

        /// The next value, or nil at the end.
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The next value, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // An error means that the task is cancelled.
            let subscription = values.subscription
            let signal = try? await subscription.next(fileID: subscription.fileID, line: subscription.line)
            guard case .value(let value)? = signal else { return nil }
            return value
        }
    }

    /// Subscribes to `node`.
    package init(
        _ handle: FlowHandle<Element>,
        _ buffering: FlowBuffering,
        includesCurrent: Bool,
        name: String,
        fileID: StaticString,
        line: UInt
    ) {
        let (put, next, dropped, definition) = Self.makeBuffer(buffering.policy, name, fileID, line)
        let subscriber = FlowSubscriber(id: FlowScope.nextNumber(), put: put.now, putLater: put.later)
        let id = subscriber.id
        let graph = handle.graph
        let index = handle.node.index
        // Only used by the reaction that has the core, to which the memory belongs.
        let slot = SharedPointer(handle.node.slot!)
        subscription = Subscription(next, dropped, definition, fileID, line) { [weak graph] in
            graph?.post(
                .control { core in
                    if slot.memory.pointee.subscribers.remove(id) { core.changeSubscribers(by: -1) }
                }
            )
        }
        graph.post(
            .control { core in
                core.changeSubscribers(by: 1)
                slot.memory.pointee.subscribers.insert(subscriber)
                core.listen(to: index)
                if includesCurrent, let current = slot.memory.pointee.current { core.tell([subscriber], current) }
                if slot.memory.pointee.isFinished { subscriber.end() }
            }
        )
    }

    private typealias Put = (
        now: @Sendable (FlowSignal<Element>) -> Bool, later: @Sendable (FlowSignal<Element>) async -> Void
    )

    private typealias Buffer = (Put, FastMolecule<Void, FlowSignal<Element>>, FlowCounter, Join)

    /// The chemistry in which values wait.
    private static func makeBuffer(
        _ policy: FlowBuffering.Policy,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Buffer {
        switch policy {
        case .unbounded: makeUnboundedBuffer(name, fileID, line)
        case .suspending(let count): makeSuspendingBuffer(count, name, fileID, line)
        case .latest(let count): makeBuffer(ofLatest: count, name, fileID, line)
        }
    }

    private static func makeUnboundedBuffer(_ name: String, _ fileID: StaticString, _ line: UInt) -> Buffer {
        let (put, next, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let put = join.slow("put", of: FlowSignal<Element>.self, order: .oldestFirst)
            let next = join.fast("next", returning: FlowSignal<Element>.self, order: .oldestFirst)
            join.answer(next, with: put) { _, signal in
                if case .end = signal { put(.end) }
                return signal
            }
            return (put, next, join.definition)
        }
        return (alwaysPutting(put), next, FlowCounter(), definition)
    }

    private static func makeSuspendingBuffer(
        _ count: Int,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Buffer {
        let (put, next, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let put = join.bounded("put", of: FlowSignal<Element>.self, capacity: count, order: .oldestFirst)
            let next = join.fast("next", returning: FlowSignal<Element>.self, order: .oldestFirst)
            join.answer(next, with: put) { _, signal in
                if case .end = signal { _ = put.tryInject(.end) }
                return signal
            }
            return (put, next, join.definition)
        }
        let later: @Sendable (FlowSignal<Element>) async -> Void = {
            try? await put.inject($0, fileID: fileID, line: line)
        }
        return (({ put.tryInject($0) }, later), next, FlowCounter(), definition)
    }

    private static func makeBuffer(
        ofLatest count: Int,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Buffer {
        let dropped = FlowCounter()
        let (put, next, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let put = join.slow("put", of: FlowSignal<Element>.self, order: .oldestFirst)
            let next = join.fast("next", returning: FlowSignal<Element>.self, order: .oldestFirst)
            let ready = join.slow("ready")
            let buffer = join.state("buffer", FIFO<Element>())
            let isEnded = join.state("isEnded", false)
            join.when(put, updating: buffer, isEnded) { buffer, isEnded, signal in
                switch signal {
                case .value(let value):
                    buffer.append(value)
                    if buffer.count > count {
                        _ = buffer.popFirst()
                        dropped.increment()
                    } else {
                        ready()
                    }
                case .end:
                    if !isEnded { ready() }
                    isEnded = true
                }
            }
            join.answer(next, with: ready, updating: buffer) { buffer, _, _ in
                if let value = buffer.popFirst() { return .value(value) }
                ready()
                return .end
            }
            return (put, next, join.definition)
        }
        return (alwaysPutting(put), next, dropped, definition)
    }

    /// Puts values where there is always room.
    private static func alwaysPutting(_ put: SlowMolecule<FlowSignal<Element>>) -> Put {
        let now: @Sendable (FlowSignal<Element>) -> Bool = {
            put($0)
            return true
        }
        return (now, { put($0) })
    }
}

/// A counter for any thread.
final class FlowCounter: Sendable {
    private let count = Atomic(0)

    func increment() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

@available(*, unavailable)
extension FlowValues.AsyncIterator: Sendable {}
