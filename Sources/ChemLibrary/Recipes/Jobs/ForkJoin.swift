public import ChemActors

/// Solves a problem by splitting it, solving the parts concurrently, and joining their solutions: divide and conquer.
///
/// ```swift
/// let sorted = try await forkJoin(
///     numbers,
///     split: { $0.count <= 64 ? [] : [Array($0[..<($0.count / 2)]), Array($0[($0.count / 2)...])] },
///     solve: { $0.sorted() },
///     join: { halves in merge(halves[0], halves[1]) }
/// )
/// ```
///
/// No task or thread waits for parts: a node of the tree is an entry in a table until its last part is solved. The
/// bodies are structured child tasks of the caller: they are cancelled with it, and have ended when this returns or
/// throws, and so has what they make, such as channels. This throws the first error.
///
/// For a fixed number of parts, `async let` is enough.
///
/// Source: CocoaJoin's tutorial, on recursive structures of reactions; Lea, "A Java fork/join framework" (2000).
///
/// - Parameters:
///   - problem: The problem to solve.
///   - configuration: The configuration of the machine that runs the bodies.
///   - split: Returns the parts of a problem, or none to solve it as a whole. Parts must be smaller than their problem,
///     or this never ends.
///   - solve: Solves a problem as a whole.
///   - join: Makes the solution of a problem from the solutions of its parts, which are in the order of the parts.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the solution of `problem`.
/// - Throws: the first error of a closure, or `CancellationError`.
/// - Complexity: O(number of parts, of parts of parts, and so on).
nonisolated(nonsending)
    public func forkJoin<Problem: Sendable, Solution: Sendable>(
        _ problem: Problem,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        split: @escaping @Sendable (Problem) throws -> [Problem],
        solve: @escaping @Sendable (Problem) throws -> Solution,
        join: @escaping @Sendable ([Solution]) throws -> Solution,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Solution
{
    try Task.checkCancellation()
    return try await withChemicalMachine(configuration) { _ in
        let (begin, result) = Join.define("forkJoin", fileID: fileID, line: line) { builder in
            builder.isNotKeptByInnerDefinitions()
            builder.endsWhenCleared()
            let table = builder.state("table", ForkTable<Solution>())
            let begin = builder.slow("begin", of: (problem: Problem, place: ForkPlace?).self)
            let fork = builder.slow("fork", of: (parts: [Problem], place: ForkPlace?).self)
            let solved = builder.slow("solved", of: (solution: Solution, place: ForkPlace?).self)
            let joined = builder.slow("joined", of: (solutions: [Solution], place: ForkPlace?).self)
            let outcome = builder.slow("outcome", of: Result<Solution, any Error>.self, order: .oldestFirst)
            let result = builder.fast("result", returning: Solution.self)

            builder.when(begin) { problem, place in
                do {
                    let parts = try split(problem)
                    if parts.isEmpty { solved((try solve(problem), place)) } else { fork((parts, place)) }
                } catch {
                    outcome(.failure(error))
                }
            }
            builder.when(fork, updating: table) { table, node in
                let id = table.add(node.parts.count, node.place)
                begin.inject(
                    contentsOf: node.parts.enumerated().map { ($0.element, ForkPlace(node: id, index: $0.offset)) }
                )
            }
            builder.when(solved, updating: table) { table, part in
                guard let place = part.place else { return outcome(.success(part.solution)) }
                if let node = table.set(part.solution, at: place) { joined(node) }
            }
            builder.when(joined) { solutions, place in
                do {
                    solved((try join(solutions), place))
                } catch {
                    outcome(.failure(error))
                }
            }
            builder.when(result, outcome) { reply, outcome in reply.end(with: outcome) }
            return (begin, result)
        }
        begin((problem, nil))
        return try await result(fileID: fileID, line: line)
    }
}

/// The place of a problem: its node, and the index of its part.
private struct ForkPlace: Sendable {
    let node: Int
    let index: Int
}

/// The nodes whose parts are being solved.
private struct ForkTable<Solution: Sendable>: Sendable {
    private struct Node: Sendable {
        var solutions: [Solution?]
        var missing: Int
        let place: ForkPlace?
    }

    private var nodes: [Int: Node] = [:]
    private var last = 0

    /// Adds a node with `parts` parts, and returns its number.
    mutating func add(_ parts: Int, _ place: ForkPlace?) -> Int {
        last += 1
        nodes[last] = Node(solutions: Array(repeating: nil, count: parts), missing: parts, place: place)
        return last
    }

    /// Stores the solution of a part. If it was the last one, returns all solutions and the place of the node.
    mutating func set(_ solution: Solution, at place: ForkPlace) -> (solutions: [Solution], place: ForkPlace?)? {
        nodes[place.node]?.solutions[place.index] = solution
        nodes[place.node]?.missing -= 1
        guard let node = nodes[place.node], node.missing == 0 else { return nil }
        nodes[place.node] = nil
        return (node.solutions.compactMap(\.self), node.place)
    }
}
