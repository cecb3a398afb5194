import Testing

@testable import ChemBase

@Suite("Queues, as values")
struct FIFOTests {
    @Test("What comes first leaves first, and nothing is kept that has left, in 100 seeds")
    func likeAnArray() {
        for seed in UInt64(1)...100 {
            let living = Living()
            var random = SplitMix(state: seed)
            var queue = FIFO<(Int, Payload)>()
            var expected: [Int] = []
            var next = 0
            for _ in 0..<1_000 {
                switch Int.random(in: 0..<100, using: &random) {
                case ..<50:
                    queue.append((next, Payload(living)))
                    expected.append(next)
                    next += 1
                case ..<98:
                    let first = queue.popFirst()
                    #expect(first?.0 == (expected.isEmpty ? nil : expected.removeFirst()), "seed \(seed)")
                case 98:
                    queue.prepend(contentsOf: [(-1, Payload(living)), (-2, Payload(living))])
                    expected = [-1, -2] + expected
                default:
                    #expect(queue.removeAll().map(\.0) == expected, "seed \(seed)")
                    expected = []
                }
                #expect(queue.count == expected.count, "seed \(seed)")
                #expect(living.count == expected.count, "seed \(seed)")
                if let first = expected.first { #expect(queue[0].0 == first, "seed \(seed)") }
            }
        }
    }

    @Test("A queue that is never empty takes as much memory as it holds")
    func memory() {
        var queue = FIFO<Int>()
        for n in 0..<10 { queue.append(n) }
        for n in 10..<100_000 {
            queue.append(n)
            #expect(queue.popFirst() == n - 10)
        }
        #expect(queue.elements.count < 100)
    }
}
