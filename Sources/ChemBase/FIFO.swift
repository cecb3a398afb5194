/// A queue: what came first leaves first. Each operation is O(1), amortised, and what has left is kept by nobody.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: ContiguousArray<Element?> = []
    /// Where the first element lies; what is before it has left.
    @usableFromInline var head = 0

    @inlinable
    package init() {}

    @inlinable package var count: Int { elements.count - head }
    @inlinable package var isEmpty: Bool { elements.count == head }

    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Puts `others` before all that is there.
    ///
    /// - Complexity: O(n), n being how many there are then.
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
            // The memory stays for those that come next, unless it is much.
            elements.removeAll(keepingCapacity: elements.capacity <= 1_024)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeSubrange(..<head)
            head = 0
        }
        return first
    }

    /// Takes out all elements, the first one at the front.
    @inlinable
    package mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return elements[head...].compactMap { $0 }
    }

    /// The element that is `index` places behind the first one.
    @inlinable
    package subscript(index: Int) -> Element { elements[head + index].unsafelyUnwrapped }
}

extension FIFO: Sendable where Element: Sendable {}
