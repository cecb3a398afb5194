/// First in, first out: appending and taking the first cost constant time on average.
@usableFromInline
struct FlowQueue<Element> {
    @usableFromInline var elements: ContiguousArray<Element?> = []
    /// Where the first element lies; what is before it has been taken.
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable var count: Int { elements.count - head }
    @inlinable var isEmpty: Bool { elements.count == head }

    @inlinable
    mutating func append(_ element: Element) { elements.append(element) }

    @inlinable
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeSubrange(..<head)
            head = 0
        }
        return first
    }

    /// The element that is `index` places behind the first one.
    @inlinable
    subscript(index: Int) -> Element { elements[head + index].unsafelyUnwrapped }
}

extension FlowQueue: Sendable where Element: Sendable {}

/// The values of a zipped input that wait for their partners. Counted in the wave, for the statistics.
@usableFromInline
struct FlowZipQueue<Element> {
    @usableFromInline var values = FlowQueue<Element>()
    @usableFromInline let wave: UnsafeMutablePointer<FlowWave>
    /// Whether no more values will come.
    @usableFromInline var isClosed = false

    @inlinable
    init(_ wave: UnsafeMutablePointer<FlowWave>) { self.wave = wave }

    @inlinable var count: Int { values.count }
    @inlinable var isEmpty: Bool { values.isEmpty }

    @inlinable
    mutating func append(_ element: Element) {
        values.append(element)
        wave.pointee.surplus &+= 1
    }

    @inlinable
    mutating func popFirst() -> Element? {
        guard let first = values.popFirst() else { return nil }
        wave.pointee.surplus &-= 1
        if isClosed, values.isEmpty { wave.pointee.isZipDrained = true }
        return first
    }

    /// Drops all values.
    @inlinable
    mutating func removeAll() {
        while popFirst() != nil {}
    }
}
