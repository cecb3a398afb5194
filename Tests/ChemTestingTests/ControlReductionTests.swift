import ChemActors
import TestSupport
import Testing

@testable import Exploring

/// What a task of the test does to a definition.
private enum Deed: String, CaseIterable {
    case inject, call, cancel, tryCall, read, count, put, tryPut, look
    case pause, resume, clear, deactivate, activate
}

/// A bag with room for one, from which calls take, and a count of what was injected.
private struct Bag: Sendable {
    let work: SlowMolecule<Void>
    let take: FastMolecule<Void, Int>
    let item: BoundedMolecule<Int>
    let done: StateReader<Int>
    let definition: Join

    init(on machine: ChemicalMachine) {
        (work, take, item, done, definition) = machine.define("bag") { join in
            let (work, item) = (join.slow("work"), join.bounded("item", of: Int.self, capacity: 1))
            let take = join.fast("take", returning: Int.self)
            let done = join.state("done", 0)
            join.when(work, updating: done) { done, _ in done += 1 }
            join.answer(take, with: item) { _, item in item }
            return (work, take, item, done.reader, join.definition)
        }
    }

    func `do`(_ deed: Deed) async -> String {
        switch deed {
        case .inject: work()
        case .call:
            do { return try await "\(take(within: .zero))" } catch { return "none" }
        case .cancel:
            let call = Task { try await take() }
            call.cancel()
            do { return try await "\(call.value)" } catch { return "\(error is CancellationError)" }
        case .tryCall: return (try? take.tryCall()).flatMap { $0 }.map { "\($0)" } ?? "nil"
        case .read: return "\(done.value)"
        case .count: return "\(definition.statistics.molecules["work"]?.injected ?? -1)"
        case .put:
            do { try await item.inject(1, within: .zero) } catch { return "full" }
        case .tryPut: return "\(item.tryInject(2))"
        case .look: return "\(definition.snapshot().molecules.count)"
        case .pause: definition.pause()
        case .resume: definition.resume()
        case .clear: definition.clear()
        case .deactivate: definition.deactivate()
        case .activate: definition.activate()
        }
        return ""
    }
}

@Suite("Who looks into a definition, withdraws from it or controls it, in every order", .endsInTime)
struct ControlReductionTests {
    @Test("No end is missed for what is left out", arguments: Deed.allCases)
    private func three(first: Deed) async throws {
        for second in Deed.allCases {
            for third in Soak.isOn ? Deed.allCases : [.inject, .tryPut, .deactivate] {
                let deeds = [first, second, third]
                let (all, allRuns) = try await ends(of: deeds, sharing: .everything)
                let (some, runs) = try await ends(of: deeds, sharing: .molecules)
                #expect(all == some, "\(deeds)")
                #expect(runs <= allRuns, "\(deeds)")
            }
        }
    }

    /// What comes of it if three tasks do something to a definition, and in how many schedules that was found out.
    private func ends(of deeds: [Deed], sharing: Sharing) async throws -> (Set<String>, runs: Int) {
        let ends = Ends()
        let outcome = try await Exploration(.exhaustive(sharing: sharing)) { machine in
            let bag = Bag(on: machine)
            async let first = bag.do(deeds[0])
            async let second = bag.do(deeds[1])
            async let third = bag.do(deeds[2])
            let results = await [first, second, third]
            bag.definition.resume()
            try await bag.definition.quiescence()
            let left = bag.definition.statistics.molecules["item"]?.present ?? -1
            ends.add("\(results), \(bag.done.value) done, \(left) left")
            bag.definition.clear()
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort, "\(deeds): \(String(describing: outcome.failed))")
        return (Set(ends.all.keys), outcome.runs)
    }
}
