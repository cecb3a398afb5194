// Blocks that can't be meant, and what the compiler says of them.

extension DataOpBuilder {
    /// Explains which part of the block is missing.
    @available(*, unavailable, message: "an operator needs an input: begin the block with a trigger or a zip")
    public static func buildPartialBlock<F>(first: F) -> DataOp { fatalError("unavailable") }

    /// Explains which part of the block is missing.
    @available(
        *,
        unavailable,
        message: "an operator needs an input that makes it run: a trigger (>!) or a zip (>%); reads (>?) never do"
    )
    public static func buildPartialBlock<each A, F>(accumulated: DataOpReads<repeat each A>, next: F) -> DataOp {
        fatalError("unavailable")
    }

    /// Explains which part of the block doesn't fit.
    @available(
        *,
        unavailable,
        message: "behind its inputs an operator needs a @Sendable function that takes their values, in this order"
    )
    public static func buildPartialBlock<each A, F>(accumulated: DataOpInputs<repeat each A>, next: F) -> DataOp {
        fatalError("unavailable")
    }

    /// Explains which part of the block doesn't fit.
    @available(*, unavailable, message: "this output doesn't have the type of the function's result")
    public static func buildPartialBlock<R, F>(accumulated: DataOpFunction<R>, next: F) -> DataOp {
        fatalError("unavailable")
    }

    /// Explains which part of the block doesn't fit.
    @available(*, unavailable, message: "this output doesn't have the type of the function's next result")
    public static func buildPartialBlock<R, each Rest, F>(
        accumulated: DataOpOutputs<R, repeat each Rest>,
        next: F
    ) -> DataOp {
        fatalError("unavailable")
    }

    /// Explains which part of the block is too much.
    @available(*, unavailable, message: "the block has more outputs than its function has results")
    public static func buildPartialBlock<F>(accumulated: DataOp, next: F) -> DataOp { fatalError("unavailable") }

    /// Explains which part of the block is missing.
    @available(*, unavailable, message: "an operator needs at least one output: end the block with ~>store")
    public static func buildFinalResult<R>(_ block: DataOpFunction<R>) -> DataOp { fatalError("unavailable") }

    /// Explains which part of the block is missing.
    @available(*, unavailable, message: "an operator needs a function and at least one output")
    public static func buildFinalResult<each A>(_ block: DataOpInputs<repeat each A>) -> DataOp {
        fatalError("unavailable")
    }

    /// Explains which part of the block is missing.
    @available(
        *,
        unavailable,
        message: "an operator needs an input that makes it run: a trigger (>!) or a zip (>%); reads (>?) never do"
    )
    public static func buildFinalResult<each A>(_ block: DataOpReads<repeat each A>) -> DataOp {
        fatalError("unavailable")
    }

    /// Explains which part of the block is missing.
    @available(*, unavailable, message: "the function has more results than the block has outputs")
    public static func buildFinalResult<R, each Rest>(_ block: DataOpOutputs<R, repeat each Rest>) -> DataOp {
        fatalError("unavailable")
    }
}
