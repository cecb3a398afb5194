import Testing

@testable import ChemActors

@Suite("Values under tickets")
struct TicketedTests {
    /// What is done to them, against a list that is sorted whenever it is read.
    @Test("They come out as those of a sorted list do", arguments: 1...200 as ClosedRange<UInt64>)
    func model(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ticketed = Ticketed<Int>()
        var model: [UInt64: Int] = [:]
        var next: UInt64 = 0
        var late: [UInt64] = []
        for step in 0..<300 {
            switch generator.below(12) {
            case 0..<5:
                next += 1
                // Sometimes a younger ticket is faster.
                if generator.below(4) == 0 {
                    late.append(next)
                } else {
                    ticketed.insert(step, under: next)
                    model[next] = step
                }
            case 5:
                guard let ticket = late.popLast() else { continue }
                ticketed.insert(step, under: ticket)
                model[ticket] = step
            case 6..<10:
                let ticket = UInt64(generator.below(Int(next) + 2))
                #expect(ticketed.contains(ticket) == (model[ticket] != nil))
                #expect(ticketed.remove(ticket) == model.removeValue(forKey: ticket))
            case 10:
                let odd = model.filter { $0.value % 2 == 1 }.sorted { $0.key < $1.key }
                for (ticket, _) in odd { model[ticket] = nil }
                #expect(ticketed.removeAll { $0 % 2 == 1 } == odd.map(\.value))
            default:
                guard generator.below(4) == 0 else { continue }
                #expect(ticketed.removeAll() == model.sorted { $0.key < $1.key }.map(\.value))
                model = [:]
            }
            #expect(ticketed.count == model.count)
            #expect(ticketed.isEmpty == model.isEmpty)
        }
        #expect(ticketed.removeAll() == model.sorted { $0.key < $1.key }.map(\.value))
    }
}
