/// A call, whatever it carries: it knows its place among those that wait.
@usableFromInline
class WaitingCall {
    /// Its place, or -1. In the soup.
    final var place = -1
    /// Where the call stands in the source, and when it was made.
    final let location: SourceLocation
    final let entered = ContinuousClock.now

    init(_ location: SourceLocation) {
        self.location = location
    }
}

/// The calls that wait for a reaction. Any of them can be taken out.
///
/// They lie in chunks, so that nothing takes time in proportion to their number. A snapshot takes a copy of the list of
/// chunks; whoever changes a chunk afterwards copies that one and no other. Of what is taken oldest-first, holes stay
/// until their chunk is empty; otherwise the last call moves into the hole.
///
/// It isn't generic: for each molecule's type it would run unspecialized, and look up the metadata of its own parts.
struct WaitingCalls {
    private static var chunkBits: Int { 8 }
    private static var chunkSize: Int { 1 << chunkBits }

    private struct Chunk {
        var calls: [WaitingCall?] = []
        /// How many of `calls` are no holes.
        var count = 0
    }

    private let isOldestFirst: Bool
    private(set) var count = 0
    private var chunks: [Chunk] = []
    /// No call has a place before this one.
    private var first = 0
    /// The place of the next call to come.
    private var end = 0

    init(isOldestFirst: Bool) {
        self.isOldestFirst = isOldestFirst
    }

    private func chunk(of place: Int) -> Int { place >> Self.chunkBits }

    private func offset(of place: Int) -> Int { place & (Self.chunkSize - 1) }

    /// - Complexity: O(1), amortised.
    mutating func append(_ call: WaitingCall) {
        let index = chunk(of: end)
        if index == chunks.count { chunks.append(Chunk()) }
        chunks[index].calls.append(call)
        chunks[index].count += 1
        call.place = end
        end += 1
        count += 1
    }

    /// The call that came first. There must be one.
    ///
    /// - Complexity: O(1), amortised: each hole is passed once.
    mutating func oldest() -> WaitingCall {
        while true {
            let index = chunk(of: first)
            if chunks[index].count == 0 {
                first = (index + 1) << Self.chunkBits
            } else if let call = chunks[index].calls[offset(of: first)] {
                return call
            } else {
                first += 1
            }
        }
    }

    /// One of the `count` calls. Only where calls leave no holes.
    func call(at index: Int) -> WaitingCall {
        guard let call = chunks[chunk(of: index)].calls[offset(of: index)] else {
            fatalError("ChemActors: a hole among the waiting calls")
        }
        return call
    }

    /// Takes out `call`, which is here.
    ///
    /// - Complexity: O(1), amortised.
    mutating func remove(_ call: WaitingCall) {
        let place = call.place
        call.place = -1
        count -= 1
        if isOldestFirst { leaveHole(at: place) } else { fill(place) }
    }

    private mutating func leaveHole(at place: Int) {
        let index = chunk(of: place)
        chunks[index].calls[offset(of: place)] = nil
        chunks[index].count -= 1
        if count == 0 {
            removeAll()
        } else if chunks[index].count == 0, index < chunks.count - 1 {
            chunks[index].calls = []
            // So sparse a list has lost many times as many calls as it takes steps to close its ranks.
            if chunks.count > 64, count < chunks.count * 4 { closeRanks() }
        }
    }

    /// Moves the last call to `place`.
    private mutating func fill(_ place: Int) {
        end -= 1
        let index = chunk(of: end)
        let last = chunks[index].calls.removeLast()
        chunks[index].count -= 1
        if chunks[index].count == 0, index > 0 { chunks.removeLast() }
        guard place != end else { return }
        chunks[chunk(of: place)].calls[offset(of: place)] = last
        last?.place = place
    }

    private mutating func closeRanks() {
        let calls = all
        removeAll()
        for call in calls { append(call) }
    }

    /// Forgets all calls, but for the memory of a few.
    mutating func removeAll() {
        count = 0
        first = 0
        end = 0
        if chunks.count == 1 {
            chunks[0].calls.removeAll(keepingCapacity: true)
            chunks[0].count = 0
        } else {
            chunks = []
        }
    }

    /// All calls, in the order of their places.
    ///
    /// - Complexity: O(n). A copy of this value can be asked outside of the lock.
    var all: [WaitingCall] {
        var result: [WaitingCall] = []
        result.reserveCapacity(count)
        for chunk in chunks where chunk.count > 0 {
            for case let call? in chunk.calls { result.append(call) }
        }
        return result
    }
}
