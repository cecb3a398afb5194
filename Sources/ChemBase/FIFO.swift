/// A first-in, first-out queue. Operations are O(1) amortised unless noted, and it doesn't keep what has left.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: ContiguousArray<Element?> = []
    /// The index of the first element. What was before it has left.
    @usableFromInline var head = 0

    @inlinable
    package init() {}

    @inlinable package var count: Int { elements.count - head }
    @inlinable package var isEmpty: Bool { elements.count == head }
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Inserts `others` before the first element.
    ///
    /// - Complexity: O(n), where n is the resulting number of elements.
    @inlinable
    package mutating func prepend(contentsOf others: some Collection<Element>) {
        elements.replaceSubrange(..<head, with: others.map { $0 as Element? })
        head = 0
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head].take()
        head += 1
        if head == elements.count {
            // Keep the memory for the next elements, unless it is large.
            elements.removeAll(keepingCapacity: elements.capacity <= 1_024)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeSubrange(..<head)
            head = 0
        }
        return first
    }

    /// Takes out all elements, in order.
    ///
    /// - Complexity: O(n).
    @inlinable
    package mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return elements[head...].compactMap { $0 }
    }

    /// The element `index` places behind the first one.
    @inlinable
    package subscript(index: Int) -> Element { elements[head + index].unsafelyUnwrapped }
}

extension FIFO: Sendable where Element: Sendable {}
