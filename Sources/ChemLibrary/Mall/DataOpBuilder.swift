public import Flow

/// Puts the lines of an `op` block together: inputs, the function, outputs.
///
/// The compiler checks that one input makes the operator run, that the function takes the inputs in their order, and
/// that each result has an output of its type.
@resultBuilder
public enum DataOpBuilder: Sendable {
    // MARK: Inputs

    /// The first input.
    public static func buildPartialBlock<A>(first: Trigger<A>) -> DataOpInputs<A> {
        DataOpInputs((first.port), [first.port.input])
    }

    /// The first input.
    public static func buildPartialBlock<A>(first: MallZip<A>) -> DataOpInputs<A> {
        DataOpInputs((first.port), [first.port.input])
    }

    /// The first input.
    public static func buildPartialBlock<A>(first: Reads<A>) -> DataOpReads<A> {
        DataOpReads((first.port), [first.port.input])
    }

    /// Another input.
    public static func buildPartialBlock<each A, B>(
        accumulated: DataOpInputs<repeat each A>,
        next: Trigger<B>
    ) -> DataOpInputs<repeat each A, B> {
        let port = next.port.at(accumulated.inputs.count)
        return DataOpInputs((repeat each accumulated.ports, port), accumulated.inputs + [port.input])
    }

    /// Another input.
    public static func buildPartialBlock<each A, B>(
        accumulated: DataOpInputs<repeat each A>,
        next: MallZip<B>
    ) -> DataOpInputs<repeat each A, B> {
        let port = next.port.at(accumulated.inputs.count)
        return DataOpInputs((repeat each accumulated.ports, port), accumulated.inputs + [port.input])
    }

    /// Another input.
    public static func buildPartialBlock<each A, B>(
        accumulated: DataOpInputs<repeat each A>,
        next: Reads<B>
    ) -> DataOpInputs<repeat each A, B> {
        let port = next.port.at(accumulated.inputs.count)
        return DataOpInputs((repeat each accumulated.ports, port), accumulated.inputs + [port.input])
    }

    /// The first input that makes the operator run.
    public static func buildPartialBlock<each A, B>(
        accumulated: DataOpReads<repeat each A>,
        next: Trigger<B>
    ) -> DataOpInputs<repeat each A, B> {
        let port = next.port.at(accumulated.inputs.count)
        return DataOpInputs((repeat each accumulated.ports, port), accumulated.inputs + [port.input])
    }

    /// The first input that makes the operator run.
    public static func buildPartialBlock<each A, B>(
        accumulated: DataOpReads<repeat each A>,
        next: MallZip<B>
    ) -> DataOpInputs<repeat each A, B> {
        let port = next.port.at(accumulated.inputs.count)
        return DataOpInputs((repeat each accumulated.ports, port), accumulated.inputs + [port.input])
    }

    /// Another input.
    public static func buildPartialBlock<each A, B>(
        accumulated: DataOpReads<repeat each A>,
        next: Reads<B>
    ) -> DataOpReads<repeat each A, B> {
        let port = next.port.at(accumulated.inputs.count)
        return DataOpReads((repeat each accumulated.ports, port), accumulated.inputs + [port.input])
    }

    // MARK: The function

    /// A function that runs within the wave.
    @inlinable
    public static func buildPartialBlock<each A, R>(
        accumulated: DataOpInputs<repeat each A>,
        next function: @escaping @Sendable (repeat each A) throws -> R
    ) -> DataOpFunction<R> {
        let ports = accumulated.ports
        return DataOpFunction(accumulated.inputs, isAsynchronous: false) { compiler, operation, write in
            let readers = (repeat (each ports).reader(compiler, operation))
            let zip = ZipState(compiler, operation)
            let fail = compiler.failure(operation)
            compiler.onAny(operation) {
                let isComplete = zip.isComplete
                let values = (repeat (each readers).read(isComplete: isComplete))
                if isComplete { zip.taken() }
                do { write(try function(repeat each values)) } catch { fail(error) }
            }
        }
    }

    /// A function that may suspend: the wave waits for it.
    public static func buildPartialBlock<each A, R>(
        accumulated: DataOpInputs<repeat each A>,
        next function: @escaping @concurrent @Sendable (repeat each A) async throws -> R
    ) -> DataOpFunction<R> {
        suspending(accumulated, function, onMainActor: false)
    }

    /// A function that runs on the main actor: the wave waits for it.
    ///
    /// The third parameter only makes this a distinct declaration: the isolation of a function type doesn't.
    public static func buildPartialBlock<each A, R>(
        accumulated: DataOpInputs<repeat each A>,
        next function: @escaping @MainActor @Sendable (repeat each A) throws -> R,
        on actor: MainActor.Type = MainActor.self
    ) -> DataOpFunction<R> {
        suspending(
            accumulated,
            { @MainActor (values: repeat each A) in try function(repeat each values) },
            onMainActor: true
        )
    }

    // MARK: One output

    /// An output for the function's result.
    @inlinable
    public static func buildPartialBlock<R>(accumulated: DataOpFunction<R>, next: OutputNode<R>) -> DataOp {
        let target = next.target
        return accumulated.writing(to: target.outputs) { compiler, operation in target.writer(compiler, operation, 0) }
    }

    /// An output that may also hold nil.
    @inlinable
    public static func buildPartialBlock<R>(accumulated: DataOpFunction<R>, next: OutputNode<R?>) -> DataOp {
        accumulated.writing(to: next.target) { .value($0) }
    }

    /// No output: the result is dropped.
    @inlinable
    public static func buildPartialBlock<R>(accumulated: DataOpFunction<R>, next: OutputNode<Discarded>) -> DataOp {
        accumulated.writing(to: []) { _, _ in FlowEmitter(FlowReceiver { _ in }) }
    }

    /// A filter: the value goes to the output if the function returns `true` with it.
    @inlinable
    public static func buildPartialBlock<R>(accumulated: DataOpFunction<(Bool, R)>, next: OutputNode<R>) -> DataOp {
        accumulated.writing(to: next.target) { $0.0 ? .value($0.1) : .stop }
    }

    /// A filter whose output may also hold nil.
    @inlinable
    public static func buildPartialBlock<R>(accumulated: DataOpFunction<(Bool, R)>, next: OutputNode<R?>) -> DataOp {
        accumulated.writing(to: next.target) { $0.0 ? .value($0.1) : .stop }
    }

    /// A filter: the value goes to the output unless the function withholds it.
    @inlinable
    public static func buildPartialBlock<R>(
        accumulated: DataOpFunction<PossibleResult<R>>,
        next: OutputNode<R>
    ) -> DataOp {
        accumulated.writing(to: next.target) { $0 }
    }

    /// A filter whose output may also hold nil.
    @inlinable
    public static func buildPartialBlock<R>(
        accumulated: DataOpFunction<PossibleResult<R>>,
        next: OutputNode<R?>
    ) -> DataOp {
        accumulated.writing(to: next.target) {
            if case .value(let value) = $0 { .value(value) } else { .stop }
        }
    }

    // MARK: Two truth values

    /// A filter of Booleans, or the first of two outputs.
    public static func buildPartialBlock(
        accumulated: DataOpFunction<(Bool, Bool)>,
        next: OutputNode<Bool>
    ) -> DataOpFilterOrPair {
        DataOpFilterOrPair(function: accumulated, first: next.target)
    }

    /// The second of two outputs.
    public static func buildPartialBlock(accumulated: DataOpFilterOrPair, next: OutputNode<Bool>) -> DataOp {
        let (first, second) = (accumulated.first, next.target)
        return accumulated.function.writing(to: first.outputs + second.outputs) { compiler, operation in
            let (writeFirst, writeSecond) = (
                first.writer(compiler, operation, 0), second.writer(compiler, operation, 1)
            )
            return FlowEmitter(
                FlowReceiver(of: (Bool, Bool).self) {
                    writeFirst($0.0)
                    writeSecond($0.1)
                }
            )
        }
    }

    /// A filter of Booleans.
    public static func buildFinalResult(_ block: DataOpFilterOrPair) -> DataOp {
        block.function.writing(to: block.first) { $0.0 ? .value($0.1) : .stop }
    }

    // MARK: Further outputs

    /// An output for the next result.
    public static func buildPartialBlock<R, each Rest>(
        accumulated: DataOpOutputs<R, repeat each Rest>,
        next: OutputNode<R>
    ) -> DataOpOutputs<repeat each Rest> {
        DataOpOutputs(accumulated.targets + [next.target], accumulated.finish)
    }

    /// An output for the next result, which may also hold nil.
    public static func buildPartialBlock<R, each Rest>(
        accumulated: DataOpOutputs<R, repeat each Rest>,
        next: OutputNode<R?>
    ) -> DataOpOutputs<repeat each Rest> {
        DataOpOutputs(accumulated.targets + [next.target.promoting(R.self)], accumulated.finish)
    }

    /// An output for the next result, whose value may be withheld.
    public static func buildPartialBlock<R, each Rest>(
        accumulated: DataOpOutputs<PossibleResult<R>, repeat each Rest>,
        next: OutputNode<R>
    ) -> DataOpOutputs<repeat each Rest> {
        DataOpOutputs(accumulated.targets + [next.target.filtering()], accumulated.finish)
    }

    /// Drops the next result.
    public static func buildPartialBlock<R, each Rest>(
        accumulated: DataOpOutputs<R, repeat each Rest>,
        next: OutputNode<Discarded>
    ) -> DataOpOutputs<repeat each Rest> {
        DataOpOutputs(accumulated.targets + [Target<R>()], accumulated.finish)
    }

    /// Completes the block.
    public static func buildFinalResult(_ block: DataOp) -> DataOp { block }

    /// Completes the block.
    public static func buildFinalResult(_ block: DataOpOutputs<>) -> DataOp { block.finish(block.targets) }
}

extension DataOpBuilder {
    private static func suspending<each A, R>(
        _ accumulated: DataOpInputs<repeat each A>,
        _ function: @escaping @concurrent @Sendable (repeat each A) async throws -> R,
        onMainActor: Bool
    ) -> DataOpFunction<R> {
        DataOpFunction(accumulated.inputs, isAsynchronous: true) { compiler, operation, write in
            let fail = compiler.failure(operation)
            let start = starter(accumulated, function, compiler, operation)
            compiler.onAny(operation, onMainActor: onMainActor) { job(start(), write, fail) }
        }
    }

    // These are separate functions: as nested closures with a pack, they crash Swift 6.3.1.

    /// Reads the inputs, and returns a call of `function` with them.
    private static func starter<each A, R>(
        _ accumulated: DataOpInputs<repeat each A>,
        _ function: @escaping @concurrent @Sendable (repeat each A) async throws -> R,
        _ compiler: FlowCompiler,
        _ operation: FlowOperator
    ) -> () -> @concurrent @Sendable () async throws -> R {
        let ports = accumulated.ports
        let readers = (repeat (each ports).reader(compiler, operation))
        let zip = ZipState(compiler, operation)
        return {
            let isComplete = zip.isComplete
            let values = (repeat (each readers).read(isComplete: isComplete))
            if isComplete { zip.taken() }
            return call(function, repeat each values)
        }
    }

    /// Wraps a call of `function`.
    private static func call<each A: Sendable, R>(
        _ function: @escaping @concurrent @Sendable (repeat each A) async throws -> R,
        _ values: repeat each A
    ) -> @concurrent @Sendable () async throws -> R {
        { try await function(repeat each values) }
    }

    /// The work that the wave waits for. The function it returns runs in the wave.
    private static func job<R: Sendable>(
        _ call: @escaping @concurrent @Sendable () async throws -> R,
        _ write: FlowEmitter<R>,
        _ fail: @escaping (any Error) -> Void
    ) -> @Sendable () async -> @Sendable () -> Void {
        // Checked by hand: called in the wave, by the reaction that has the core.
        nonisolated(unsafe) let write = write
        nonisolated(unsafe) let fail = fail
        return {
            do {
                let result = try await call()
                return { write(result) }
            } catch {
                return { fail(error) }
            }
        }
    }
}
