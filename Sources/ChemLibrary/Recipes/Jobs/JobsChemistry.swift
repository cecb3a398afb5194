public import ChemActors

/// The chemistry behind `runAll` and its relatives: CocoaJoin's `begin`, `done` and `remain`.
///
/// `begin` carries the index of a job, and `done` or `failed` its outcome. The state `tally` is CocoaJoin's `remain`:
/// the outcomes up to now, and how many jobs have ended.
@usableFromInline
enum JobsChemistry<Value: Sendable> {
    @usableFromInline typealias Outcome = Result<Value, any Error>
    @usableFromInline typealias Progress = @Sendable (_ ended: Int, _ total: Int) -> Void

    /// The outcomes of the jobs up to now. Errors are kept apart: mostly there are none, and values alone are cheaper
    /// to handle.
    @usableFromInline
    struct Tally: Sendable {
        @usableFromInline var values: [Value?]
        @usableFromInline var errors: [Int: any Error] = [:]
        @usableFromInline var ended = 0

        @inlinable
        init(_ count: Int) {
            values = Array(repeating: nil, count: count)
        }

        /// The outcome of each job, when all jobs have ended.
        @inlinable var outcomes: [Outcome] {
            values.indices.compactMap { index in
                values[index].map(Outcome.success) ?? errors[index].map(Outcome.failure)
            }
        }
    }

    /// The molecules with which a caller declares what happens to the jobs, and what happens at the end.
    @usableFromInline
    struct Molecules: Sendable {
        @usableFromInline let begin: SlowMolecule<Int>
        @usableFromInline let free: SlowMolecule<Void>?
        @usableFromInline let done: SlowMolecule<(index: Int, value: Value)>
        @usableFromInline let failed: SlowMolecule<(index: Int, error: any Error)>
        @usableFromInline let allEnded: SlowMolecule<Tally>
        /// If the first error ends the run.
        @usableFromInline let firstError: FirstError?

        @inlinable
        init(_ count: Int, atMost limit: Int?, endingAt firstError: FirstError?, in join: inout Join.Builder) {
            self.firstError = firstError
            begin = join.slow("begin", of: Int.self, order: .oldestFirst)
            done = join.slow("done", of: (index: Int, value: Value).self)
            failed = join.slow("failed", of: (index: Int, error: any Error).self)
            allEnded = join.slow("allEnded", of: Tally.self)
            if let limit, limit < count {
                let free = join.slow("free")
                free.inject(contentsOf: repeatElement((), count: limit))
                self.free = free
            } else {
                free = nil
            }
        }

        /// Runs a job and injects its outcome.
        @inlinable
        func run(_ index: Int, _ job: () throws -> Value) {
            do {
                done((index, try job()))
            } catch {
                note(error, of: index)
            }
            free?()
        }

        /// Runs a job and injects its outcome.
        @inlinable
        @concurrent
        func run(_ index: Int, _ job: @concurrent @Sendable () async throws -> Value) async {
            do {
                done((index, try await job()))
            } catch {
                note(error, of: index)
            }
            free?()
        }

        /// Ends the run if the first error does that; otherwise injects the error.
        @inlinable
        func note(_ error: any Error, of index: Int) {
            if let firstError { firstError.end(with: error) } else { failed((index, error)) }
        }
    }

    /// Declares that each `begin` runs a synchronous job.
    @inlinable
    static func declare(
        _ molecules: Molecules,
        _ jobs: [@Sendable () throws -> Value],
        in join: inout Join.Builder
    ) {
        if let free = molecules.free {
            join.when(molecules.begin, free) { index, _ in molecules.run(index, jobs[index]) }
        } else {
            join.when(molecules.begin) { index in molecules.run(index, jobs[index]) }
        }
    }

    /// Declares that each `begin` runs an asynchronous job.
    @inlinable
    static func declare(
        _ molecules: Molecules,
        _ jobs: [@concurrent @Sendable () async throws -> Value],
        in join: inout Join.Builder
    ) {
        if let free = molecules.free {
            join.when(molecules.begin, free) { index, _ async in await molecules.run(index, jobs[index]) }
        } else {
            join.when(molecules.begin) { index async in await molecules.run(index, jobs[index]) }
        }
    }

    /// Declares how ended jobs are counted: one after the other, since there is one tally.
    @inlinable
    static func declareCounting(
        _ molecules: Molecules,
        _ count: Int,
        _ progress: Progress?,
        in join: inout Join.Builder
    ) {
        let tally = join.state("tally", Tally(count))
        let allEnded = molecules.allEnded
        join.when(molecules.done, updating: tally) { tally, job in
            tally.values[job.index] = job.value
            tally.ended += 1
            progress?(tally.ended, count)
            if tally.ended == count { allEnded(tally) }
        }
        join.when(molecules.failed, updating: tally) { tally, job in
            tally.errors[job.index] = job.error
            tally.ended += 1
            progress?(tally.ended, count)
            if tally.ended == count { allEnded(tally) }
        }
    }

    /// Runs the jobs in a scope, so that they are child tasks of the caller.
    @inlinable
    nonisolated(nonsending)
        static func run(
            _ count: Int,
            atMost limit: Int?,
            stopsAtFirstError: Bool,
            _ configuration: ChemicalMachine.Configuration,
            _ progress: Progress?,
            _ fileID: StaticString,
            _ line: UInt,
            _ declareJobs: (Molecules, inout Join.Builder) -> Void
        ) async throws -> Tally
    {
        try Task.checkCancellation()
        guard count > 0 else { return Tally(0) }
        return try await withChemicalMachine(configuration) { machine in
            let firstError = stopsAtFirstError ? FirstError(ending: machine) : nil
            let (begin, tally) = Join.define("runAll", fileID: fileID, line: line) { join in
                join.endsWhenCleared()
                let molecules = Molecules(count, atMost: limit, endingAt: firstError, in: &join)
                let tally = join.fast("tally", returning: Tally.self)
                declareJobs(molecules, &join)
                declareCounting(molecules, count, progress, in: &join)
                join.answer(tally, with: molecules.allEnded) { _, tally in tally }
                return (molecules.begin, tally)
            }
            begin.inject(contentsOf: 0..<count)
            do {
                return try await tally(fileID: fileID, line: line)
            } catch {
                throw firstError?.reason(for: error) ?? error
            }
        }
    }

    /// Starts the jobs, and injects their outcomes into `allDone`.
    @inlinable
    static func start(
        _ count: Int,
        atMost limit: Int?,
        _ progress: Progress?,
        to allDone: SlowMolecule<[Outcome]>,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt,
        _ declareJobs: (Molecules, inout Join.Builder) -> Void
    ) -> Join {
        let allDone = allDone.exported
        let (begin, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let molecules = Molecules(count, atMost: limit, endingAt: nil, in: &join)
            declareJobs(molecules, &join)
            declareCounting(molecules, count, progress, in: &join)
            join.when(molecules.allEnded) { tally in allDone(tally.outcomes) }
            return (molecules.begin, join.definition)
        }
        if count == 0 { allDone([]) } else { begin.inject(contentsOf: 0..<count) }
        return definition
    }
}
