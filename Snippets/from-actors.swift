// What an actor does, and the chemistry that does it.

import ChemActors
import ChemLibrary
import Synchronization

let downloads = Atomic(0)

@concurrent func download(_ address: String) async -> Int {
    downloads.add(1, ordering: .relaxed)
    try? await Task.sleep(for: .milliseconds(20))
    return address.count
}

// snippet.ordered-before
actor Log {
    var lines: [String] = []
    func write(_ line: String) { lines.append(line) }
}

let log = Log()
@Sendable func onProgress(_ line: String) {  // called by code that can't suspend
    Task { await log.write(line) }  // tasks start in no particular order
}
// snippet.end
for number in 1...3 { onProgress("\(number)") }
while await log.lines.count < 3 { await Task.yield() }
let written = await log.lines
precondition(Set(written) == ["1", "2", "3"])

// snippet.ordered-after
struct OrderedLog: JoinDefinition {
    let write = SlowMolecule<String>(order: .oldestFirst)
    let lines = FastMolecule<Void, [String]>()
    private let written = StateMolecule<[String]>([])

    func react(in join: inout Join.Builder) {
        join.when(write, updating: written) { written, line in written.append(line) }
        join.answer(lines, reading: written) { written, _ in written }
    }
}

let ordered = Join.make(OrderedLog())
for number in 1...3 { ordered.write("\(number)") }  // a call like any other, from any code
// snippet.end
var lines: [String] = []
while lines.count < 3 { lines = try await ordered.lines() }
precondition(lines == ["1", "2", "3"])

// snippet.cache-before
actor Cache {
    private var sizes: [String: Int] = [:]

    func size(of address: String) async -> Int {
        if let size = sizes[address] { return size }
        let size = await download(address)  // a second call for the same address gets here as well
        sizes[address] = size
        return size
    }
}
// snippet.end
let cache = Cache()
async let one = cache.size(of: "photo")
async let two = cache.size(of: "photo")
let both = await one + two
precondition(both == 10)

// snippet.cache-after
let sizes = SingleFlight<String, Int> { address in await download(address) }
// snippet.end
async let three = sizes.value(for: "photo")
async let four = sizes.value(for: "photo")
let once = try await three + four
precondition(once == 10)

// snippet.waiting-before
actor Stock {
    private var items: [Int] = []
    private var takers: [CheckedContinuation<Int, Never>] = []

    func put(_ item: Int) {
        guard takers.isEmpty else { return takers.removeFirst().resume(returning: item) }
        items.append(item)
    }

    func take() async -> Int {
        if !items.isEmpty { return items.removeFirst() }
        // For ever, if its task is cancelled.
        return await withCheckedContinuation { takers.append($0) }
    }
}
// snippet.end
let stock = Stock()
async let taken = stock.take()
await stock.put(1)
let item = await taken
precondition(item == 1)

// snippet.waiting-after
struct Shelf: JoinDefinition {
    let put = SlowMolecule<Int>(order: .oldestFirst)
    let take = FastMolecule<Void, Int>(order: .oldestFirst)

    func react(in join: inout Join.Builder) {
        join.answer(take, with: put) { _, item in item }
    }
}

let shelf = Join.make(Shelf())
let waiting = Task { try await shelf.take() }
waiting.cancel()  // ends the call, and nothing is taken
shelf.put(1)
print(try await shelf.take(within: .seconds(1)))  // 1
// snippet.end
do {
    let wrong = try await waiting.value
    preconditionFailure("a cancelled call got \(wrong)")
} catch is CancellationError {}
precondition(downloads.load(ordering: .relaxed) <= 4)
