public import Flow

/// All operators of streams: weaker than comparisons, stronger than assignments, and left-associative.
precedencegroup FlowPrecedence {
    associativity: left
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

infix operator >-- : FlowPrecedence
infix operator --| : FlowPrecedence
infix operator --! : FlowPrecedence
infix operator --& : FlowPrecedence
infix operator --^ : FlowPrecedence
infix operator --< : FlowPrecedence
infix operator --% : FlowPrecedence
infix operator --+ : FlowPrecedence
infix operator --* : FlowPrecedence

// MARK: map

/// Writes `f` of each value of `stream` into another stream.
///
/// ```swift
/// words >-- (lengths, { $0.count })
/// ```
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func >-- <T, U>(
    stream: EventStream<T>,
    args: (stream: EventStream<U>, f: @Sendable (T) -> U)
) -> EventStream<U> {
    stream.handle.map(">--", to: args.stream.handle, args.f)
    return args.stream
}

/// Writes `f` of each value of `source` into a stream.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func >-- <T, U>(
    source: EventSource<T>,
    args: (stream: EventStream<U>, f: @Sendable (T) -> U)
) -> EventStream<U> {
    source.handle.map(">--", to: args.stream.handle, args.f)
    return args.stream
}

/// Writes `f` of the value of each event of `cell` into a stream.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func >-- <T, U>(cell: Cell<T>, args: (stream: EventStream<U>, f: @Sendable (T) -> U)) -> EventStream<U> {
    cell.handle.map(">--", to: args.stream.handle, args.f)
    return args.stream
}

/// Writes each value of `stream` into another stream.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func >-- <T>(stream: EventStream<T>, other: EventStream<T>) -> EventStream<T> {
    stream.handle.pass(">--", to: other.handle)
    return other
}

/// Writes each value of `source` into a stream.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func >-- <T>(source: EventSource<T>, stream: EventStream<T>) -> EventStream<T> {
    source.handle.pass(">--", to: stream.handle)
    return stream
}

/// Writes the value of each event of `cell` into a stream.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func >-- <T>(cell: Cell<T>, stream: EventStream<T>) -> EventStream<T> {
    cell.handle.pass(">--", to: stream.handle)
    return stream
}

// MARK: filter

/// Lets the values of `stream` for which `f` holds pass.
///
/// ```swift
/// numbers --| (positive, { $0 > 0 })
/// ```
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --| <T>(
    stream: EventStream<T>,
    args: (stream: EventStream<T>, f: @Sendable (T) -> Bool)
) -> EventStream<T> {
    stream.handle.filter("--|", to: args.stream.handle, args.f)
    return args.stream
}

/// Lets the values of `source` for which `f` holds pass.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --| <T>(
    source: EventSource<T>,
    args: (stream: EventStream<T>, f: @Sendable (T) -> Bool)
) -> EventStream<T> {
    source.handle.filter("--|", to: args.stream.handle, args.f)
    return args.stream
}

/// Lets the values of those events of `cell` for which `f` holds pass.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --| <T>(cell: Cell<T>, args: (stream: EventStream<T>, f: @Sendable (T) -> Bool)) -> EventStream<T> {
    cell.handle.filter("--|", to: args.stream.handle, args.f)
    return args.stream
}

// MARK: filterNil

/// Lets the values of `stream` that aren't nil pass.
///
/// ```swift
/// texts >-- (parsed, { Int($0) }) --! numbers
/// ```
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --! <T>(stream: EventStream<T?>, other: EventStream<T>) -> EventStream<T> {
    stream.handle.compactMap("--!", to: other.handle) { $0 }
    return other
}

/// Lets the values of `source` that aren't nil pass.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --! <T>(source: EventSource<T?>, stream: EventStream<T>) -> EventStream<T> {
    source.handle.compactMap("--!", to: stream.handle) { $0 }
    return stream
}

/// Lets the values of those events of `cell` that aren't nil pass.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --! <T>(cell: Cell<T?>, stream: EventStream<T>) -> EventStream<T> {
    cell.handle.compactMap("--!", to: stream.handle) { $0 }
    return stream
}

// MARK: merge

/// Stores `f` of each value of any of `streams` in a cell.
///
/// ```swift
/// [clicks, keys] --& (last, { $0.time })
/// ```
///
/// If several of them have a value in one wave, the last one in the array counts.
///
/// - Returns: the cell.
@inlinable
@discardableResult
public func --& <T, U>(streams: [EventStream<T>], args: (cell: Cell<U>, f: @Sendable (T) -> U)) -> Cell<U> {
    for stream in streams { stream.handle.map("--&", to: args.cell.handle, args.f) }
    return args.cell
}

/// Stores each value of any of `streams` in a cell.
///
/// If several of them have a value in one wave, the last one in the array counts.
///
/// - Returns: the cell.
@inlinable
@discardableResult
public func --& <T>(streams: [EventStream<T>], cell: Cell<T>) -> Cell<T> {
    for stream in streams { stream.handle.pass("--&", to: cell.handle) }
    return cell
}

// MARK: lift

/// Stores `f` of each value of `stream` in a cell.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <T, U>(stream: EventStream<T>, args: (cell: Cell<U>, f: @Sendable (T) -> U)) -> Cell<U> {
    stream.handle.map("--^", to: args.cell.handle, args.f)
    return args.cell
}

/// Stores each value of `stream` in a cell.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <T>(stream: EventStream<T>, cell: Cell<T>) -> Cell<T> {
    stream.handle.pass("--^", to: cell.handle)
    return cell
}

/// Stores `f` of each value of `source` in a cell.
///
/// ```swift
/// names --^ (greeting, { "Hello, \($0)!" })
/// ```
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <T, U>(source: EventSource<T>, args: (cell: Cell<U>, f: @Sendable (T) -> U)) -> Cell<U> {
    source.handle.map("--^", to: args.cell.handle, args.f)
    return args.cell
}

/// Stores each value of `source` in a cell.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <T>(source: EventSource<T>, cell: Cell<T>) -> Cell<T> {
    source.handle.pass("--^", to: cell.handle)
    return cell
}

/// Stores `f` of the value of each event of `cell` in another cell, which keeps its own initial value.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <T, U>(cell: Cell<T>, args: (cell: Cell<U>, f: @Sendable (T) -> U)) -> Cell<U> {
    cell.handle.map("--^", to: args.cell.handle, args.f)
    return args.cell
}

/// Stores the value of each event of `cell` in another cell, which keeps its own initial value.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <T>(cell: Cell<T>, other: Cell<T>) -> Cell<T> {
    cell.handle.pass("--^", to: other.handle)
    return other
}

/// Stores `f` of the values of several cells in another one, whenever one of them has an event.
///
/// ```swift
/// (first, last) --^ (full, { $0 + " " + $1 })
/// ```
///
/// `f` runs at most once per wave, when all of the cells have their values of that wave. The initial value of the
/// target becomes `f` of the cells' initial values, in whatever order the cells are wired. If lifts form a cycle, the
/// cell that is read first begins with the value its neighbour was declared with. Takes any number of cells, from two.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <each C: Sendable, T>(
    cells: (repeat Cell<each C>),
    args: (cell: Cell<T>, f: @Sendable (repeat each C) -> T)
) -> Cell<T> {
    FlowHandle<T>.lift("--^", repeat (each cells).handle, to: args.cell.handle, args.f)
    return args.cell
}

/// Stores `f` of the values of two cells in another one, whenever one of them has an event.
///
/// Does the same as the form for any number of cells, but faster.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --^ <A, B, T>(cells: (Cell<A>, Cell<B>), args: (cell: Cell<T>, f: @Sendable (A, B) -> T)) -> Cell<T> {
    FlowHandle<T>.lift("--^", cells.0.handle, cells.1.handle, to: args.cell.handle, args.f)
    return args.cell
}

// MARK: output

/// Calls `f` for each event of `cell`, after the wave.
///
/// ```swift
/// message --< (screen, { print($0) })
/// ```
///
/// A function that belongs to the main actor needs a ``MainOutlet``.
///
/// - Returns: the cell on the left side.
@discardableResult
public func --< <T>(cell: Cell<T>, args: (outlet: Outlet<T>, f: @Sendable (T) -> Void)) -> Cell<T> {
    args.outlet.attach()
    cell.handle.output("--<", args.f)
    return cell
}

/// Calls `f` on the main actor for each event of `cell`, after the wave.
///
/// - Returns: the cell on the left side.
@discardableResult
public func --< <T>(cell: Cell<T>, args: (outlet: MainOutlet<T>, f: @MainActor @Sendable (T) -> Void)) -> Cell<T> {
    args.outlet.attach()
    cell.handle.outputOnMainActor("--<", args.f)
    return cell
}
