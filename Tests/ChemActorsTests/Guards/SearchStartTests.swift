import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import ChemActors

/// Reactions that first look for inputs which fit together: a search that finds none is no start of the body.
@Suite("Searches and starts", .endsInTime)
struct SearchStartTests {
    @Test("What has only looked for inputs isn't known to be short")
    func fruitless() async throws {
        let (put, definition) = Join.define("pairs") { join in
            let (a, b) = (join.slow("a", of: Int.self), join.slow("b", of: Int.self))
            join.when(a, b, where: { $0 == $1 }) { _, _ in }
            return ((a: a, b: b), join.definition)
        }
        /// How often its body has begun, by which it becomes known to be short.
        func starts() -> UInt32 {
            let entry = definition.soup.enter()
            let starts = entry.contents.reactions[0].starts
            entry.leaveUnchanged()
            return starts
        }
        for number in 1...100 {
            put.a(number)
            put.b(-number)
            try await definition.quiescence()
        }
        #expect(definition.statistics.started == 0)
        #expect(starts() == 0)
        for number in 1...100 {
            put.b(number)
            try await definition.quiescence()
        }
        #expect(definition.statistics.started == 100)
        #expect(starts() == 100)
    }

    @Test(
        "A call that doesn't wait hears at once that a search has found another one, however long the body",
        .blocksThreads
    )
    func overdue() async throws {
        let (search, body) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isSearching = Signal()
        let (ask, item, definition) = Join.define("desk") { join in
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            let item = join.slow("item", of: Int.self)
            let fits: @Sendable (Int, Int) -> Bool = { asked, number in
                if number == 2 {
                    isSearching.send()
                    search.wait()
                }
                return asked == number
            }
            join.when(ask, item, where: fits) { reply, number in
                if number == 2 {
                    body.wait()
                } else {
                    // Shows that it is long.
                    let end = ContinuousClock.now + .milliseconds(2)
                    while ContinuousClock.now < end {}
                }
                reply(number)
            }
            return (ask, item, join.definition)
        }
        async let first = ask(1)
        try await until { definition.statistics.molecules["ask"]?.present == 1 }
        item(1)
        #expect(try await first == 1)
        async let second = ask(2)
        try await until { definition.statistics.molecules["ask"]?.present == 1 }
        item(2)
        await isSearching.wait()
        async let third = ControlProbe.code { _ = try await ask(3, within: .zero) }
        try await until { definition.statistics.molecules["ask"]?.present == 2 }
        search.signal()
        let code = await third
        #expect(code == .timedOut)
        body.signal()
        #expect(try await second == 2)
    }

    @Test("A worker that comes after a deactivation doesn't let anything in")
    func lateWorker() throws {
        let (put, definition) = Join.define("box") { join in
            let put = join.slow("put")
            join.when(put) { _ in }
            return (put, join.definition)
        }
        definition.deactivate()
        var record = 0
        let accepts = withUnsafeMutablePointer(to: &record) { record in
            let entry = definition.soup.enter()
            entry.open(to: UnsafeMutableRawPointer(record))
            let accepts = definition.soup.memory.pointee.isAccepting.load(ordering: .relaxed)
            entry.close()
            entry.leaveUnchanged()
            return accepts
        }
        #expect(!accepts)
        put()
        #expect(definition.statistics.molecules["put"]?.present == 0)
    }
}
