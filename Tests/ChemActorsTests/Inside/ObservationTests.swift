import ChemBase
import Testing

@testable import ChemActors

@Suite("What is seen of a reaction, as a value")
struct ObservationTests {
    private let observation = Observation(number: 1, of: "observed", .flight, nil)

    /// What a body injects into a definition that it has made.
    private func output(_ molecule: String, of definition: String, slot: Int) -> Observation.Output {
        let slot = Slot.Identity(slot: ObjectIdentifier(Self.slots[slot]), definition: 2)
        return Observation.Output(slot: slot, definition: definition, molecule: molecule, isCall: false)
    }

    private final class Place: Sendable {}
    private static let slots = (0..<10_000).map { _ in Place() }

    @Test("Of a body that makes a definition each time, and injects into it, the last four are kept")
    func outputsOfManyDefinitions() {
        #expect(observation.add(output("in", of: "session", slot: 0), ofReaction: 0) == true)
        for slot in 1..<10_000 {
            #expect(observation.add(output("in", of: "session", slot: slot), ofReaction: 0) == false)
        }
        let held = observation.reactions[0].outputs
        #expect(held == (9_996..<10_000).map { output("in", of: "session", slot: $0) })
    }

    @Test("Of very many different outputs, 64 are kept, and the others are no news")
    func manyOutputs() {
        for slot in 0..<64 { #expect(observation.add(output("\(slot)", of: "d", slot: slot), ofReaction: 0) == true) }
        for slot in 64..<1_000 {
            #expect(observation.add(output("\(slot)", of: "d", slot: slot), ofReaction: 0) == false)
        }
        #expect(observation.add(output("3", of: "d", slot: 3), ofReaction: 0) == nil, "it is known")
        #expect(observation.reactions[0].outputs.count == 64)
    }

    @Test("A flight recorder reads its clock again before sixteen bodies of a turn have passed")
    func roughTimes() {
        let notes = ReactionNotes([])
        for _ in 0..<96 {
            let number = observation.starts(notes, isInWorker: true)
            let begin = Platform.monotonicNanoseconds
            while Platform.monotonicNanoseconds < begin + 1_000_000 {}
            observation.ended(notes, number, isInWorker: true)
        }
        let starts = observation.events().all().filter { $0.kind == .started }.map(\.stamp)
        #expect(starts.count == 96)
        // Each of six looks comes at least sixteen milliseconds behind the one before.
        #expect(Set(starts).count >= 6)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
