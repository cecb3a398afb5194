public import ChemActors

/// A queue whose most urgent element is taken first, and whose takers can wait for an element.
///
/// ```swift
/// let jobs = PriorityQueue<Int, Job>()
/// jobs.put(backup, priority: 1)    // synchronous, never waits
/// jobs.put(alarm, priority: 9)
/// let job = try await jobs.take()    // alarm
/// ```
///
/// The highest priority is taken first; among equals, the element that was put first. A take always considers every
/// element that the same task has put before. Waiting callers are served oldest first. A call that is cancelled while
/// it waits has taken nothing.
///
/// Elements of low priority starve while there are more urgent ones. If all are equally urgent, use a ``JoinChannel``,
/// which can hold its senders back. If no task waits for elements, a heap in an actor is enough.
///
/// - Complexity: O(log *n*) to put and take an element, with *n* elements in the queue.
public struct PriorityQueue<Priority: Comparable & Sendable, Element: Sendable>: Exportable {
    /// Takes the most urgent element, as soon as there is one.
    ///
    /// `try await queue.take()` waits; `try await queue.take(within: .seconds(1))` waits for at most a second. If it
    /// throws `CancellationError`, or `CallError` because the time is up, nothing was taken.
    public let take: FastMolecule<Void, Element>

    private let item: SlowMolecule<Item>

    fileprivate enum Item: Sendable {
        case entry(PriorityHeap<Priority, Element>.Entry)
        /// The heap isn't empty.
        case more
        /// What has been put before a take began lies before it.
        case mark
    }

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - name: What the queue is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(name: String = "priorityQueue", fileID: StaticString = #fileID, line: UInt = #line) {
        (take, item) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let heap = join.state("heap", PriorityHeap<Priority, Element>())
            let item = join.slow("item", of: Item.self, order: .oldestFirst)
            let take = join.fast("take", returning: Element.self, order: .oldestFirst)
            let another = join.fast("another", returning: Item.self)

            // New elements stay in the soup until a caller takes one: then all of them go into the heap.
            join.answer(another, with: item) { _, item in item }
            join.answer(take, with: item, updating: heap) { heap, _, first in
                heap.insert(first)
                if let second = try another.tryCall() {
                    heap.insert(second)
                    // Others may put faster than this takes out.
                    item(.mark)
                    while let next = try another.tryCall() {
                        if case .mark = next { break }
                        heap.insert(next)
                    }
                }
                let element = heap.removeHighest()
                if !heap.isEmpty { item(.more) }
                return element
            }
            return (take, item)
        }
    }

    private init(take: FastMolecule<Void, Element>, item: SlowMolecule<Item>) {
        self.take = take
        self.item = item
    }

    /// Puts `element` into the queue. Never waits, and works in synchronous code.
    ///
    /// - Parameters:
    ///   - element: What to put.
    ///   - priority: How urgent it is: the highest priority is taken first.
    public func put(_ element: Element, priority: Priority) {
        item(.entry(PriorityHeap.Entry(priority: priority, element: element)))
    }

    /// The same queue, kept alive by this value.
    public var exported: PriorityQueue { PriorityQueue(take: take.exported, item: item.exported) }
}

extension PriorityHeap {
    fileprivate mutating func insert(_ item: PriorityQueue<Priority, Element>.Item) {
        if case .entry(let entry) = item { insert(entry) }
    }
}
