import ChemActors
import ChemLibrary
import SeedNames
import TestSupport
import Testing

/// The names of the seeds, in a file that imports nothing which has the same ones.
@Suite("Names of the seeds", .endsInTime)
struct SeedNamesTests {
    @Test("CocoaJoin's counter, and channels and promises by their usual names")
    func recipes() async throws {
        let counter: Counter = Counter(from: 2)
        counter.increment()
        while try await counter.value() < 3 { await Task.yield() }

        let channel = Channel<Int>(capacity: 1)
        try await channel.send(4)
        #expect(try await channel.receive() == 4)

        let semaphore: Semaphore = Semaphore(permits: 1)
        #expect(semaphore.tryAcquire())

        let promise = Promise<String>()
        let future: Future<String> = promise.future
        promise.fulfill("five")
        #expect(try await future.value() == "five")
    }

    @Test("SimpleSwiftFRP's sources and streams")
    func streams() async throws {
        let numbers = Source<Int>()
        let even: Stream<Int> = Stream()
        let latest = Cell(initialValue: 0)
        numbers --| (even, { $0 % 2 == 0 }) --^ latest
        for number in 1...7 { numbers.send(number) }
        try await numbers.graph.quiescence()
        #expect(latest.value == 6)
    }

    private struct Sums: Mall {
        let a = Input(0)
        let b = Input(0)
        let text = Output("")
        let pairs = Output([0])
        private let sum = Store(0)

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                a>!
                b>?
                run { (a: Int, b: Int) in a + b }
                ~>sum
            }
            op {
                sum>!
                run { (sum: Int) async in "\(sum)" }
                ~>text
            }
            op {
                Zip(a)
                Zip(b)
                run { (a: Int, b: Int) in [a, b] }
                ~>pairs
            }
        }
    }

    @Test("the Mall's inputs, outputs, stores and zips, and run")
    func mall() async throws {
        let sums = Sums()
        sums.open()
        try await sums.b.sendAndWait(40)
        try await sums.a.sendAndWait(2)
        #expect(sums.text.value == "42")
        #expect(sums.pairs.value == [2, 40])
    }
}
