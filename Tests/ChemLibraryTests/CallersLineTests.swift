import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// What the objects of the library tell of themselves while somebody waits: the name that they were given, the line
/// where they were made, and the line of the call.
@Suite("Names and lines of the library's objects", .endsInTime)
struct CallersLineTests {
    @Test(arguments: Row.all)
    func aReportNamesTheObjectAndTheLinesOfItsUser(_ row: Row) async throws {
        let configuration = ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .flight)
        try await withChemicalMachine(configuration) { machine in
            let work = row.start(machine)
            var (snapshots, report) = (machine.snapshot(), machine.explainStuck())
            func own() -> [JoinSnapshot] { snapshots.filter { $0.definition == row.name } }
            func showsCall() -> Bool {
                guard let call = row.call else { return !own().isEmpty }
                return own().contains { $0.waitingCalls.contains { $0.location == call } }
                    && report.calls.contains { $0.molecule.hasPrefix("\(row.name).") && $0.location == call }
            }
            // A call may be answered a few times before it waits.
            for _ in 0..<100_000 {
                if showsCall() { break }
                await Task.yield()
                (snapshots, report) = (machine.snapshot(), machine.explainStuck())
            }
            #expect(own().contains { $0.location == row.definition }, "\(snapshots.map(\.location))")
            #expect(showsCall(), "\(own()), \(report)")
            // Whatever else it consists of: nobody made that but the user.
            let lines = snapshots.flatMap { [$0.location] + $0.waitingCalls.map(\.location) }
            for line in lines + report.calls.map(\.location) {
                #expect(line.hasPrefix("ChemLibraryTests/CallersLine"), "\(snapshots)")
            }
            work.cancel()
            machine.deactivate()
            _ = await work.result
        }
    }

    /// A function has a machine of its own.
    @Test(arguments: FunctionRow.all)
    func aReportNamesTheLineThatHasCalledAFunction(_ row: FunctionRow) async throws {
        let configuration = ChemicalMachine.Configuration(executor: Threads(), reporter: { _ in }, patience: nil)
        let scene = Scene()
        let work = Task { try await row.call(configuration, scene) }
        try await eventually { scene.machine?.snapshot(onlyStuck: true).isEmpty == false }
        let snapshots = scene.machine?.snapshot() ?? []
        let report = scene.machine?.explainStuck()
        scene.end()
        work.cancel()
        _ = await work.result
        #expect(snapshots.map(\.definition) == [row.name])
        #expect(snapshots.map(\.location) == [row.location])
        #expect(snapshots.flatMap { $0.waitingCalls.map(\.location) } == [row.location])
        #expect(report?.calls.map(\.location) == [row.location])
    }

    @Test func theDefinitionOfJobsThatNobodyAwaitsHasANameAndALine() async throws {
        try await withChemicalMachine { machine in
            let jobs: [@concurrent @Sendable () async throws -> Void] = [{ try await never() }]
            let done = Join.define("done") { join in
                let done = join.slow("done", of: [Result<Void, any Error>].self)
                join.when(done) { _ in }
                return done
            }
            let reduced = Join.define("reduced") { join in
                let reduced = join.slow("reduced", of: Result<Int?, any Error>.self)
                join.when(reduced) { _ in }
                return reduced
            }
            let map: @concurrent @Sendable (Int) async throws -> Int = { _ in try await never() }
            let reduce: @concurrent @Sendable (Int, Int) async throws -> Int = { $0 + $1 }
            let line = #line + 1
            let running = runAllAndReport(jobs, to: done, name: "jobs")
            let mapping = mapReduceAndReport([1], to: reduced, map: map, reduce: reduce, name: "elements")
            let places = [running, mapping].map { "\($0.name) at \($0.snapshot().location)" }
            #expect(places == ["jobs at \(here(line))", "elements at \(here(line + 1))"])
            machine.deactivate()
        }
    }

    @Test func theSupervisorOfChildrenIsCalledAfterTheirParent() async throws {
        try await withChemicalMachine { machine in
            let line = #line + 3
            let options = MailboxOptions(name: "parent")
            let parent = MailboxActor(state: 0, options: options) { (_, child: MailboxActor<Int>, context) in
                context.spawn(child)
            }.start()
            parent.tell(MailboxActor(state: 0, options: MailboxOptions(name: "child")) { (_, _: Int) in })
            try await eventually { machine.snapshot().contains { $0.definition == "parent.supervisor" } }
            let supervisor = machine.snapshot().first { $0.definition == "parent.supervisor" }
            #expect(supervisor?.location == here(line))
            #expect(machine.snapshot().allSatisfy { $0.location.hasPrefix("ChemLibraryTests/CallersLine") })
            parent.cancel()
            try await parent.termination()
        }
    }

    /// `Docs/interface` says what is public.
    @Test func eachRecipeIsInTheTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let record = try String(contentsOf: root.appending(path: "Docs/interface/Recipes.txt"), encoding: .utf8)
        let covered = Set(Row.all.map(\.title) + FunctionRow.all.map(\.title))
        let types = Set(covered.map { $0.prefix { $0 != "." } })
        for line in record.split(separator: "\n") {
            let words = line.split(separator: " ").filter { $0 != "static" }
            let name = words[1].prefix { $0 != "(" && $0 != ":" }
            switch words[0] {
            case "constructor":
                let type = name.prefix { $0 != "." }
                if isMeantToHaveNone.contains(String(name)) { continue }
                #expect(words[1].contains("fileID:line:"), "\(line)")
                #expect(words[1].contains("name:fileID:line:"), "\(line)")
                #expect(types.contains(type), "\(name) has no row here")
            case "struct", "class":
                if line.contains(" Exportable,") { #expect(types.contains(name), "\(name) has no row here") }
            case "func" where words[1].contains("fileID:line:"):
                if isMeantToHaveNone.contains(String(name)) { continue }
                #expect(covered.contains(String(name)), "\(name) has no row here")
            case "var" where line.contains("ChemActors.FastMolecule<"):
                #expect(covered.contains(String(name)), "\(name) has no row here")
            default: continue
            }
        }
    }
}

/// What makes no definition, or never waits.
private let isMeantToHaveNone: Set<String> = [
    // Errors.
    "ChannelClosed.init", "PipelineFinished.init", "PromiseBroken.init",
    // They have no definition: what waits is a channel, and what has one is a running pipeline.
    "Select.init", "Pipeline.init", "Pipeline.stage", "Pipeline.start",
    // It waits for nothing.
    "RateLimit.tryAcquire",
    // Not a call that waits, but what has a line: the iteration has a row.
    "Topic.subscribe",
    // They inject at the end, and have a test of their own.
    "runAllAndReport", "mapReduceAndReport",
]

private func here(_ line: Int, fileID: StaticString = #fileID) -> String { "\(fileID):\(line)" }

/// Runs what doesn't suspend on threads of its own, where it may block.
private final class Threads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
