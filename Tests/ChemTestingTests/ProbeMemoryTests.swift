import ChemActors
import TestSupport
import Testing

@testable import ChemTesting

/// What it costs a probe to note one value more. It isn't timed but counted: how many elements are in memory where they
/// weren't before.
@Suite("The memory of probes", .endsInTime)
struct ProbeMemoryTests {
    /// Counts the elements that have been written anew from one look to the next.
    private struct Count<Element> {
        /// Kept, so that its memory isn't used again before the next look.
        private var last = Chunks<Element>()
        private(set) var written = 0

        mutating func look(at next: Chunks<Element>) {
            let known = Set(last.blocks.map(Self.address))
            for block in next.blocks where !known.contains(Self.address(block)) { written += block.count }
            last = next
        }

        private static func address(_ block: [Element]) -> UInt {
            block.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
    }

    @Test("Chunks keep their order, and leave most elements where they are")
    func chunks() {
        var chunks = Chunks<Int>()
        var count = Count<Int>()
        for number in 0..<4_096 {
            chunks.append(number)
            count.look(at: chunks)
        }
        #expect(chunks.elements == Array(0..<4_096))
        #expect(chunks.blocks.count == 1)
        // Each element is written once for itself, and again at most once for each power of two.
        #expect(count.written <= 4_096 * 13, "an array would write 8,390,656")
    }

    @Test("Copies of chunks don't see what is appended to another one")
    func copies() {
        var versions = [Chunks<Int>()]
        for number in 0..<70 {
            var next = versions[number]
            next.append(number)
            versions.append(next)
        }
        for (number, version) in versions.enumerated() {
            var other = version
            other.append(-1)
            #expect(version.elements == Array(0..<number))
            #expect(other.elements == Array(0..<number) + [-1])
            #expect(version.blocks.count == number.nonzeroBitCount)
        }
    }

    @Test("A value that comes, or a call, doesn't have a probe copy all those before it")
    func probes() async throws {
        let slow = SlowProbe<Int>()
        var arrivals = Count<SlowProbe<Int>.Arrival>()
        for number in 0..<1_024 {
            slow.molecule(number)
            #expect(try await slow.next() == number)
            arrivals.look(at: slow.arrivals.value)
        }
        #expect(arrivals.written <= 1_024 * 11, "an array would write 524,800")

        let fast = FastProbe<Int, Int> { number in -number }
        var calls = Count<Int>()
        for number in 0..<1_024 {
            #expect(try await fast.molecule(number) == -number)
            calls.look(at: fast.seen.value)
        }
        // An answer may come before what the reaction has noted is committed.
        var polling = Polling()
        while fast.arguments.count < 1_024 { await polling.pause() }
        #expect(fast.arguments == Array(0..<1_024))
        #expect(calls.written <= 1_024 * 11, "an array would write 524,800")
    }

    @Test("Hundreds of thousands of values are noted in the order in which they come")
    func many() async throws {
        let probe = SlowProbe<Int>()
        let count = heavy(200_000, debug: 20_000)
        for number in 0..<count { probe.molecule(number) }
        var polling = Polling()
        while probe.values.count < count { await polling.pause() }
        #expect(probe.values.elementsEqual(0..<count))
        #expect(probe.times.count == count)
    }
}
