import ChemActors

/// Map and reduce with an operation for which the order matters: only neighbours react.
///
///     piece(range, x) & piece(range, y), one's end the other's start → piece(both ranges, x + y)
///     whole & result → the answer
///
/// Pieces come in any order, and those that are next to each other are reduced as soon as both are there. The piece
/// that covers everything is a part of its own: `whole`.
enum OrderedReduce {
    /// What has come of the elements of a range.
    struct Piece<Value: Sendable>: Sendable {
        let range: Range<Int>
        let value: Value

        var start: Int { range.lowerBound }
        var end: Int { range.upperBound }
    }

    static func mapReduce<Element: Sendable, Value: Sendable>(
        _ elements: [Element],
        map: @escaping @Sendable (Element) async throws -> Value,
        reduce: @escaping @Sendable (Value, Value) -> Value
    ) async throws -> Value {
        let (begin, result) = Join.define("ordered reduce") { join in
            let begin = join.slow("begin", of: (index: Int, element: Element).self)
            let piece = join.slow("piece", of: Piece<Value>.self)
            let whole = join.part("whole", of: piece) { $0.range == 0..<elements.count }
            let result = join.fast("result", returning: Value.self)

            join.when(begin) { begin in
                let value = try await map(begin.element)
                piece(Piece(range: begin.index..<begin.index + 1, value: value))
            }
            join.when(piece, piece, matching: \.end, \.start) { one, other in
                piece(Piece(range: one.start..<other.end, value: reduce(one.value, other.value)))
            }
            join.answer(result, with: whole) { _, whole in whole.value }
            return (begin, result)
        }
        for (index, element) in elements.enumerated() { begin((index, element)) }
        return try await result()
    }
}

extension Gallery {
    static let orderedReduce = Example(
        "mapreduce",
        "map and reduce where the order matters: neighbours find each other",
        from: "Chymyst"
    ) { stage, _, _ in
        let count = stage.pick(full: 5000, small: 100)
        var numbers = SeededNumbers(seed: stage.seed)
        let words = (0..<count).map { _ in Int.random(in: 0..<1000, using: &numbers) }
        let sentence = try await OrderedReduce.mapReduce(words) { word in
            await Task.yield()
            return "\(word)"
        } reduce: {
            "\($0) \($1)"
        }
        let expected = words.map(String.init).joined(separator: " ")
        return [Check("\(count) words in their order", holds: sentence == expected)]
    }
}
