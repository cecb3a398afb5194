// Mistakes, each with a hint at what works: the compiler shows these texts instead of its own.

extension EventStream {
    /// Explains what is wrong.
    @available(*, unavailable, message: "a function stands in the parentheses: (stream, { … }), and not behind them")
    public func callAsFunction<each Input, Output>(
        _ function: @escaping @Sendable (repeat each Input) -> Output
    ) -> (stream: EventStream, f: @Sendable (repeat each Input) -> Output) {
        fatalError("unavailable")
    }
}

extension Cell {
    /// Explains what is wrong.
    @available(*, unavailable, message: "a function stands in the parentheses: (cell, { … }), and not behind them")
    public func callAsFunction<each Input, Output>(
        _ function: @escaping @Sendable (repeat each Input) -> Output
    ) -> (cell: Cell, f: @Sendable (repeat each Input) -> Output) {
        fatalError("unavailable")
    }
}

extension Outlet {
    /// Explains what is wrong.
    @available(*, unavailable, message: "a function stands in the parentheses: (outlet, { … }), and not behind them")
    public func callAsFunction(
        _ function: @escaping @Sendable (Value) -> Void
    ) -> (outlet: Outlet, f: @Sendable (Value) -> Void) {
        fatalError("unavailable")
    }
}

extension MainOutlet {
    /// Explains what is wrong.
    @available(*, unavailable, message: "a function stands in the parentheses: (outlet, { … }), and not behind them")
    public func callAsFunction(
        _ function: @escaping @MainActor @Sendable (Value) -> Void
    ) -> (outlet: MainOutlet, f: @MainActor @Sendable (Value) -> Void) {
        fatalError("unavailable")
    }
}

extension FlowOperand {
    /// Explains what is wrong.
    @available(*, unavailable, message: "a sink watches a cell: 'stream.cell(initialValue).sink { … }'")
    @discardableResult
    public func sink(_ receive: @escaping @Sendable (Value) -> Void) -> Cell<Value> {
        fatalError("unavailable")
    }

    /// Explains what is wrong.
    @available(*, unavailable, message: "only cells are combined: 'stream.cell(initialValue).combined(with: cell)'")
    public func combined<Other: FlowOperand, Result>(
        with other: Other,
        _ combine: @escaping @Sendable (Value, Other.Value) -> Result
    ) -> Cell<Result> {
        fatalError("unavailable")
    }
}

/// Explains what is wrong.
@available(
    *,
    unavailable,
    message: "an outlet is attached to a cell: source --^ Cell(initialValue: …) --< (outlet, { … })"
)
public func --< <T>(source: EventSource<T>, args: (outlet: Outlet<T>, f: @Sendable (T) -> Void)) -> Cell<T> {
    fatalError("unavailable")
}

/// Explains what is wrong.
@available(
    *,
    unavailable,
    message: "an outlet is attached to a cell: source --^ Cell(initialValue: …) --< (outlet, { … })"
)
public func --< <T>(
    source: EventSource<T>,
    args: (outlet: MainOutlet<T>, f: @MainActor @Sendable (T) -> Void)
) -> Cell<T> {
    fatalError("unavailable")
}

/// Explains what is wrong.
@available(
    *,
    unavailable,
    message: "an outlet is attached to a cell: stream --^ Cell(initialValue: …) --< (outlet, { … })"
)
public func --< <T>(stream: EventStream<T>, args: (outlet: Outlet<T>, f: @Sendable (T) -> Void)) -> Cell<T> {
    fatalError("unavailable")
}

/// Explains what is wrong.
@available(
    *,
    unavailable,
    message: "an outlet is attached to a cell: stream --^ Cell(initialValue: …) --< (outlet, { … })"
)
public func --< <T>(
    stream: EventStream<T>,
    args: (outlet: MainOutlet<T>, f: @MainActor @Sendable (T) -> Void)
) -> Cell<T> {
    fatalError("unavailable")
}

// A function of the main actor with a plain `Outlet` has no text of its own: overloads are chosen before isolation is
// checked. The compiler's message then, "loses global actor 'MainActor'", is a fixture of the tests.
