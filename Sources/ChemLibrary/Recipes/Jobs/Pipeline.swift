public import ChemActors
import ChemBase

/// The plan of a pipeline: stages that values pass through in order, each of which may work on several values at once.
///
/// ```swift
/// let pipeline = Pipeline(atMost: 4) { (name: String) in try await load(name) }
///     .stage { image in try await shrink(image) }
///     .start(capacity: 16)
/// ```
///
/// ``start(capacity:name:fileID:line:)`` makes a running pipeline. A plan can be started several times.
///
/// Source: JoCaml's tutorial; Apple's stages of `AsyncSequence.map` hold at most one value each, and one value in all
/// stages together unless there is a buffer.
public struct Pipeline<Input: Sendable, Output: Sendable>: Sendable {
    /// Declares the stages, behind what gives them their inputs.
    private let declare: @Sendable (PipelineEnd<Input>, inout Join.Builder) -> PipelineEnd<Output>

    /// A pipeline of one stage.
    ///
    /// - Parameters:
    ///   - limit: How many values may be in the stage at once, including finished ones that wait for the next stage; at
    ///     least 1.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - work: What the stage does with a value.
    public init(
        atMost limit: Int = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ work: @escaping @concurrent @Sendable (Input) async throws -> Output
    ) {
        demand(limit >= 1, "a stage needs room for at least 1 value, not \(limit)", fileID, line)
        declare = { entry, join in declareStage(1, limit, work, after: entry.ready, free: entry.free, in: &join) }
    }

    private init(
        _ declare: @escaping @Sendable (PipelineEnd<Input>, inout Join.Builder) -> PipelineEnd<Output>
    ) {
        self.declare = declare
    }

    /// The same pipeline with one more stage.
    ///
    /// - Parameters:
    ///   - limit: How many values may be in the stage at once, including finished ones that wait for the next stage; at
    ///     least 1.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - work: What the stage does with a value.
    /// - Returns: the longer pipeline.
    public func stage<Next: Sendable>(
        atMost limit: Int = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ work: @escaping @concurrent @Sendable (Output) async throws -> Next
    ) -> Pipeline<Input, Next> {
        demand(limit >= 1, "a stage needs room for at least 1 value, not \(limit)", fileID, line)
        return Pipeline<Input, Next> { [declare] input, join in
            let end = declare(input, &join)
            return declareStage(end.number + 1, limit, work, after: end.ready, free: end.free, in: &join)
        }
    }

    /// Starts a pipeline with these stages.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait for the first stage, at least 1.
    ///   - name: What the pipeline is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: both ends of the pipeline.
    public func start(
        capacity: Int = 1,
        name: String = "pipeline",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RunningPipeline<Input, Output> {
        demand(capacity >= 1, "a pipeline needs room for at least 1 value, not \(capacity)", fileID, line)
        let (send, finish, finishing, receive, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let send = join.fast("send", of: PipelineItem<Input>.self, order: .oldestFirst)
            let (finish, finishing) = (join.fast("finish"), join.slow("finishing"))
            let receive = join.fast("receive", returning: Output?.self, order: .oldestFirst)
            let entry = declareEntry(send, finish, finishing, capacity, name, in: &join)
            let end = declare(entry, &join)
            join.when(receive, end.ready) { reply, item in
                guard let item else {
                    // The end stays, for later callers.
                    end.ready(nil)
                    return reply(nil)
                }
                end.free()
                reply.end(with: item.map(Output?.some))
            }
            return (send, finish, finishing, receive, join.definition)
        }
        return RunningPipeline(
            input: send,
            end: finish,
            ending: finishing,
            receive: receive,
            definition: definition
        )
    }
}

/// Both ends of a running pipeline.
///
/// ```swift
/// Task {
///     for name in names { try await pipeline.send(name) }
///     try await pipeline.finish()
/// }
/// while let image = try await pipeline.receive() { show(image) }
/// ```
///
/// Results come in the order in which the values were sent. No buffer grows without bound: a sender waits while the
/// first stage is full, a stage waits while the next one is full, and the last stage waits for the receiver.
public struct RunningPipeline<Input: Sendable, Output: Sendable>: Exportable {
    private let input: FastMolecule<PipelineItem<Input>, Void>
    private let end: FastMolecule<Void, Void>
    /// The same, for those who are cancelled.
    private let ending: SlowMolecule<Void>
    /// Waits for the next result, oldest caller first; nil is the end.
    ///
    /// If a stage has failed for a value, its error is thrown in place of the result, and the next call continues with
    /// the next value. A call that is cancelled takes no result.
    public let receive: FastMolecule<Void, Output?>
    private let definition: Join

    init(
        input: FastMolecule<PipelineItem<Input>, Void>,
        end: FastMolecule<Void, Void>,
        ending: SlowMolecule<Void>,
        receive: FastMolecule<Void, Output?>,
        definition: Join
    ) {
        self.input = input
        self.end = end
        self.ending = ending
        self.receive = receive
        self.definition = definition
    }

    /// Sends a value; waits while there is no room for it, oldest caller first.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: `CancellationError` if the task is cancelled while it waits, ``PipelineFinished`` if the end comes
    ///   before it, or a `CallError` if the pipeline is cancelled meanwhile. In all cases the value was not sent.
    nonisolated(nonsending) public func send(
        _ value: Input,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await input(.some(.success(value)), fileID: fileID, line: line)
    }

    /// Sends a value if there is room for it now. Works in synchronous code.
    ///
    /// - Parameter value: The value.
    /// - Returns: whether it was sent: false if there is no room, or the pipeline is finished.
    public func trySend(_ value: Input) -> Bool { (try? input.tryCall(.some(.success(value)))) != nil }

    /// Marks the end, at once: no more values will follow. Receivers get the results of the values sent before, and
    /// then nil. Senders that wait for room get ``PipelineFinished``. Does nothing if that was said before.
    ///
    /// Works in a task that is cancelled, too.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: a `CallError` if the pipeline is cancelled.
    nonisolated(nonsending) public func finish(fileID: StaticString = #fileID, line: UInt = #line) async throws {
        do {
            try await end(fileID: fileID, line: line)
        } catch is CancellationError {
            // At once, as long as nothing holds the pipeline up.
            if (try? end.tryCall()) == nil { ending() }
        }
    }

    /// Ends the pipeline at once: running stages are cancelled, values are dropped, and waiting callers get an error.
    public func cancel() { definition.deactivate() }

    /// The same pipeline, kept alive by this value.
    public var exported: RunningPipeline {
        RunningPipeline(
            input: input.exported,
            end: end.exported,
            ending: ending.exported,
            receive: receive.exported,
            definition: definition
        )
    }
}

/// The pipeline is finished: nothing can be sent.
public struct PipelineFinished: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the pipeline.
    public let pipeline: String

    /// Creates the error.
    ///
    /// - Parameter pipeline: The name of the pipeline; by default, that of one that was given none.
    public init(_ pipeline: String = "pipeline") { self.pipeline = pipeline }

    /// The error message.
    public var description: String { "'\(pipeline)' is finished: nothing can be sent." }
}

/// A value on its way, or the error of an earlier stage in its place; nil is the end.
typealias PipelineItem<Value> = Result<Value, any Error>?

/// The output of a stage, in order, and the permit that is given back for each value taken from it.
struct PipelineEnd<Value: Sendable> {
    let number: Int
    let ready: SlowMolecule<PipelineItem<Value>>
    let free: SlowMolecule<Void>
}

/// Declares what comes before the first stage: as much room as `capacity` says, and the end, behind which nothing
/// comes.
private func declareEntry<Input: Sendable>(
    _ send: FastMolecule<PipelineItem<Input>, Void>,
    _ finish: FastMolecule<Void, Void>,
    _ finishing: SlowMolecule<Void>,
    _ capacity: Int,
    _ name: String,
    in join: inout Join.Builder
) -> PipelineEnd<Input> {
    let input = join.slow("input", of: PipelineItem<Input>.self, order: .oldestFirst)
    let (room, open, finished) = (join.slow("room"), join.slow("open"), join.slow("finished"))
    // In one step: once `open` is gone, every value that was sent is in the soup already, before the end.
    join.turn(send, into: input, with: room, while: open)
    let end: @Sendable () -> Void = {
        finished()
        input(nil)
    }
    join.answer(finish, with: open) { _, _ in end() }
    join.answer(finish, with: finished) { _, _ in finished() }
    join.when(finishing, open) { _, _ in end() }
    join.when(finishing, finished) { _, _ in finished() }
    join.answer(send, with: finished) { _, _ in
        finished()
        throw PipelineFinished(name)
    }
    room.inject(contentsOf: repeatElement((), count: capacity.countable))
    open()
    return PipelineEnd(number: 0, ready: input, free: room)
}

/// Declares a stage that takes its values from `previous`, and for each gives a permit back to the stage before.
private func declareStage<Input: Sendable, Output: Sendable>(
    _ number: Int,
    _ limit: Int,
    _ work: @escaping @concurrent @Sendable (Input) async throws -> Output,
    after previous: SlowMolecule<PipelineItem<Input>>,
    free freePrevious: SlowMolecule<Void>,
    in join: inout Join.Builder
) -> PipelineEnd<Output> {
    let free = join.slow("free \(number)")
    let entry = join.state("entry \(number)", 0)
    let begin = join.slow("begin \(number)", of: (index: Int, item: PipelineItem<Input>).self)
    let done = join.slow("done \(number)", of: (index: Int, item: PipelineItem<Output>).self)
    let exit = join.state("exit \(number)", (next: 0, waiting: [Int: PipelineItem<Output>]()))
    let ready = join.slow("ready \(number)", of: PipelineItem<Output>.self, order: .oldestFirst)

    // Values are numbered where they enter.
    join.when(previous, free, updating: entry) { entry, item, _ in
        // The end needs no permit, since it may stay forever.
        if item != nil { freePrevious() } else { free() }
        begin((entry, item))
        entry += 1
    }
    join.when(begin) { index, item async in
        switch item {
        case .success(let value):
            do {
                done((index, .success(try await work(value))))
            } catch {
                done((index, .failure(error)))
            }
        case .failure(let error): done((index, .failure(error)))
        case nil: done((index, nil))
        }
    }
    // They leave in the order of their numbers.
    join.when(done, updating: exit) { exit, result in
        exit.waiting[result.index] = .some(result.item)
        while let item = exit.waiting.removeValue(forKey: exit.next) {
            exit.next += 1
            ready(item)
        }
    }
    free.inject(contentsOf: repeatElement((), count: limit.countable))
    return PipelineEnd(number: number, ready: ready, free: free)
}
