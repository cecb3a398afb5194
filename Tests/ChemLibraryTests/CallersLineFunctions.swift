import ChemActors
import ChemLibrary
import Dispatch
import Testing

/// A function, which is called one line below the title.
struct FunctionRow: Sendable, CustomTestStringConvertible {
    let title: String
    /// What the definition is called.
    let name: String
    /// Where it is called.
    let location: String
    let call: @Sendable (ChemicalMachine.Configuration, Scene) async throws -> Void

    var testDescription: String { title }

    static let all: [FunctionRow] = {
        var rows: [FunctionRow] = []
        rows.add("withTimeout", in: "timeout") { c, scene in
            try await withTimeout(.seconds(3600), configuration: c) { try await scene.wait() }
        }
        rows.add("firstResult") { c, scene in
            _ = try await firstResult(of: { try await scene.wait() as Int }, configuration: c)
        }
        rows.add("firstResult") { c, scene in
            _ = try await firstResult(of: scene.waitingJobs, configuration: c)
        }
        rows.add("parallelOr", in: "firstResult") { c, scene in
            _ = try await parallelOr([{ try await scene.wait() }], configuration: c)
        }
        rows.add("forkJoin") { c, scene in
            _ = try await forkJoin(1, configuration: c, split: { _ in scene.block([]) }, solve: { $0 }, join: { $0[0] })
        }
        rows.add("runAll") { c, scene in
            _ = try await runAll(scene.waitingJobs, configuration: c)
        }
        rows.add("runAll") { c, scene in
            _ = try await runAll(scene.blockingJobs, configuration: c)
        }
        rows.add("runAll") { c, scene in
            _ = try await runAll([1], configuration: c) { _ in try await scene.wait() as Int }
        }
        rows.add("runAll") { c, scene in
            _ = try await runAll([1], configuration: c) { _ in scene.block(1) }
        }
        rows.add("settleAll", in: "runAll") { c, scene in
            _ = try await settleAll([1], configuration: c) { _ in try await scene.wait() as Int }
        }
        rows.add("settleAll", in: "runAll") { c, scene in
            _ = try await settleAll([1], configuration: c) { _ in scene.block(1) }
        }
        rows.add("settleAll", in: "runAll") { c, scene in
            _ = try await settleAll(scene.waitingJobs, configuration: c)
        }
        rows.add("settleAll", in: "runAll") { c, scene in
            _ = try await settleAll(scene.blockingJobs, configuration: c)
        }
        rows.add("mapReduce") { c, scene in
            _ = try await mapReduce(
                [1, 2],
                configuration: c,
                map: { _ in try await scene.wait() as Int },
                reduce: { $0 + $1 }
            )
        }
        rows.add("mapReduce") { c, scene in
            _ = try await mapReduce(
                [1, 2],
                into: 0,
                configuration: c,
                map: { _ in try await scene.wait() as Int },
                reduce: { $0 + $1 }
            )
        }
        rows.add("mapReduce") { c, scene in
            _ = try await mapReduce([1, 2], configuration: c, map: { scene.block($0) }, reduce: { $0 + $1 })
        }
        rows.add("mapReduce") { c, scene in
            _ = try await mapReduce([1, 2], into: 0, configuration: c, map: { scene.block($0) }, reduce: { $0 + $1 })
        }
        return rows
    }()
}

extension [FunctionRow] {
    fileprivate mutating func add(
        _ title: String,
        in name: String? = nil,
        fileID: StaticString = #fileID,
        line: Int = #line,
        _ call: @escaping @Sendable (ChemicalMachine.Configuration, Scene) async throws -> Void
    ) {
        append(FunctionRow(title: title, name: name ?? title, location: "\(fileID):\(line + 1)", call: call))
    }
}

/// Runs in the bodies of a function: finds its machine, and keeps it waiting.
final class Scene: Sendable {
    private let found = Locked<ChemicalMachine?>(nil)
    private let group = DispatchGroup()

    init() { group.enter() }

    /// The machine that the function has made, as soon as one of its bodies runs.
    var machine: ChemicalMachine? { found.value }

    /// Lets blocked threads go on.
    func end() { group.leave() }

    var waitingJobs: [@concurrent @Sendable () async throws -> Int] { [{ [self] in try await wait() }] }

    var blockingJobs: [@Sendable () throws -> Int] { [{ [self] in block(1) }] }

    /// Waits until the task is cancelled.
    @concurrent
    func wait<Value>() async throws -> Value {
        found.update { $0 = Join.machineOfBody }
        return try await never()
    }

    /// Blocks the thread until the end, and returns `value`.
    func block<Value>(_ value: Value) -> Value {
        found.update { $0 = Join.machineOfBody }
        group.wait()
        return value
    }
}
