public import Testing

/// Fails the test if no order of the operations in `history` explains what the clients got.
///
/// The order has to put an operation that was over before another one began before that one, and the model, beginning
/// with `model`, has to give each client what it got. (Herlihy and Wing, 1990: the object is *linearizable*.)
///
/// - Parameters:
///   - history: What happened.
///   - model: The state in the beginning.
///   - sourceLocation: Where a failure is reported.
/// - Complexity: exponential in the number of operations that overlap, at worst, and linear in all else. States that
///   were reached before aren't tried again (Lowe, 2017). An operation that has thrown may have had its effect or not,
///   at any time since it began: it overlaps with all that begin later. Those that are equal, if their type is
///   `Hashable`, count as one; and it is tried first with few of them.
public func expectLinearizable<Model: SequentialModel>(
    _ history: History<Model>,
    from model: Model,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !history.isLinearizable(from: model) else { return }
    Issue.record("\(unexplained(history.entries, from: model))", sourceLocation: sourceLocation)
}

/// Says of a history that no order explains it. Of a long one, shows what is near the first operation that can't be
/// explained.
func unexplained<Model: SequentialModel>(_ entries: [History<Model>.Entry], from model: Model) -> String {
    let sentence = "no order explains what the clients got"
    let most = 40
    guard entries.count > most else { return "\(sentence):\n\(drawn(entries))" }
    var search = Linearization<Model>(entries)
    _ = search.exists(from: model)
    let shown = search.unexplained(most)
    return "\(sentence); \(shown.count) of \(entries.count) operations:\n\(drawn(shown))"
}

/// The operations, each with a line from its begin to its end.
func drawn<Model: SequentialModel>(_ entries: [History<Model>.Entry]) -> String {
    // The first begins at 1.
    let first = (entries.map(\.begin).min() ?? 1) - 1
    let last = entries.reduce(first) { max($0, $1.begin, $1.end ?? 0) } + 1
    let texts = entries.map { entry in
        "\(entry.operation)" + (entry.result.map { " → \($0)" } ?? (entry.end == nil ? " …" : ""))
    }
    let width = texts.reduce(0) { max($0, $1.count) }
    return zip(entries, texts).map { entry, text in
        let end = entry.end ?? last
        let line = "├" + String(repeating: "─", count: end - entry.begin - 1) + (entry.end == nil ? "…" : "┤")
        return text + String(repeating: " ", count: width - text.count + entry.begin - first) + line
    }.joined(separator: "\n")
}

/// Looks for an order of operations that a model explains: Wing and Gong's search, with Lowe's memory.
///
/// The begins and ends of all operations that aren't in the order yet are a linked list, from which an operation is
/// taken when it gets its place, and to which it returns when it loses that. So an operation that overlaps with none
/// costs the same in a history of any length.
struct Linearization<Model: SequentialModel> {
    /// Which operations are in the order: of those that have ended the first few by their begins, and others; and those
    /// that haven't. One that hasn't ended may be left out, and those behind it mustn't be others for ever.
    private struct Done: Hashable {
        var first = 0
        /// In ascending order, as are the next.
        var others: [Int] = []
        var pending: [Int] = []

        mutating func insertPending(_ operation: Int) {
            pending.insert(operation, at: pending.firstIndex { $0 > operation } ?? pending.count)
        }

        mutating func removePending(_ operation: Int) { pending.removeAll { $0 == operation } }

        mutating func insert(_ operation: Int) {
            guard operation == first else {
                return others.insert(operation, at: others.firstIndex { $0 > operation } ?? others.count)
            }
            first += 1
            while others.first == first {
                others.removeFirst()
                first += 1
            }
        }

        mutating func remove(_ operation: Int) {
            guard operation < first else { return others.removeAll { $0 == operation } }
            others = Array(operation + 1..<first) + others
            first = operation
        }
    }

    private struct Place: Hashable {
        let done: Done
        let model: Model
    }

    /// An operation begins or ends.
    private struct Event {
        let operation: Int
        let isEnd: Bool
        var previous: Int
        var next: Int
    }

    /// In the order of their begins.
    let entries: [History<Model>.Entry]
    /// The number of each operation among those that have ended.
    private let numbers: [Int]
    /// How many of these were explained at once.
    private(set) var explainedCount = 0
    /// In a circle, with one that is nothing at 0.
    private var events: [Event]
    /// Where the begin and the end of each operation are among the events.
    private var places: [(begin: Int, end: Int?)]
    private var done = Done()
    /// For each operation that hasn't ended the one before it that is equal.
    private let twins: [Int?]
    /// Whether one didn't get a place since there were so many already.
    private var wasLimited = false
    private var pendingCount: Int { entries.count { $0.end == nil } }

    init(_ entries: [History<Model>.Entry]) {
        self.entries = entries.sorted { $0.begin < $1.begin }
        var ended = 0
        numbers = self.entries.map { entry in
            defer { if entry.end != nil { ended += 1 } }
            return ended
        }
        twins = twinsOfPending(self.entries)
        var times: [(time: Int, operation: Int, isEnd: Bool)] = []
        for (index, entry) in self.entries.enumerated() {
            times.append((entry.begin, index, false))
            if let end = entry.end { times.append((end, index, true)) }
        }
        times.sort { $0.time < $1.time }
        events = [Event(operation: -1, isEnd: false, previous: 0, next: 0)]
        places = Array(repeating: (0, nil), count: entries.count)
        for (index, time) in times.enumerated() {
            events.append(Event(operation: time.operation, isEnd: time.isEnd, previous: 0, next: 0))
            if time.isEnd { places[time.operation].end = index + 1 } else { places[time.operation].begin = index + 1 }
        }
        relinkAll()
    }

    /// Has all events stand in the circle.
    private mutating func relinkAll() {
        for index in events.indices {
            events[index].previous = index == 0 ? events.count - 1 : index - 1
            events[index].next = index + 1 == events.count ? 0 : index + 1
        }
    }

    /// - Complexity: exponential in the number of operations that overlap, and linear in all else.
    mutating func exists(from model: Model) -> Bool {
        // Most of those that haven't ended have had no effect.
        for limit in 0...pendingCount {
            wasLimited = false
            if exists(from: model, pending: limit) { return true }
            if !wasLimited { return false }
        }
        return false
    }

    /// Whether there is an order with so many at most of the operations that haven't ended.
    private mutating func exists(from model: Model, pending limit: Int) -> Bool {
        done = Done()
        var model = model
        defer { relinkAll() }
        var order: [(operation: Int, before: Model)] = []
        var seen: Set<Place> = []
        // Whatever hasn't ended may be left out.
        var left = entries.count { $0.end != nil }
        var event = events[0].next
        while left > 0 {
            if event != 0, !events[event].isEnd {
                let operation = events[event].operation
                if mayBeNext(operation, limit), let next = explained(operation, in: model) {
                    place(operation)
                    if seen.insert(Place(done: done, model: next)).inserted {
                        order.append((operation, model))
                        model = next
                        unlink(operation)
                        if entries[operation].end != nil { left -= 1 }
                        event = events[0].next
                        continue
                    }
                    displace(operation)
                }
                event = events[event].next
            } else {
                // What has ended comes before all that begins later, so another one has to give up its place.
                guard let (operation, before) = order.popLast() else { return false }
                displace(operation)
                model = before
                relink(operation)
                if entries[operation].end != nil { left += 1 }
                event = events[places[operation].begin].next
            }
        }
        return true
    }

    /// Whether an operation may get a place: one that hasn't ended only if there is room for it, and if those that are
    /// equal and began earlier have theirs.
    private mutating func mayBeNext(_ operation: Int, _ limit: Int) -> Bool {
        guard entries[operation].end == nil else { return true }
        guard twins[operation].map({ done.pending.contains($0) }) ?? true else { return false }
        if done.pending.count == limit { wasLimited = true }
        return done.pending.count < limit
    }

    private mutating func place(_ operation: Int) {
        guard entries[operation].end != nil else { return done.insertPending(operation) }
        done.insert(numbers[operation])
        explainedCount = max(explainedCount, done.first)
    }

    private mutating func displace(_ operation: Int) {
        if entries[operation].end == nil { done.removePending(operation) } else { done.remove(numbers[operation]) }
    }

    /// The operations about the first that no order explains.
    func unexplained(_ count: Int) -> [History<Model>.Entry] {
        let index = entries.indices.first { entries[$0].end != nil && numbers[$0] == explainedCount } ?? 0
        return Array(entries[max(0, index - count / 2)..<min(entries.count, max(0, index - count / 2) + count)])
    }

    /// The model after the operation, if it gives what the client got.
    private func explained(_ operation: Int, in model: Model) -> Model? {
        var next = model
        guard let result = next.apply(entries[operation].operation) else { return nil }
        return entries[operation].end == nil || result == entries[operation].result ? next : nil
    }

    private mutating func unlink(_ operation: Int) {
        unlink(event: places[operation].begin)
        if let end = places[operation].end { unlink(event: end) }
    }

    /// In the opposite order.
    private mutating func relink(_ operation: Int) {
        if let end = places[operation].end { relink(event: end) }
        relink(event: places[operation].begin)
    }

    private mutating func unlink(event: Int) {
        events[events[event].previous].next = events[event].next
        events[events[event].next].previous = events[event].previous
    }

    private mutating func relink(event: Int) {
        events[events[event].previous].next = event
        events[events[event].next].previous = event
    }
}

/// For each operation that hasn't ended the one before it that is equal, as far as that can be said.
func twinsOfPending<Model: SequentialModel>(_ entries: [History<Model>.Entry]) -> [Int?] {
    var last: [AnyHashable: Int] = [:]
    return entries.indices.map { index in
        guard entries[index].end == nil, let key = entries[index].operation as? AnyHashable else { return nil }
        defer { last[key] = index }
        return last[key]
    }
}
