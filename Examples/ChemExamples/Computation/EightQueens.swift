import ChemActors

/// Eight queens on a board, of which none attacks another: each partial board is a molecule, and the soup searches.
///
///     board(queens) → a board for each place that the next queen can take, or solution(queens)
///     solution(queens) & solutions → solutions
///
/// No order of the search is written anywhere, and none is needed. It is over when the soup is quiet.
enum Queens {
    /// - Parameter size: How many queens, and how many rows and columns.
    /// - Returns: the empty board, and all solutions: in each row the column of the queen.
    static func define(
        size: Int
    ) -> (board: SlowMolecule<[Int]>, solutions: FastMolecule<Void, [[Int]]>, definition: Join) {
        let (board, solutions, definition) = Join.define("queens") { join in
            let found = join.state("found", [[Int]]())
            let board = join.slow("board", of: [Int].self)
            let solution = join.slow("solution", of: [Int].self)
            let solutions = join.fast("solutions", returning: [[Int]].self)

            join.when(board) { queens in
                if queens.count == size { return solution(queens) }
                for column in 0..<size where isSafe(column, beside: queens) { board(queens + [column]) }
            }
            join.when(solution, updating: found) { found, queens in found.append(queens) }
            join.answer(solutions, reading: found) { found, _ in found }

            return (board, solutions, join.definition)
        }
        return (board, solutions, definition)
    }

    /// Whether a queen in this column of the next row is attacked by none of `queens`.
    static func isSafe(_ column: Int, beside queens: [Int]) -> Bool {
        queens.enumerated().allSatisfy { row, other in
            other != column && abs(other - column) != queens.count - row
        }
    }

    /// A board as it is drawn.
    static func lines(_ queens: [Int]) -> [String] {
        queens.map { queen in queens.indices.map { $0 == queen ? "♛" : "·" }.joined(separator: " ") }
    }
}

extension Gallery {
    static let queens = Example(
        "queens",
        "eight queens: 92 solutions by a search without an order",
        from: "Bezzel"
    ) { stage, screen, _ in
        var checks: [Check] = []
        for (size, expected) in stage.size == .full ? [(6, 4), (8, 92), (9, 352)] : [(4, 2), (6, 4)] {
            let (board, solutions, definition) = Queens.define(size: size)
            board([])
            try await definition.quiescence()
            let found = try await solutions()
            let right = found.count { queens in
                Set(queens).count == size
                    && (0..<size).allSatisfy { Queens.isSafe(queens[$0], beside: Array(queens[..<$0])) }
            }
            if stage.isWatched, let queens = found.first {
                screen.leave(["\(size) queens, one of \(found.count) ways:"] + Queens.lines(queens).map { "  \($0)" })
            }
            checks.append(Check("different solutions with \(size) queens", Set(found).count, is: expected))
            checks.append(Check("of them right", right, is: expected))
        }
        return checks
    }
}
