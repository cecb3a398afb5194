// Operators beyond the six of SimpleSwiftFRP: snapshots, accumulating, and zipping.

public import Flow

// MARK: snapshot

/// Combines each value of a stream with the values that cells had before the wave.
///
/// ```swift
/// (clicks, (position, color)) --% (strokes, { click, position, color in
///     "\(click) at \(position) in \(color)"
/// })
/// ```
/// Only the first operand triggers. Put several cells into a tuple of their own. The operator reads them as they were
/// before the wave, so a cell may depend on the result. (Lifting reads the values of the wave itself.)
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --% <T, each C: Sendable, U>(
    inputs: (stream: EventStream<T>, cells: (repeat Cell<each C>)),
    args: (stream: EventStream<U>, f: @Sendable (T, repeat each C) -> U)
) -> EventStream<U> {
    inputs.stream.handle.snapshot(
        "--%",
        of: repeat (each inputs.cells).handle,
        to: args.stream.handle,
        args.f,
        where: nil
    )
    return args.stream
}

/// Combines each value of a stream with the values that cells had before the wave, if `predicate` holds for them.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --% <T, each C: Sendable, U>(
    inputs: (stream: EventStream<T>, cells: (repeat Cell<each C>)),
    args: (stream: EventStream<U>, f: @Sendable (T, repeat each C) -> U, where: @Sendable (T, repeat each C) -> Bool)
) -> EventStream<U> {
    inputs.stream.handle.snapshot(
        "--%",
        of: repeat (each inputs.cells).handle,
        to: args.stream.handle,
        args.f,
        where: args.where
    )
    return args.stream
}

/// Combines each value of a source with the values that cells had before the wave.
///
/// Only the first operand triggers. The operator reads the cells as they were before the wave, so a cell may depend on
/// the result. (Lifting reads the values of the wave itself.)
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --% <T, each C: Sendable, U>(
    inputs: (source: EventSource<T>, cells: (repeat Cell<each C>)),
    args: (stream: EventStream<U>, f: @Sendable (T, repeat each C) -> U)
) -> EventStream<U> {
    inputs.source.handle.snapshot(
        "--%",
        of: repeat (each inputs.cells).handle,
        to: args.stream.handle,
        args.f,
        where: nil
    )
    return args.stream
}

/// Combines each value of a source with the values that cells had before the wave, if `predicate` holds for them.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --% <T, each C: Sendable, U>(
    inputs: (source: EventSource<T>, cells: (repeat Cell<each C>)),
    args: (stream: EventStream<U>, f: @Sendable (T, repeat each C) -> U, where: @Sendable (T, repeat each C) -> Bool)
) -> EventStream<U> {
    inputs.source.handle.snapshot(
        "--%",
        of: repeat (each inputs.cells).handle,
        to: args.stream.handle,
        args.f,
        where: args.where
    )
    return args.stream
}

/// Combines the value of each event of a cell with the values that cells had before the wave.
///
/// Only the first operand triggers. The operator reads the cells as they were before the wave, so a cell may depend on
/// the result. (Lifting reads the values of the wave itself.)
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --% <T, each C: Sendable, U>(
    inputs: (cell: Cell<T>, cells: (repeat Cell<each C>)),
    args: (stream: EventStream<U>, f: @Sendable (T, repeat each C) -> U)
) -> EventStream<U> {
    inputs.cell.handle.snapshot(
        "--%",
        of: repeat (each inputs.cells).handle,
        to: args.stream.handle,
        args.f,
        where: nil
    )
    return args.stream
}

/// Combines the value of each event of a cell with the values that cells had before the wave, if `predicate` holds for
/// them.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --% <T, each C: Sendable, U>(
    inputs: (cell: Cell<T>, cells: (repeat Cell<each C>)),
    args: (stream: EventStream<U>, f: @Sendable (T, repeat each C) -> U, where: @Sendable (T, repeat each C) -> Bool)
) -> EventStream<U> {
    inputs.cell.handle.snapshot(
        "--%",
        of: repeat (each inputs.cells).handle,
        to: args.stream.handle,
        args.f,
        where: args.where
    )
    return args.stream
}

// MARK: accumulate

/// Folds each value of a stream into the value of a cell: `f` gets the value before the wave and the new one.
///
/// ```swift
/// amounts --+ (total, { $0 + $1 })
/// ```
///
/// Several operators may accumulate into one cell, even in one wave: each folds into the result of those declared
/// before it.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --+ <T, U>(stream: EventStream<T>, args: (cell: Cell<U>, f: @Sendable (U, T) -> U)) -> Cell<U> {
    stream.handle.accumulate("--+", to: args.cell.handle, args.f)
    return args.cell
}

/// Folds each value of a stream into the value of a cell, if `predicate` holds for the value before the wave and the
/// new one.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --+ <T, U>(
    stream: EventStream<T>,
    args: (cell: Cell<U>, f: @Sendable (U, T) -> U, where: @Sendable (U, T) -> Bool)
) -> Cell<U> {
    stream.handle.accumulate("--+", to: args.cell.handle, args.f, where: args.where)
    return args.cell
}

/// Folds each value of a source into the value of a cell: `f` gets the value before the wave and the new one.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --+ <T, U>(source: EventSource<T>, args: (cell: Cell<U>, f: @Sendable (U, T) -> U)) -> Cell<U> {
    source.handle.accumulate("--+", to: args.cell.handle, args.f)
    return args.cell
}

/// Folds each value of a source into the value of a cell, if `predicate` holds for the value before the wave and the
/// new one.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --+ <T, U>(
    source: EventSource<T>,
    args: (cell: Cell<U>, f: @Sendable (U, T) -> U, where: @Sendable (U, T) -> Bool)
) -> Cell<U> {
    source.handle.accumulate("--+", to: args.cell.handle, args.f, where: args.where)
    return args.cell
}

/// Folds the value of each event of a cell into the value of a cell: `f` gets the value before the wave and the new
/// one.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --+ <T, U>(cell: Cell<T>, args: (cell: Cell<U>, f: @Sendable (U, T) -> U)) -> Cell<U> {
    cell.handle.accumulate("--+", to: args.cell.handle, args.f)
    return args.cell
}

/// Folds the value of each event of a cell into the value of a cell, if `predicate` holds for the value before the wave
/// and the new one.
///
/// - Returns: the cell on the right side.
@inlinable
@discardableResult
public func --+ <T, U>(
    cell: Cell<T>,
    args: (cell: Cell<U>, f: @Sendable (U, T) -> U, where: @Sendable (U, T) -> Bool)
) -> Cell<U> {
    cell.handle.accumulate("--+", to: args.cell.handle, args.f, where: args.where)
    return args.cell
}

// MARK: zip

/// Combines the first values of several streams, then their second ones, and so on.
///
/// ```swift
/// (questions, answers) --* (dialogue, { ($0, $1) })
/// ```
///
/// A value waits until each of the other streams has one; ``FlowStatistics/pending`` counts the waiting values. Takes
/// any number of streams.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --* <each T: Sendable, U>(
    streams: (repeat EventStream<each T>),
    args: (stream: EventStream<U>, f: @Sendable (repeat each T) -> U)
) -> EventStream<U> {
    FlowHandle<U>.zip("--*", repeat (each streams).handle, to: args.stream.handle, args.f)
    return args.stream
}

/// Combines the first values of two streams, then their second ones, and so on.
///
/// Does the same as the form for any number of streams, but faster.
///
/// - Returns: the stream on the right side.
@inlinable
@discardableResult
public func --* <A, B, U>(
    streams: (EventStream<A>, EventStream<B>),
    args: (stream: EventStream<U>, f: @Sendable (A, B) -> U)
) -> EventStream<U> {
    FlowHandle<U>.zip("--*", streams.0.handle, streams.1.handle, to: args.stream.handle, args.f)
    return args.stream
}
