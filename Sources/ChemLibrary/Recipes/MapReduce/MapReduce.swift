public import ChemActors
public import ChemBase

/// Maps all elements concurrently with a synchronous function, and reduces the results as they come.
///
/// ```swift
/// let sum = try await mapReduce(1...10_000, map: { $0 * $0 }, reduce: +)    // 333383335000
/// ```
///
/// The reducer must be associative, and also commutative unless `reduction` is `.tree`, where only neighbours meet, the
/// earlier one first. Reductions run concurrently with mapping and with each other.
///
/// The bodies are structured child tasks of the caller: they see its task-local values and its priority, are cancelled
/// with it, and have ended when this returns or throws. This throws the first error: after it no further body begins,
/// and running bodies are awaited. What they make, such as channels, ends with them.
///
/// For functions that take less than a few microseconds, this is several times faster than a task group, which makes a
/// task for each element. If one thread is enough, `lazy.map` and `reduce` are faster still.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: The elements to map. Mapping begins in their order.
///   - mappers: How many elements may be mapped at once, at least 1; nil for as many as there are workers.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as possible.
///   - reduction: Which results meet; by default, any two.
///   - configuration: The configuration of the machine that runs the bodies.
///   - map: Makes a result from an element.
///   - reduce: Combines two results into one.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: what is left when everything is reduced, or nil if there are no elements.
/// - Throws: the first error of `map` or `reduce`, or `CancellationError`.
/// - Complexity: O(number of elements); one reduction fewer than there are elements.
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
        configuration,
        fileID,
        line
    ) {
        MapReduceChemistry<Value>.declareMapping($0, elements, map, in: &$1)
        MapReduceChemistry<Value>.declareReducing($0, by: reduction, reduce, in: &$1)
    }
}

/// Maps all elements concurrently with a synchronous function, and reduces the results, beginning with `initial`.
///
/// Like `mapReduce` without `initial`, followed by one more reduction: `reduce(initial, rest)`. Without elements, the
/// result is `initial`.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: The elements to map. Mapping begins in their order.
///   - initial: The value that is reduced with the result of the elements, as the earlier one of the two.
///   - mappers: How many elements may be mapped at once, at least 1; nil for as many as there are workers.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as possible.
///   - reduction: Which results meet; by default, any two.
///   - configuration: The configuration of the machine that runs the bodies.
///   - map: Makes a result from an element.
///   - reduce: Combines two results into one.
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

/// Starts mapping all elements concurrently and reducing the results, returns at once, and injects the outcome into
/// `allDone`.
///
/// Like `mapReduce`, but it works in synchronous code, and injects a molecule at the end, exactly once: with the
/// result, with nil if there are no elements, or with the first error. The bodies are not child tasks: inside
/// `withChemicalMachine(_:_:)` the scope awaits them, elsewhere nothing does. Deactivating the returned definition ends
/// them, and nothing is reported.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: The elements to map. Mapping begins in their order.
///   - mappers: How many elements may be mapped at once, at least 1; nil for as many as there are workers.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as possible.
///   - reduction: Which results meet; by default, any two.
///   - allDone: Gets the outcome.
///   - map: Makes a result from an element.
///   - reduce: Combines two results into one.
///   - name: What the definition is called in messages.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the control handle of the definition.
/// - Complexity: O(number of elements); one reduction fewer than there are elements.
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
    name: String = "mapReduce",
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandMappers(mappers, reducers, "mapReduceAndReport", fileID, line)
    let elements = Array(elements)
    return MapReduceChemistry<Value>.start(
        elements.count,
        mappers: mappers,
        reducers: reducers,
        to: allDone,
        name,
        fileID,
        line
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
/// The reducer must be associative, and also commutative unless `reduction` is `.tree`, where only neighbours meet, the
/// earlier one first. Reductions run concurrently with mapping and with each other.
///
/// The bodies are structured child tasks of the caller: they see its task-local values and its priority, are cancelled
/// with it, and have ended when this returns or throws. This throws the first error: after it no further body begins,
/// and running bodies are cancelled and awaited.
///
/// If the reducer is quick, a task group whose parent reduces the results is enough; `mapReduce` reduces concurrently.
///
/// Source: CocoaJoin, Example 3.
///
/// What the functions make, such as channels, ends with them.
///
/// - Parameters:
///   - elements: The elements to map. Mapping begins in their order.
///   - mappers: How many elements may be mapped at once, suspended bodies included, at least 1; nil for all.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as possible.
///   - reduction: Which results meet; by default, any two.
///   - configuration: The configuration of the machine that runs the bodies.
///   - map: Makes a result from an element.
///   - reduce: Combines two results into one.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: what is left when everything is reduced, or nil if there are no elements.
/// - Throws: the first error of `map` or `reduce`, or `CancellationError`.
/// - Complexity: O(number of elements); one reduction fewer than there are elements.
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
        configuration,
        fileID,
        line
    ) {
        MapReduceChemistry<Value>.declareMapping($0, elements, map, in: &$1)
        MapReduceChemistry<Value>.declareReducing($0, by: reduction, reduce, in: &$1)
    }
}

/// Maps all elements concurrently with an asynchronous function, and reduces the results, beginning with `initial`.
///
/// Like `mapReduce` without `initial`, followed by one more reduction: `reduce(initial, rest)`. Without elements, the
/// result is `initial`.
///
/// Source: CocoaJoin, Example 3.
///
/// What the functions make, such as channels, ends with them.
///
/// - Parameters:
///   - elements: The elements to map. Mapping begins in their order.
///   - initial: The value that is reduced with the result of the elements, as the earlier one of the two.
///   - mappers: How many elements may be mapped at once, suspended bodies included, at least 1; nil for all.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as possible.
///   - reduction: Which results meet; by default, any two.
///   - configuration: The configuration of the machine that runs the bodies.
///   - map: Makes a result from an element.
///   - reduce: Combines two results into one.
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

/// Starts mapping all elements concurrently and reducing the results, returns at once, and injects the outcome into
/// `allDone`.
///
/// Like `mapReduce`, but it works in synchronous code, and injects a molecule at the end, exactly once: with the
/// result, with nil if there are no elements, or with the first error. The bodies are not child tasks: inside
/// `withChemicalMachine(_:_:)` the scope awaits them, elsewhere nothing does. Deactivating the returned definition ends
/// them, and nothing is reported.
///
/// Source: CocoaJoin, Example 3.
///
/// - Parameters:
///   - elements: The elements to map. Mapping begins in their order.
///   - mappers: How many elements may be mapped at once, suspended bodies included, at least 1; nil for all.
///   - reducers: How many reductions may run at once, at least 1; nil for as many as possible.
///   - reduction: Which results meet; by default, any two.
///   - allDone: Gets the outcome.
///   - map: Makes a result from an element.
///   - reduce: Combines two results into one.
///   - name: What the definition is called in messages.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the control handle of the definition.
/// - Complexity: O(number of elements); one reduction fewer than there are elements.
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
    name: String = "mapReduce",
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandMappers(mappers, reducers, "mapReduceAndReport", fileID, line)
    let elements = Array(elements)
    return MapReduceChemistry<Value>.start(
        elements.count,
        mappers: mappers,
        reducers: reducers,
        to: allDone,
        name,
        fileID,
        line
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
