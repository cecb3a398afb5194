/// A binary heap with the highest priority on top; among equals, the one that was inserted first.
struct PriorityHeap<Priority: Comparable & Sendable, Element: Sendable>: Sendable {
    struct Entry: Sendable {
        let priority: Priority
        let element: Element
        /// Its insertion number.
        fileprivate var number = 0

        init(priority: Priority, element: Element) {
            self.priority = priority
            self.element = element
        }

        fileprivate func goesBefore(_ other: Entry) -> Bool {
            if priority > other.priority { return true }
            if priority < other.priority { return false }
            if priority == other.priority { return number < other.number }
            // One of them can't be compared, such as a NaN.
            let (isOrdered, otherIsOrdered) = (priority == priority, other.priority == other.priority)
            return isOrdered == otherIsOrdered ? number < other.number : isOrdered
        }
    }

    private var entries: [Entry] = []
    private var lastNumber = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(_ entry: Entry) {
        var entry = entry
        lastNumber += 1
        entry.number = lastNumber
        entries.append(entry)
        var child = entries.count - 1
        while child > 0, entries[child].goesBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the element with the highest priority. The heap must not be empty.
    mutating func removeHighest() -> Element {
        entries.swapAt(0, entries.count - 1)
        let highest = entries.removeLast()
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].goesBefore(entries[first]) {
                first = child
            }
            if first == parent { return highest.element }
            entries.swapAt(parent, first)
            parent = first
        }
    }
}
