import ChemActors
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Who looks at a machine may meet a definition whose closure is still declaring. Made for ThreadSanitizer.
@Suite("Looking at definitions that are just being made", .serialized, .endsInTime)
struct LookingWhileDefiningTests {
    private enum Size: CaseIterable { case small, large }

    private final class Looks: Sendable {
        let count = Atomic<Int>(0)
    }

    // A definition with something of everything that a closure can say. It goes on until somebody has looked twice.
    private func define(on machine: ChemicalMachine, _ looks: Looks) -> FastMolecule<Void, Int> {
        machine.define("shop") { join in
            let open = join.state("open", true)
            let letter = join.slow("letter", of: Int.self)
            let letters = join.parts(of: letter) { $0 > 20 ? Size.large : .small }
            let (paid, ordered) = (join.slow("paid", of: Int.self), join.slow("ordered", of: Int.self))
            let (coin, done) = (join.slow("coin"), join.slow("done"))
            let job = join.bounded("job", of: Int.self, capacity: 2)
            let total = join.fast("total", returning: Int.self)
            join.describe(letter) { "no. \($0)" }
            join.describe(job) { "job \($0)" }
            let small = join.when(letters[.small]) { _ in done() }
            // Until somebody has looked in the middle, from beginning to end. A relaxed load puts nothing in order.
            let before = looks.count.load(ordering: .relaxed)
            var rest = 100
            while looks.count.load(ordering: .relaxed) < before + 2 {
                if rest > 0 { small.produces(done) }
                rest -= 1
            }
            join.when(letters[.large], updating: open.while { $0 }) { open, _ in open = false }
            join.when(ordered, paid, matching: \.self, \.self) { _, _ in coin() }.produces(coin, done)
            join.when(coin) { _ in }.mayCompete().produces(done)
            join.when(coin) { _ in }.mayCompete()
            join.when(job, done) { _, _ in }
            join.answer(total, reading: open) { _, _ in 1 }
            return total
        }
    }

    @Test(
        "Nobody who looks disturbs the closure, or is disturbed by it",
        arguments: [EventRecorder.off, .full(limit: 64)]
    )
    func lookingMeetsDefining(_ recorder: EventRecorder) async throws {
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: recorder)
        )
        let (looks, isOver) = (Looks(), Shared(false))
        // Both on threads of their own: they meet in the middle, and neither waits for other tests.
        DispatchQueue(label: "defining").async {
            for _ in 1...(Soak.isOn ? 5_000 : 100) { extendLifetime(define(on: machine, looks)) }
            isOver.update { $0 = true }
        }
        let drawn = await withCheckedContinuation { continuation in
            DispatchQueue(label: "looking").async {
                var drawn: Set<String> = []
                while !isOver.value {
                    // Those that were complete when they dissolved are drawn as well, if they are recorded.
                    if let last = machine.drawings.last { drawn.insert(last.mermaid) }
                    #expect(machine.explainStuck().calls.isEmpty)
                    #expect(machine.census().waitingCalls == 0)
                    #expect(machine.recording().events.isEmpty)
                    looks.count.add(1, ordering: .relaxed)
                }
                continuation.resume(returning: drawn)
            }
        }
        // What is bounded has a reaction of its own.
        let half = drawn.filter { $0.contains("r1[") && !$0.contains("r2[") }
        #expect(!half.isEmpty, "None has been met in the middle: \(drawn)")
        // However often it is said.
        #expect(half.allSatisfy { $0.split(separator: "r1 -->").count <= 2 }, "\(half)")
    }
}
