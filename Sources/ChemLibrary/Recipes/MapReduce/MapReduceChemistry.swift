public import ChemActors

/// The chemistry behind `mapReduce`: CocoaJoin's `begin`, `done`, `done'` and `primer`.
@usableFromInline
enum MapReduceChemistry<Value: Sendable> {
    @usableFromInline typealias Outcome = Result<Value, any Error>
    @usableFromInline typealias Reduce = @Sendable (Value, Value) throws -> Value
    @usableFromInline typealias AsyncReduce = @concurrent @Sendable (Value, Value) async throws -> Value

    /// A result, and how many elements it was made from; in a tree, also which elements.
    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let count: Int
        /// The level of the node in the tree, the elements being level 0, and its place there.
        @usableFromInline let level: Int
        @usableFromInline let index: Int

        @inlinable
        init(_ value: Value, count: Int = 1, level: Int = 0, index: Int = 0) {
            self.value = value
            self.count = count
            self.level = level
            self.index = index
        }
    }

    /// The molecules of the reactions that map and reduce.
    @usableFromInline
    struct Molecules: Sendable {
        /// Carries the index of an element.
        @usableFromInline let begin: SlowMolecule<Int>
        @usableFromInline let mapper: SlowMolecule<Void>?
        @usableFromInline let done: SlowMolecule<Part>
        @usableFromInline let reducer: SlowMolecule<Void>?
        @usableFromInline let outcome: SlowMolecule<Outcome>
        @usableFromInline let count: Int
        /// In a scope, which an error ends.
        @usableFromInline let firstError: FirstError?

        @inlinable
        init(
            _ count: Int,
            mappers: Int?,
            reducers: Int?,
            endingAt firstError: FirstError? = nil,
            in join: inout Join.Builder
        ) {
            self.count = count
            self.firstError = firstError
            begin = join.slow("begin", of: Int.self, order: .oldestFirst)
            done = join.slow("done", of: Part.self)
            outcome = join.slow("outcome", of: Outcome.self, order: .oldestFirst)
            mapper = mappers.map { mappers in
                let mapper = join.slow("mapper")
                mapper.inject(contentsOf: repeatElement((), count: min(mappers, count)))
                return mapper
            }
            reducer =
                count == 1
                ? nil
                : reducers.map { reducers in
                    let reducer = join.slow("reducer")
                    reducer.inject(contentsOf: repeatElement((), count: min(reducers, count)))
                    return reducer
                }
        }

        /// Injects a result: as the outcome if it covers all elements, otherwise as one of several.
        @inlinable
        func inject(_ part: Part) {
            if part.count == count { outcome(.success(part.value)) } else { done(part) }
        }

        /// Runs `body`, then gives `permit` back. After a failure it keeps the permit, so that nothing more begins.
        @inlinable
        func attempt(_ permit: SlowMolecule<Void>?, _ body: () throws -> Part) {
            do {
                inject(try body())
                permit?()
            } catch {
                fail(error)
            }
        }

        /// Runs `body`, then gives `permit` back. After a failure it keeps the permit, so that nothing more begins.
        @inlinable
        @concurrent
        func attempt(_ permit: SlowMolecule<Void>?, _ body: @concurrent @Sendable () async throws -> Part) async {
            do {
                inject(try await body())
                permit?()
            } catch {
                fail(error)
            }
        }

        /// Ends the scope, or injects the error as the outcome.
        @inlinable
        func fail(_ error: any Error) {
            if let firstError { firstError.end(with: error) } else { outcome(.failure(error)) }
        }
    }

    /// The result of two halves, as a node of the next level.
    @inlinable
    static func node(_ value: Value, of one: Part, _ other: Part) -> Part {
        Part(value, count: one.count + other.count, level: one.level + 1, index: one.index / 2)
    }

    // MARK: Mapping

    /// Declares that a synchronous function maps each `begin`.
    @inlinable
    static func declareMapping<Element>(
        _ molecules: Molecules,
        _ elements: [Element],
        _ map: @escaping @Sendable (Element) throws -> Value,
        in join: inout Join.Builder
    ) where Element: Sendable {
        if let mapper = molecules.mapper {
            join.when(molecules.begin, mapper) { index, _ in
                molecules.attempt(mapper) { Part(try map(elements[index]), index: index) }
            }
        } else {
            join.when(molecules.begin) { index in
                molecules.attempt(nil) { Part(try map(elements[index]), index: index) }
            }
        }
    }

    /// Declares that an asynchronous function maps each `begin`.
    @inlinable
    static func declareMapping<Element>(
        _ molecules: Molecules,
        _ elements: [Element],
        _ map: @escaping @concurrent @Sendable (Element) async throws -> Value,
        in join: inout Join.Builder
    ) where Element: Sendable {
        if let mapper = molecules.mapper {
            join.when(molecules.begin, mapper) { index, _ async in
                await molecules.attempt(mapper) { Part(try await map(elements[index]), index: index) }
            }
        } else {
            join.when(molecules.begin) { index async in
                await molecules.attempt(nil) { Part(try await map(elements[index]), index: index) }
            }
        }
    }

    // MARK: Reducing

    /// Declares which parts meet, and that a synchronous function reduces them.
    @inlinable
    static func declareReducing(
        _ molecules: Molecules,
        by reduction: Reduction,
        _ reduce: @escaping Reduce,
        in join: inout Join.Builder
    ) {
        let reducer = molecules.reducer
        let combine: @Sendable (Part, Part) -> Void = { one, other in
            molecules.attempt(reducer) { node(try reduce(one.value, other.value), of: one, other) }
        }
        switch reduction {
        case .pairs:
            if let reducer {
                join.when(molecules.done, molecules.done, reducer) { one, other, _ in combine(one, other) }
            } else {
                join.when(molecules.done, molecules.done) { one, other in
                    molecules.attempt(nil) { node(try reduce(one.value, other.value), of: one, other) }
                }
            }
        case .primers:
            let primed = declarePrimers(molecules, in: &join)
            if let reducer {
                join.when(molecules.done, primed, reducer) { one, other, _ in combine(one, other) }
            } else {
                join.when(molecules.done, primed) { one, other in combine(one, other) }
            }
        case .tree:
            let halves = declareTree(molecules, in: &join)
            if let reducer {
                join.when(halves, reducer) { halves, _ in combine(halves.0, halves.1) }
            } else {
                join.when(halves) { halves in combine(halves.0, halves.1) }
            }
        }
    }

    /// The same with an asynchronous reducer.
    @inlinable
    static func declareReducing(
        _ molecules: Molecules,
        by reduction: Reduction,
        _ reduce: @escaping AsyncReduce,
        in join: inout Join.Builder
    ) {
        let reducer = molecules.reducer
        let combine: @concurrent @Sendable (Part, Part) async -> Void = { one, other in
            await molecules.attempt(reducer) { node(try await reduce(one.value, other.value), of: one, other) }
        }
        switch reduction {
        case .pairs:
            if let reducer {
                join.when(molecules.done, molecules.done, reducer) { one, other, _ async in await combine(one, other) }
            } else {
                join.when(molecules.done, molecules.done) { one, other async in await combine(one, other) }
            }
        case .primers:
            let primed = declarePrimers(molecules, in: &join)
            if let reducer {
                join.when(molecules.done, primed, reducer) { one, other, _ async in await combine(one, other) }
            } else {
                join.when(molecules.done, primed) { one, other async in await combine(one, other) }
            }
        case .tree:
            let halves = declareTree(molecules, in: &join)
            if let reducer {
                join.when(halves, reducer) { halves, _ async in await combine(halves.0, halves.1) }
            } else {
                join.when(halves) { halves async in await combine(halves.0, halves.1) }
            }
        }
    }

    /// Declares `primer`, and injects one fewer than there are elements, so that one `done` is left at the end.
    @inlinable
    static func declarePrimers(_ molecules: Molecules, in join: inout Join.Builder) -> SlowMolecule<Part> {
        let primed = join.slow("done'", of: Part.self)
        let primer = join.slow("primer")
        join.when(molecules.done, primer) { part, _ in primed(part) }
        primer.inject(contentsOf: repeatElement((), count: max(0, molecules.count - 1)))
        return primed
    }

    // MARK: Running

    /// Maps and reduces at least one element in a scope, so that the bodies are child tasks of the caller.
    @inlinable
    nonisolated(nonsending)
        static func run(
            _ count: Int,
            mappers: Int?,
            reducers: Int?,
            _ configuration: ChemicalMachine.Configuration,
            _ fileID: StaticString,
            _ line: UInt,
            _ declare: (Molecules, inout Join.Builder) -> Void
        ) async throws -> Value
    {
        try await withChemicalMachine(configuration) { machine in
            let firstError = FirstError(ending: machine)
            let (begin, result) = Join.define("mapReduce", fileID: fileID, line: line) { join in
                join.endsWhenCleared()
                let molecules = Molecules(
                    count,
                    mappers: mappers,
                    reducers: reducers,
                    endingAt: firstError,
                    in: &join
                )
                let result = join.fast("result", returning: Value.self)
                declare(molecules, &join)
                join.when(result, molecules.outcome) { reply, outcome in reply.end(with: outcome) }
                return (molecules.begin, result)
            }
            begin.inject(contentsOf: 0..<count)
            do {
                return try await result(fileID: fileID, line: line)
            } catch {
                throw firstError.reason(for: error)
            }
        }
    }

    /// Starts mapping and reducing, and injects the outcome into `allDone`.
    @inlinable
    static func start(
        _ count: Int,
        mappers: Int?,
        reducers: Int?,
        to allDone: SlowMolecule<Result<Value?, any Error>>,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt,
        _ declare: (Molecules, inout Join.Builder) -> Void
    ) -> Join {
        let allDone = allDone.exported
        let (begin, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let molecules = Molecules(count, mappers: mappers, reducers: reducers, in: &join)
            declare(molecules, &join)
            let isOver = join.state("isOver", false)
            let definition = join.definition
            join.when(molecules.outcome, updating: isOver) { [unowned definition] isOver, outcome in
                // After a failure other bodies may fail too, before they notice that they are no longer needed.
                if isOver { return }
                isOver = true
                allDone(outcome.map { $0 })
                if case .failure = outcome { definition.deactivate() }
            }
            return (molecules.begin, join.definition)
        }
        if count == 0 { allDone(.success(nil)) } else { begin.inject(contentsOf: 0..<count) }
        return definition
    }
}
