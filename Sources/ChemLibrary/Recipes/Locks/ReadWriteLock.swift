public import ChemActors
import ChemBase

/// A fair lock that readers share and writers hold exclusively, even across `await`.
///
/// ```swift
/// let index = ReadWriteLock()
/// let hits = try await index.withReadLock { try await search(word) }    // beside other readers
/// try await index.withWriteLock { try await rebuild() }                 // alone
/// ```
///
/// It is fair: tasks enter in the order in which they asked, so neither readers nor writers starve. A reader that comes
/// while a writer waits queues behind it. You can limit how many readers, and how many writers, may be inside together;
/// readers and writers are never inside together.
///
/// It guards something outside memory: a file, a database, an index of files. For a value in memory, readers need no
/// lock in chemistry: a `StateReader` gives them the last committed value. If nothing suspends inside,
/// `pthread_rwlock_t` is faster.
///
/// A reader that asks for a lock of either kind while it already holds one may wait forever.
///
/// Source: A. B. Downey, The Little Book of Semaphores, no-starve readers-writers.
public struct ReadWriteLock: Exportable {
    /// The task that has the turn enters next; the others wait behind it, oldest first.
    private let turn: FastMolecule<Void, Void>
    private let turnIsOver: SlowMolecule<Void>
    private let read: Side
    private let write: Side

    /// Readers, or writers.
    private struct Side: Exportable {
        let enter: FastMolecule<Void, Void>
        let leave: SlowMolecule<Void>

        var exported: Side { Side(enter: enter.exported, leave: leave.exported) }
    }

    /// Creates a free lock.
    ///
    /// - Parameters:
    ///   - readers: How many readers may be inside together, at least 1.
    ///   - writers: How many writers may be inside together, at least 1; usually one.
    ///   - name: What the lock is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(
        readers: Int = .max,
        writers: Int = 1,
        name: String = "readWriteLock",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        demand(readers >= 1, "a lock can't have \(readers) readers", fileID, line)
        demand(writers >= 1, "a lock can't have \(writers) writers", fileID, line)
        (turn, turnIsOver, read, write) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let turn = join.fast("turn", order: .oldestFirst)
            let nextTurn = join.slow("nextTurn")
            let nobody = join.slow("nobody")

            join.answer(turn, with: nextTurn) { _, _ in }
            let read = Self.addSide("read", limit: readers, nobody, to: &join)
            let write = Self.addSide("write", limit: writers, nobody, to: &join)

            nextTurn()
            nobody()
            return (turn, nextTurn, read, write)
        }
    }

    /// Exactly one of these is always present: `nobody`, `some` of one side, or `full` of one side.
    private static func addSide(
        _ name: String,
        limit: Int,
        _ nobody: SlowMolecule<Void>,
        to join: inout Join.Builder
    ) -> Side {
        let enter = join.fast("\(name).enter", order: .oldestFirst)
        let leave = join.slow("\(name).leave")
        let some = join.slow("\(name).some", of: Int.self)
        let full = join.slow("\(name).full", of: Int.self)
        let inside: @Sendable (Int) -> Void = { count in
            if count == 0 { nobody() } else if count < limit { some(count) } else { full(count) }
        }
        join.answer(enter, with: nobody) { _, _ in inside(1) }
        join.answer(enter, with: some) { _, count in inside(count + 1) }
        join.when(leave, some) { _, count in inside(count - 1) }
        join.when(leave, full) { _, count in inside(count - 1) }
        return Side(enter: enter, leave: leave)
    }

    private init(
        turn: FastMolecule<Void, Void>,
        turnIsOver: SlowMolecule<Void>,
        read: Side,
        write: Side
    ) {
        self.turn = turn
        self.turnIsOver = turnIsOver
        self.read = read
        self.write = write
    }

    /// Runs `body` alongside other readers, while no writer is inside.
    ///
    /// The body runs in the calling task, in the caller's isolation.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: What to do inside.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` if the task was cancelled while it waited; then `body` hasn't
    ///   run.
    nonisolated(nonsending) public func withReadLock<Result>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await enter(read, fileID, line)
        defer { read.leave() }
        return try await body()
    }

    /// Runs `body` while no reader is inside and, by default, no other writer.
    ///
    /// The body runs in the calling task, in the caller's isolation.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: What to do inside.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` if the task was cancelled while it waited; then `body` hasn't
    ///   run.
    nonisolated(nonsending) public func withWriteLock<Result>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await enter(write, fileID, line)
        defer { write.leave() }
        return try await body()
    }

    nonisolated(nonsending) private func enter(_ side: Side, _ fileID: StaticString, _ line: UInt) async throws {
        try await turn(fileID: fileID, line: line)
        defer { turnIsOver() }
        try await side.enter(fileID: fileID, line: line)
    }

    /// The same lock, kept alive by this value.
    public var exported: ReadWriteLock {
        ReadWriteLock(turn: turn.exported, turnIsOver: turnIsOver.exported, read: read.exported, write: write.exported)
    }
}
