import Testing

@testable import ChemActors

@Suite("Bags, as values")
struct BagTests {
    /// A value that is seen to be released.
    private final class Token: Sendable {
        let number: Int
        private let living: Guarded<Int>

        init(_ number: Int, _ living: Guarded<Int>) {
            self.number = number
            self.living = living
            living.withLock { $0 += 1 }
        }

        deinit { living.withLock { $0 -= 1 } }
    }

    @Test("What is put is taken, once, in 100 seeds of random puts, takes and absorptions", arguments: [true, false])
    func likeAnArray(isOldestFirst: Bool) {
        for seed in UInt64(1)...100 {
            let living = Guarded(0)
            var random = SeededGenerator(seed: seed)
            var bag = Bag<Token>()
            var expected: [Int] = []
            var next = 0
            for _ in 0..<300 {
                switch random.below(5) {
                case 0, 1:
                    bag.put(Token(next, living))
                    expected.append(next)
                    next += 1
                case 2:
                    var other = Bag<Token>()
                    for _ in 0..<random.below(6) {
                        other.put(Token(next, living))
                        expected.append(next)
                        next += 1
                    }
                    bag.absorb(&other)
                    #expect(other.count == 0)
                default:
                    guard bag.count > 0 else { continue }
                    let taken = isOldestFirst ? bag.takeOldest().number : bag.takeRandom(&random).number
                    if isOldestFirst { #expect(taken == expected[0], "seed \(seed)") }
                    guard let place = expected.firstIndex(of: taken) else {
                        Issue.record("seed \(seed): \(taken) was taken twice")
                        return
                    }
                    expected.remove(at: place)
                }
                #expect(bag.count == expected.count, "seed \(seed)")
            }
            #expect(living.withLock { $0 } == expected.count, "seed \(seed)")
            _ = consume bag
            #expect(living.withLock { $0 } == 0, "seed \(seed)")
        }
    }

    @Test("A random copy is any one, with the same chance")
    func chances() {
        var random = SeededGenerator(seed: 3)
        var counts = Array(repeating: 0, count: 5)
        for _ in 0..<20_000 {
            var bag = Bag<Int>()
            for number in 0..<5 { bag.put(number) }
            counts[bag.takeRandom(&random)] += 1
        }
        for count in counts { #expect((3_700...4_300).contains(count), "\(counts)") }
    }

    /// A value of 1,024 bytes.
    private struct Page {
        var line = (0, 0, 0, 0, 0, 0, 0, 0)
        var lines:
            (
                SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>, SIMD8<Int64>, SIMD8<Int64>, SIMD8<Int64>
            ) = (.zero, .zero, .zero, .zero, .zero, .zero)
    }

    @Test("An empty bag gives a megabyte of memory back, whatever the size of its values, and keeps less")
    func memoryIsGivenBackByBytes() {
        #expect(MemoryLayout<Page>.stride == 1_024)
        var random = SeededGenerator(seed: 1)
        var pages = Bag<Page>()
        for _ in 0..<1_025 { pages.put(Page()) }
        #expect(pages.capacity > 1_024)
        while pages.count > 0 { _ = pages.takeRandom(&random) }
        #expect(pages.capacity == 0)

        var bytes = Bag<UInt8>()
        for _ in 0..<1_025 { bytes.put(1) }
        while bytes.count > 0 { _ = bytes.takeOldest() }
        // A kilobyte is kept for the next ones.
        #expect(bytes.capacity > 1_024)
        for _ in 0..<(1 << 21) { bytes.put(1) }
        while bytes.count > 0 { _ = bytes.takeOldest() }
        #expect(bytes.capacity == 0)
    }
}
