import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// What is sent to an input of a mall that no operator takes would be lost in silence.
@Suite("Malls that aren't opened", .endsInTime)
struct UnopenedMallTests {
    private struct Doubler: Mall {
        let number = MallInput(0)
        static let line = #line - 1
        let other = MallInput(0)
        let doubled = MallOutput(0)

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                number>!
                Self.double
                ~>doubled
            }
        }

        private static func double(_ number: Int) -> Int { 2 * number }
    }

    /// The mishaps of a machine in which `body` runs.
    private static func events(_ body: @Sendable () async throws -> Void) async throws -> [ChemicalEvent] {
        let events = Locked<[ChemicalEvent]>([])
        let configuration = ChemicalMachine.Configuration(reporter: { event in events.update { $0.append(event) } })
        try await withChemicalMachine(configuration) { _ in try await body() }
        return events.value.filter(\.isMishap)
    }

    @Test("Sending to one is reported, once, with the line of the input")
    func isReported() async throws {
        let events = try await Self.events {
            let mall = Doubler()
            mall.number.send(1)
            try await mall.number.sendAndWait(2)
            #expect(mall.doubled.value == 0)
        }
        let event = try #require(events.first)
        #expect(events.count == 1, "\(events)")
        guard case .leadsNowhere(let location) = event.kind else { throw NeverHappened() }
        #expect(location == "\(#fileID):\(Doubler.line)")
        #expect("\(event)".contains("no operator takes: open the mall before anything is sent"))
    }

    @Test("So is sending to an input that no operator of an open mall names, and not to those that are named")
    func inputWithoutOperator() async throws {
        let events = try await Self.events {
            let mall = Doubler()
            mall.open()
            try await mall.number.sendAndWait(2)
            #expect(mall.doubled.value == 4)
            try await mall.other.sendAndWait(3)
        }
        #expect(events.count == 1, "\(events)")
        guard case .leadsNowhere(let location) = events.first?.kind else { throw NeverHappened() }
        #expect(location == "\(#fileID):\(Doubler.line + 2)")
    }
}
