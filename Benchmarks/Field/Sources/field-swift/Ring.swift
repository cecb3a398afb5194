import AsyncAlgorithms
import FieldWorks

/// A ring of tasks that pass a number on, one less at each hop.
enum Ring {
    private static let length = 503

    static let works = [
        Work("ring", "AsyncStream", 200_000) { count in
            let places = (0..<length).map { _ in AsyncStream.makeStream(of: Int.self) }
            return try await run(count, places.map(\.stream)) { place, number in
                places[place].continuation.yield(number)
            } finish: { place in
                places[place].continuation.finish()
            }
        },
        Work("ring", "AsyncChannel", 100_000) { count in
            let places = (0..<length).map { _ in AsyncChannel<Int>() }
            return try await run(count, places) { place, number in
                await places[place].send(number)
            } finish: { place in
                places[place].finish()
            }
        },
    ]

    private static func run<Numbers: AsyncSequence & Sendable>(
        _ count: Int,
        _ places: [Numbers],
        send: @escaping @concurrent @Sendable (_ place: Int, _ number: Int) async -> Void,
        finish: (_ place: Int) -> Void
    ) async throws -> Outcome where Numbers.Element == Int, Numbers.Failure == Never {
        let (end, arrived) = AsyncStream.makeStream(of: Int.self)
        let tasks = places.enumerated().map { index, numbers in
            Task.detached {
                let next = (index + 1) % length
                for await number in numbers {
                    if number == 0 { arrived.yield(index) } else { await send(next, number - 1) }
                }
            }
        }
        let start = ContinuousClock.now
        await send(0, count)
        var ends = end.makeAsyncIterator()
        let last = await ends.next(isolation: nil)
        let time = start.elapsed
        for place in places.indices { finish(place) }
        for task in tasks { await task.value }
        return try Outcome(count, time, "the last member", last ?? -1, wanted: count % length)
    }
}
