/// A listener of a node. Those with smaller numbers are told first.
protocol FlowListener {
    var id: Int { get }
}

extension FlowReceiver: FlowListener {}
extension FlowSubscriber: FlowListener {}

/// Listeners in the order of their numbers.
extension Array where Element: FlowListener {
    /// How many have a smaller number.
    ///
    /// - Complexity: O(log n).
    private func count(before id: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insert(_ listener: Element) { insert(listener, at: count(before: listener.id)) }

    /// - Returns: whether it was there.
    mutating func remove(_ id: Int) -> Bool {
        let place = count(before: id)
        guard place < count, self[place].id == id else { return false }
        remove(at: place)
        return true
    }
}
