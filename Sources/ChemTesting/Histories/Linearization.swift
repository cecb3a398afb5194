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
/// - Complexity: exponential in the number of operations that overlap, at worst. States that were reached before aren't
///   tried again (Lowe, 2017).
public func expectLinearizable<Model: SequentialModel>(
    _ history: History<Model>,
    from model: Model,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !history.isLinearizable(from: model) else { return }
    Issue.record("no order explains what the clients got:\n\(drawn(history.entries))", sourceLocation: sourceLocation)
}

/// The operations, each with a line from its begin to its end.
func drawn<Model: SequentialModel>(_ entries: [History<Model>.Entry]) -> String {
    let last = entries.reduce(0) { max($0, $1.begin, $1.end ?? 0) } + 1
    let texts = entries.map { entry in
        "\(entry.operation)" + (entry.result.map { " → \($0)" } ?? (entry.end == nil ? " …" : ""))
    }
    let width = texts.reduce(0) { max($0, $1.count) }
    return zip(entries, texts).map { entry, text in
        let end = entry.end ?? last
        let line = "├" + String(repeating: "─", count: end - entry.begin - 1) + (entry.end == nil ? "…" : "┤")
        return text + String(repeating: " ", count: width - text.count + entry.begin) + line
    }.joined(separator: "\n")
}

/// Looks for an order of operations that a model explains: Wing and Gong's search, with Lowe's memory.
struct Linearization<Model: SequentialModel> {
    private struct Place: Hashable {
        let done: [Bool]
        let model: Model
    }

    private let entries: [History<Model>.Entry]
    private var seen: Set<Place> = []
    private var done: [Bool]

    init(_ entries: [History<Model>.Entry]) {
        self.entries = entries
        done = Array(repeating: false, count: entries.count)
    }

    mutating func exists(from model: Model) -> Bool {
        // Whatever hasn't ended may be left out.
        guard entries.indices.contains(where: { !done[$0] && entries[$0].end != nil }) else { return true }
        guard seen.insert(Place(done: done, model: model)).inserted else { return false }
        // An operation comes next only if none of the others was over before it began.
        let firstEnd = entries.indices.reduce(Int.max) { done[$1] ? $0 : min($0, entries[$1].end ?? .max) }
        for index in entries.indices where !done[index] && entries[index].begin < firstEnd {
            var next = model
            guard let result = next.apply(entries[index].operation) else { continue }
            if entries[index].end != nil, result != entries[index].result { continue }
            done[index] = true
            if exists(from: next) { return true }
            done[index] = false
        }
        return false
    }
}
