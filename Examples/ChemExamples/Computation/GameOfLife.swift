import ChemActors

/// Conway's Game of Life with one reaction for each cell. The world is a torus: its edges meet.
///
///     own(c) & from1(n) & … & from8(n) → own, and one molecule to each of the eight neighbours, for the next generation
///
/// for each cell: nine molecules of its own, of which eight come from the neighbours. There is no clock, and no step in
/// which all cells change: a cell goes on as soon as its neighbours have told it. One may be a generation ahead of the
/// next, so what comes from a neighbour is taken oldest first.
enum Life {
    /// A world, row by row.
    struct World: Sendable, Equatable {
        let width: Int
        let height: Int
        var cells: [Bool]

        init(width: Int, height: Int, cells: [Bool]) {
            precondition(cells.count == width * height)
            self.width = width
            self.height = height
            self.cells = cells
        }

        /// Where the eight neighbours of a cell are; the opposite of direction d is 7 - d.
        static let directions = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]

        func neighbour(of cell: Int, _ direction: Int) -> Int {
            let (dx, dy) = Self.directions[direction]
            return (cell / width + dy + height) % height * width + (cell % width + dx + width) % width
        }

        /// The next generation as everybody computes it.
        var next: World {
            var world = self
            for cell in cells.indices {
                let alive = (0..<8).count { cells[neighbour(of: cell, $0)] }
                world.cells[cell] = Life.lives(cells[cell], alive)
            }
            return world
        }

        /// The picture: two rows of cells in each line.
        var lines: [String] {
            stride(from: 0, to: height, by: 2).map { row in
                String(
                    (0..<width).map { column -> Character in
                        let upper = cells[row * width + column]
                        let lower = row + 1 < height && cells[(row + 1) * width + column]
                        return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
                    }
                )
            }
        }
    }

    /// What a cell tells about itself.
    struct Cell: Sendable {
        let generation: Int
        let isAlive: Bool
    }

    /// Whether a cell lives in the next generation.
    static func lives(_ isAlive: Bool, _ neighbours: Int) -> Bool { neighbours == 3 || isAlive && neighbours == 2 }

    static func define(_ world: World, generations: Int, witness: Witness<LifeLedger>) -> Join {
        Join.define("life") { join in
            let cells = world.cells.indices
            let own = cells.map { join.slow("own \($0)", of: Cell.self) }
            // from[cell][direction] comes from the neighbour in that direction.
            let from = cells.map { cell in
                (0..<8).map { join.slow("from \(cell) \($0)", of: Bool.self, order: .oldestFirst) }
            }
            // to[cell][direction] goes to the neighbour in that direction, to whom this cell is in the opposite one.
            let to = cells.map { cell in (0..<8).map { from[world.neighbour(of: cell, $0)][7 - $0] } }

            for cell in cells {
                let (n, mine, neighbours) = (from[cell], own[cell], to[cell])
                join.when(
                    mine,
                    n[0],
                    n[1],
                    n[2],
                    n[3],
                    n[4],
                    n[5],
                    n[6],
                    n[7]
                ) { state, a, b, c, d, e, f, g, h in
                    let alive = [a, b, c, d, e, f, g, h].count { $0 }
                    let next = Cell(generation: state.generation + 1, isAlive: lives(state.isAlive, alive))
                    witness.saw(LifeLedger.Report(index: cell, cell: next))
                    guard next.generation < generations else { return }
                    for neighbour in neighbours { neighbour(next.isAlive) }
                    // Last: with it the cell may go on in another worker, whose news must not overtake these.
                    mine(next)
                }
            }

            for (cell, isAlive) in world.cells.enumerated() {
                own[cell](Cell(generation: 0, isAlive: isAlive))
                for neighbour in to[cell] { neighbour(isAlive) }
            }
            return join.definition
        }
    }
}

/// The generations as the cells tell them, compared with those that a plain implementation computes.
struct LifeLedger: Ledger {
    struct Report: Sendable {
        let index: Int
        let cell: Life.Cell
    }

    /// The generations so far, the first one included.
    private(set) var worlds: [Life.World]
    private var reports = [0]
    private var expected: [Life.World]
    private var steps = Invariant("a cell is as in a plain implementation")
    private var order = Invariant("a cell's generations follow each other")
    private var last: [Int]

    init(_ world: Life.World, generations: Int) {
        worlds = [world]
        expected = [world]
        last = Array(repeating: 0, count: world.cells.count)
        for _ in 0..<generations { expected.append(expected[expected.count - 1].next) }
    }

    mutating func record(_ report: Report) {
        let (index, generation) = (report.index, report.cell.generation)
        order.look(last[index] + 1 == generation ? nil : "cell \(index): \(last[index]), \(generation)")
        last[index] = generation
        guard generation < expected.count else { return steps.look("cell \(index) goes on to \(generation)") }
        while worlds.count <= generation {
            worlds.append(worlds[0])
            reports.append(0)
        }
        worlds[generation].cells[index] = report.cell.isAlive
        reports[generation] += 1
        let isRight = expected[generation].cells[index] == report.cell.isAlive
        steps.look(isRight ? nil : "cell \(index) in generation \(generation)")
    }

    var checks: [Check] {
        let complete = reports.dropFirst().count { $0 == last.count }
        return [
            steps.check, order.check,
            Check("generations of all \(last.count) cells", complete, is: expected.count - 1),
        ]
    }
}

extension Gallery {
    static let life = Example(
        "life",
        "Game of Life: one reaction for each cell, and no clock",
        from: "Conway; Chymyst"
    ) { stage, screen, machine in
        let (width, height) = (stage.pick(full: 40, small: 8), stage.pick(full: 24, small: 6))
        let generations = stage.pick(full: 100, small: 5)
        var numbers = SeededNumbers(seed: stage.seed)
        let cells = (0..<width * height).map { _ in Int.random(in: 0..<10, using: &numbers) < 3 }
        let world = Life.World(width: width, height: height, cells: cells)

        let witness = Witness(LifeLedger(world, generations: generations))
        let definition = Life.define(world, generations: generations, witness: witness)
        try await definition.quiescence()
        try await machine.quiescence()
        let ledger = try await witness.account()
        if stage.isWatched && screen.style == .inPlace {
            for (number, world) in ledger.worlds.enumerated() {
                screen.show(["generation \(number)"] + world.lines)
                try await Task.sleep(for: .milliseconds(60))
            }
            screen.leave(["generation \(generations)"] + (ledger.worlds.last?.lines ?? []))
        }
        return ledger.checks
    }
}
