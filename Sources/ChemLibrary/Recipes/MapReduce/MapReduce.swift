public import ChemActors
public import ChemBase

/// Maps all elements concurrently with a synchronous function, and reduces the results as they come.
///
/// ```swift
/// let sum = try await mapReduce(1...10_000, map: { $0 * $0 }, reduce: +)    // 333383335000
/// ```
///
/// The reducer must be associative, and commutative too unless `reduction` is `.tree`: then only neighbours meet, the
/// earlier one first. Reductions run concurrently with mapping and with each other.
///
/// The bodies are child tasks of the caller's, in the sense of structured concurrency: they see its task-local values
/// and its priority, are cancelled with it, and have ended when this returns or
/// throws. The first error is what this throws: nothing begins any more, and bodies that run are awaited.
///
/// For functions that take less than some microseconds this is several times faster than a task group, which makes a
/// task for each element. Where one thread is enough, `lazy.map` and `reduce` are
/// faster still.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: What is mapped. They are begun in their order.
///   - mappers: How many elements may be mapped at once, at least 1; nil for as many as there are workers.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as are possible.
///   - reduction: Which results meet: any two by default.
///   - configuration: How the machine runs on which the bodies run.
///   - map: Makes a result of an element.
///   - reduce: Makes one result of two.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: what is left when everything is reduced, or nil if there are no elements.
/// - Throws: the first error of `map` or `reduce`, or `CancellationError`.
/// - Complexity: O(number of elements); one reduction less than there are elements.
@inlinable
nonisolated(nonsending)
    public func mapReduce<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        mappers: Int? = nil,
        reducers: Int? = nil,
        by reduction: Reduction = .pairs,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        map: @escaping @Sendable (Element) throws -> Value,
        reduce: @escaping @Sendable (Value, Value) throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value?
{
    demandMappers(mappers, reducers, "mapReduce", fileID, line)
    try Task.checkCancellation()
    let elements = Array(elements)
    if elements.isEmpty { return nil }
    return try await MapReduceChemistry<Value>.run(
        elements.count,
        mappers: mappers,
        reducers: reducers,
        configuration
    ) {
        MapReduceChemistry<Value>.declareMapping($0, elements, map, in: &$1)
        MapReduceChemistry<Value>.declareReducing($0, by: reduction, reduce, in: &$1)
    }
}

/// Maps all elements concurrently with a synchronous function, and reduces the results, beginning with `initial`.
///
/// As `mapReduce` without `initial`, with one reduction more, the last: `reduce(initial, rest)`. Without elements the
/// result is `initial`.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: What is mapped. They are begun in their order.
///   - initial: What the result is reduced with, as the earlier one of the two.
///   - mappers: How many elements may be mapped at once, at least 1; nil for as many as there are workers.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as are possible.
///   - reduction: Which results meet: any two by default.
///   - configuration: How the machine runs on which the bodies run.
///   - map: Makes a result of an element.
///   - reduce: Makes one result of two.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: what is left when everything is reduced.
/// - Throws: the first error of `map` or `reduce`, or `CancellationError`.
/// - Complexity: O(number of elements); as many reductions as there are elements.
@inlinable
nonisolated(nonsending)
    public func mapReduce<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        into initial: Value,
        mappers: Int? = nil,
        reducers: Int? = nil,
        by reduction: Reduction = .pairs,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        map: @escaping @Sendable (Element) throws -> Value,
        reduce: @escaping @Sendable (Value, Value) throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value
{
    let rest = try await mapReduce(
        elements,
        mappers: mappers,
        reducers: reducers,
        by: reduction,
        configuration: configuration,
        map: map,
        reduce: reduce,
        fileID: fileID,
        line: line
    )
    guard let rest else { return initial }
    return try reduce(initial, rest)
}

/// Starts mapping all elements concurrently and reducing the results, returns at once, and injects what came of it into
/// `allDone`.
///
/// As `mapReduce`, but it works in synchronous code, and the end is told to a molecule, exactly once: with the result,
/// with nil if there are no elements, or with the first error. The bodies are not
/// child tasks of anybody: inside of `withChemicalMachine(_:_:)` the scope awaits them, elsewhere nobody does.
/// Deactivating the definition that is returned ends them, and nothing is reported.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: What is mapped. They are begun in their order.
///   - mappers: How many elements may be mapped at once, at least 1; nil for as many as there are workers.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as are possible.
///   - reduction: Which results meet: any two by default.
///   - allDone: Gets the result.
///   - map: Makes a result of an element.
///   - reduce: Makes one result of two.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the control handle of the definition.
/// - Complexity: O(number of elements); one reduction less than there are elements.
@inlinable
@discardableResult
public func mapReduceAndReport<Element: Sendable, Value: Sendable>(
    _ elements: some Sequence<Element>,
    mappers: Int? = nil,
    reducers: Int? = nil,
    by reduction: Reduction = .pairs,
    to allDone: SlowMolecule<Result<Value?, any Error>>,
    map: @escaping @Sendable (Element) throws -> Value,
    reduce: @escaping @Sendable (Value, Value) throws -> Value,
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandMappers(mappers, reducers, "mapReduceAndReport", fileID, line)
    let elements = Array(elements)
    return MapReduceChemistry<Value>.start(
        elements.count,
        mappers: mappers,
        reducers: reducers,
        to: allDone
    ) {
        MapReduceChemistry<Value>.declareMapping($0, elements, map, in: &$1)
        MapReduceChemistry<Value>.declareReducing($0, by: reduction, reduce, in: &$1)
    }
}

/// Maps all elements concurrently with an asynchronous function, and reduces the results as they come.
///
/// ```swift
/// let words = try await mapReduce(addresses, mappers: 8, by: .tree) { address in
///     try await load(address).split(separator: " ")
/// } reduce: { earlier, later in
///     earlier + later
/// }
/// ```
///
/// The reducer must be associative, and commutative too unless `reduction` is `.tree`: then only neighbours meet, the
/// earlier one first. Reductions run concurrently with mapping and with each other.
///
/// The bodies are child tasks of the caller's, in the sense of structured concurrency: they see its task-local values
/// and its priority, are cancelled with it, and have ended when this returns or
/// throws. The first error is what this throws: nothing begins any more, and bodies that run are cancelled and awaited.
///
/// Where the reducer is quick, a task group that is reduced by its parent does as well; this one reduces concurrently.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: What is mapped. They are begun in their order.
///   - mappers: How many elements may be mapped at once, suspended bodies included, at least 1; nil for all.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as are possible.
///   - reduction: Which results meet: any two by default.
///   - configuration: How the machine runs on which the bodies run.
///   - map: Makes a result of an element.
///   - reduce: Makes one result of two.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: what is left when everything is reduced, or nil if there are no elements.
/// - Throws: the first error of `map` or `reduce`, or `CancellationError`.
/// - Complexity: O(number of elements); one reduction less than there are elements.
@inlinable
nonisolated(nonsending)
    public func mapReduce<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        mappers: Int? = nil,
        reducers: Int? = nil,
        by reduction: Reduction = .pairs,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        map: @escaping @concurrent @Sendable (Element) async throws -> Value,
        reduce: @escaping @concurrent @Sendable (Value, Value) async throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value?
{
    demandMappers(mappers, reducers, "mapReduce", fileID, line)
    try Task.checkCancellation()
    let elements = Array(elements)
    if elements.isEmpty { return nil }
    return try await MapReduceChemistry<Value>.run(
        elements.count,
        mappers: mappers,
        reducers: reducers,
        configuration
    ) {
        MapReduceChemistry<Value>.declareMapping($0, elements, map, in: &$1)
        MapReduceChemistry<Value>.declareReducing($0, by: reduction, reduce, in: &$1)
    }
}

/// Maps all elements concurrently with an asynchronous function, and reduces the results, beginning with `initial`.
///
/// As `mapReduce` without `initial`, with one reduction more, the last: `reduce(initial, rest)`. Without elements the
/// result is `initial`.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: What is mapped. They are begun in their order.
///   - initial: What the result is reduced with, as the earlier one of the two.
///   - mappers: How many elements may be mapped at once, suspended bodies included, at least 1; nil for all.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as are possible.
///   - reduction: Which results meet: any two by default.
///   - configuration: How the machine runs on which the bodies run.
///   - map: Makes a result of an element.
///   - reduce: Makes one result of two.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: what is left when everything is reduced.
/// - Throws: the first error of `map` or `reduce`, or `CancellationError`.
/// - Complexity: O(number of elements); as many reductions as there are elements.
@inlinable
nonisolated(nonsending)
    public func mapReduce<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>,
        into initial: Value,
        mappers: Int? = nil,
        reducers: Int? = nil,
        by reduction: Reduction = .pairs,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        map: @escaping @concurrent @Sendable (Element) async throws -> Value,
        reduce: @escaping @concurrent @Sendable (Value, Value) async throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value
{
    let rest = try await mapReduce(
        elements,
        mappers: mappers,
        reducers: reducers,
        by: reduction,
        configuration: configuration,
        map: map,
        reduce: reduce,
        fileID: fileID,
        line: line
    )
    guard let rest else { return initial }
    return try await reduce(initial, rest)
}

/// Starts mapping all elements concurrently and reducing the results, returns at once, and injects what came of it into
/// `allDone`.
///
/// As `mapReduce`, but it works in synchronous code, and the end is told to a molecule, exactly once: with the result,
/// with nil if there are no elements, or with the first error. The bodies are not
/// child tasks of anybody: inside of `withChemicalMachine(_:_:)` the scope awaits them, elsewhere nobody does.
/// Deactivating the definition that is returned ends them, and nothing is reported.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: What is mapped. They are begun in their order.
///   - mappers: How many elements may be mapped at once, suspended bodies included, at least 1; nil for all.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as are possible.
///   - reduction: Which results meet: any two by default.
///   - allDone: Gets the result.
///   - map: Makes a result of an element.
///   - reduce: Makes one result of two.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the control handle of the definition.
/// - Complexity: O(number of elements); one reduction less than there are elements.
@inlinable
@discardableResult
public func mapReduceAndReport<Element: Sendable, Value: Sendable>(
    _ elements: some Sequence<Element>,
    mappers: Int? = nil,
    reducers: Int? = nil,
    by reduction: Reduction = .pairs,
    to allDone: SlowMolecule<Result<Value?, any Error>>,
    map: @escaping @concurrent @Sendable (Element) async throws -> Value,
    reduce: @escaping @concurrent @Sendable (Value, Value) async throws -> Value,
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandMappers(mappers, reducers, "mapReduceAndReport", fileID, line)
    let elements = Array(elements)
    return MapReduceChemistry<Value>.start(
        elements.count,
        mappers: mappers,
        reducers: reducers,
        to: allDone
    ) {
        MapReduceChemistry<Value>.declareMapping($0, elements, map, in: &$1)
        MapReduceChemistry<Value>.declareReducing($0, by: reduction, reduce, in: &$1)
    }
}

@inlinable
func demandMappers(_ mappers: Int?, _ reducers: Int?, _ function: String, _ fileID: StaticString, _ line: UInt) {
    if let mappers { demand(mappers >= 1, "\(function) needs at least 1 mapper, not \(mappers)", fileID, line) }
    if let reducers { demand(reducers >= 1, "\(function) needs at least 1 reducer, not \(reducers)", fileID, line) }
}
