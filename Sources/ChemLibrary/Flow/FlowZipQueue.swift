public import ChemBase

/// The values of a zipped input that wait for their partners. The wave counts them, for the statistics.
@usableFromInline
package struct FlowZipQueue<Element> {
    @usableFromInline package var values = FIFO<Element>()
    @usableFromInline let wave: UnsafeMutablePointer<FlowWave>
    /// Whether no more values will come.
    @usableFromInline var isClosed = false
    /// Whether a partner has ended, so that nobody will take what still comes.
    @usableFromInline var isOver = false

    @inlinable
    package init(_ wave: UnsafeMutablePointer<FlowWave>) { self.wave = wave }

    @inlinable package var count: Int { values.count }
    @inlinable var isEmpty: Bool { values.isEmpty }

    /// - Returns: whether it is the first that waits.
    @inlinable
    mutating func append(_ element: Element) -> Bool {
        if isOver { return false }
        values.append(element)
        wave.pointee.surplus &+= 1
        return values.count == 1
    }

    @inlinable
    package mutating func popFirst() -> Element? {
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
