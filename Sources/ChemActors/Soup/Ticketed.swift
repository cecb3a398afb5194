/// Values stored under tickets and taken out in the order of their tickets, however a dictionary arranges them.
///
/// Tickets only grow, so this is the order in which the values came. Repeatable runs depend on it.
struct Ticketed<Value> {
    private var values: [UInt64: Value] = [:]

    var isEmpty: Bool { values.isEmpty }
    var count: Int { values.count }

    func contains(_ ticket: UInt64) -> Bool { values[ticket] != nil }

    mutating func insert(_ value: Value, under ticket: UInt64) {
        values[ticket] = value
    }

    /// - Complexity: O(1).
    mutating func remove(_ ticket: UInt64) -> Value? {
        values.removeValue(forKey: ticket)
    }

    /// Takes out all values, the oldest first.
    ///
    /// - Complexity: O(n log n).
    mutating func removeAll() -> [Value] {
        defer { values = [:] }
        return values.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes out the values that satisfy `condition`, the oldest first.
    ///
    /// - Complexity: O(n log n).
    mutating func removeAll(where condition: (Value) -> Bool) -> [Value] {
        let chosen = values.filter { condition($0.value) }.sorted { $0.key < $1.key }
        for (ticket, _) in chosen { values[ticket] = nil }
        return chosen.map(\.value)
    }
}
