/// An array whose copies share nearly all of their memory, so that it costs little to append to one of them.
///
/// It is for a state with a reader. What such a state commits is a copy, so an array would copy all of its elements at
/// each change.
///
/// The elements stand in blocks, whose sizes are the powers of two that add up to their number, the largest first. To
/// append is to count up by one in binary: the blocks at the end that carry become one with the new element. The others
/// stay where they are, shared with the copies.
struct Chunks<Element> {
    /// The elements, in order. No block is empty, and each is smaller than the one before it.
    private(set) var blocks: [[Element]] = []

    /// All elements, in order.
    ///
    /// - Complexity: O(n), where n is their number.
    var elements: [Element] { blocks.flatMap { $0 } }

    /// Adds an element at the end.
    ///
    /// - Parameter element: The element.
    /// - Complexity: O(log n) amortised, where n is the number of elements, also if there are copies.
    mutating func append(_ element: Element) {
        var size = 1
        var first = blocks.count
        while first > 0, blocks[first - 1].count == size {
            size *= 2
            first -= 1
        }
        var block: [Element] = []
        block.reserveCapacity(size)
        for carried in blocks[first...] { block.append(contentsOf: carried) }
        block.append(element)
        blocks.replaceSubrange(first..., with: CollectionOfOne(block))
    }
}

extension Chunks: Sendable where Element: Sendable {}
