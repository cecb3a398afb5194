import ChemActors
import Dispatch

/// The ways in which a call can be answered: `answer` in the calling task, in a worker on an executor, asynchronously,
/// or by a reply.
enum Path: CaseIterable, Sendable {
    case inline, executor, asynchronous, suspending, worker, asynchronousWorker

    func configuration(_ log: EventLog? = nil) -> ChemicalMachine.Configuration {
        let executor: SerialExecutor? = self == .executor ? SerialExecutor() : nil
        return ChemicalMachine.Configuration(executor: executor, reporter: { log?.add($0) }, patience: nil)
    }

    /// A definition `call & partner` whose answer `body` computes.
    func define<X: Sendable, Y: Sendable, Z: Sendable>(
        _ name: String,
        _ log: EventLog? = nil,
        _ body: @escaping @Sendable (X, Y) throws -> Z
    ) -> (FastMolecule<X, Z>, SlowMolecule<Y>) {
        let (call, partner, _) = defineHandled(name, log, body)
        return (call, partner)
    }

    func defineHandled<X: Sendable, Y: Sendable, Z: Sendable>(
        _ name: String,
        _ log: EventLog? = nil,
        _ body: @escaping @Sendable (X, Y) throws -> Z
    ) -> (FastMolecule<X, Z>, SlowMolecule<Y>, Join) {
        ChemicalMachine(configuration(log)).define(name) {
            (join: inout Join.Builder) -> (FastMolecule<X, Z>, SlowMolecule<Y>, Join) in
            let call = join.fast("call", of: X.self, returning: Z.self)
            let partner = join.slow("partner", of: Y.self)
            switch self {
            case .inline, .executor: join.answer(call, with: partner) { x, y in try body(x, y) }
            case .asynchronous: join.answer(call, with: partner) { x, y async throws in try body(x, y) }
            case .suspending:
                join.answer(call, with: partner) { x, y async throws in
                    await Task.yield()
                    return try body(x, y)
                }
            case .worker: join.when(call, partner) { reply, y in reply(try body(reply.value, y)) }
            case .asynchronousWorker:
                join.when(call, partner) { reply, y async throws in
                    await Task.yield()
                    reply(try body(reply.value, y))
                }
            }
            return (call, partner, join.definition)
        }
    }

    /// The sum of what the call and its partner carry.
    func sum(_ log: EventLog? = nil) -> (call: FastMolecule<Int, Int>, partner: SlowMolecule<Int>, definition: Join) {
        defineHandled("sum", log) { $0 + $1 }
    }
}

/// One thread, on which everything of a machine runs.
final class SerialExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "SerialExecutor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
