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
/// The highest priority is taken first; among equals, the element that was put first. A take considers every element
/// that the same task has put before, unless the machine is paused in the middle of it. Waiting callers are served
/// oldest first. A call that is cancelled while it waits has taken nothing.
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
        /// The heap isn't empty. What has been put before this lies before it.
        case more
    }

    /// What takes have brought into order. At most one `more` is in the soup, and only if the heap isn't empty: each
    /// copy of `item` stands for an element.
    fileprivate struct Sorted: Sendable {
        var heap = PriorityHeap<Priority, Element>()
        var hasMore = false
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
            let sorted = join.state("heap", Sorted())
            let item = join.slow("item", of: Item.self, order: .oldestFirst)
            let take = join.fast("take", returning: Element.self, order: .oldestFirst)
            let another = join.fast("another", returning: Item.self)

            // New elements stay in the soup until a caller takes one: then all of them go into the heap.
            join.answer(another, with: item) { _, item in item }
            join.answer(take, with: item, updating: sorted) { sorted, _, first in
                sorted.insert(first)
                if let second = try another.tryCall() {
                    sorted.insert(second)
                    // Others may put faster than this takes out: it stops at a mark of its own.
                    var hasMarked = false
                    while true {
                        if !sorted.hasMore {
                            if hasMarked { break }
                            hasMarked = true
                            sorted.hasMore = true
                            item(.more)
                        }
                        guard let next = try another.tryCall() else { break }
                        sorted.insert(next)
                    }
                }
                let element = sorted.heap.removeHighest()
                if !sorted.heap.isEmpty, !sorted.hasMore {
                    sorted.hasMore = true
                    item(.more)
                }
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
    ///   - priority: How urgent it is: the highest priority is taken first, and one that doesn't equal itself, such as a
    ///     NaN, last.
    public func put(_ element: Element, priority: Priority) {
        item(.entry(PriorityHeap.Entry(priority: priority, element: element)))
    }

    /// The same queue, kept alive by this value.
    public var exported: PriorityQueue { PriorityQueue(take: take.exported, item: item.exported) }
}

extension PriorityQueue.Sorted {
    fileprivate mutating func insert(_ item: PriorityQueue<Priority, Element>.Item) {
        switch item {
        case .entry(let entry): heap.insert(entry)
        case .more: hasMore = false
        }
    }
}
