/// Values stored under tickets and taken out in the order of their tickets.
///
/// Tickets only grow, so this is the order in which the values came. Repeatable runs depend on it.
struct Ticketed<Value> {
    /// In the order of the tickets. What was taken out leaves its place empty, until most places are.
    private var places: [(ticket: UInt64, value: Value?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// - Complexity: O(log n).
    func contains(_ ticket: UInt64) -> Bool { place(of: ticket).map { places[$0].value != nil } ?? false }

    /// - Complexity: O(1), if no younger ticket was faster.
    mutating func insert(_ value: Value, under ticket: UInt64) {
        var place = places.count
        while place > 0, places[place - 1].ticket > ticket { place -= 1 }
        places.insert((ticket, value), at: place)
        count += 1
    }

    /// - Complexity: O(log n), amortized.
    mutating func remove(_ ticket: UInt64) -> Value? {
        guard let place = place(of: ticket), let value = places[place].value.take() else { return nil }
        count -= 1
        if places.count > 2 * count + 8 { places.removeAll { $0.value == nil } }
        return value
    }

    private func place(of ticket: UInt64) -> Int? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low].ticket == ticket ? low : nil
    }

    /// Takes out all values, the oldest first.
    ///
    /// - Complexity: O(n).
    mutating func removeAll() -> [Value] {
        if places.isEmpty { return [] }
        defer {
            places = []
            count = 0
        }
        return places.compactMap(\.value)
    }

    /// Takes out the values that satisfy `condition`, the oldest first.
    ///
    /// - Complexity: O(n).
    mutating func removeAll(where condition: (Value) -> Bool) -> [Value] {
        let chosen = places.compactMap { $0.value.flatMap { condition($0) ? $0 : nil } }
        if chosen.isEmpty { return [] }
        places.removeAll { $0.value.map(condition) ?? true }
        count = places.count
        return chosen
    }
}
