import Synchronization

/// A call, whatever it carries. It knows its place among the waiting calls.
@usableFromInline
class WaitingCall: Beneficiary {
    /// Its place, or -1. Touched in the soup.
    @exclusivity(unchecked) final var place = -1
    /// Where the call stands in the source.
    final let location: SourceLocation
    /// When it began to wait, by `Pace`, or zero if it hasn't. Written in the soup, once it is there, and read by
    /// whoever has got hold of it.
    final var entered: UInt64 {
        get { moment.load(ordering: .relaxed) }
        set { moment.store(newValue, ordering: .relaxed) }
    }
    private let moment = Atomic<UInt64>(0)

    init(_ location: SourceLocation) {
        self.location = location
    }

    /// Whether the outcome is there.
    var isSettled: Bool { fatalError("abstract") }
}

/// The calls that wait for a reaction. Any of them can be taken out.
///
/// They are stored in chunks, so that nothing takes time proportional to their number. A snapshot copies the list of
/// chunks, and changing a chunk afterwards copies only that chunk. With oldest-first order, holes stay until their
/// chunk is empty. Otherwise the last call moves into the hole.
///
/// It isn't generic: a generic type would run unspecialized for each molecule's type, and look up the metadata of its
/// own parts.
struct WaitingCalls {
    private static var chunkBits: Int { 8 }
    private static var chunkSize: Int { 1 << chunkBits }

    private struct Chunk {
        var calls: [WaitingCall?] = []
        /// How many of `calls` are not holes.
        var count = 0
    }

    private let isOldestFirst: Bool
    private(set) var count = 0
    private var chunks: [Chunk] = []
    /// No call has a place before this one.
    private var first = 0
    /// The place of the next call.
    private var end = 0

    init(isOldestFirst: Bool) {
        self.isOldestFirst = isOldestFirst
    }

    private func chunk(of place: Int) -> Int { place >> Self.chunkBits }

    private func offset(of place: Int) -> Int { place & (Self.chunkSize - 1) }

    /// - Complexity: O(1), amortised.
    mutating func append(_ call: WaitingCall) {
        if chunk(of: end) == chunks.count {
            // The last chunk stays while calls may be added to it.
            if isOldestFirst, let last = chunks.last, last.count == 0 { dropChunk(at: chunks.count - 1) }
            if chunk(of: end) == chunks.count { chunks.append(Chunk()) }
        }
        let index = chunk(of: end)
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

    /// The call at `index`, which is less than `count`. Only for calls that leave no holes.
    func call(at index: Int) -> WaitingCall {
        guard let call = chunks[chunk(of: index)].calls[offset(of: index)] else {
            fatalError("ChemActors: a hole among the waiting calls")
        }
        return call
    }

    /// Takes out `call`, which must be here.
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
            dropChunk(at: index)
        }
    }

    /// Gives back the memory of a chunk that is empty and has no place left.
    private mutating func dropChunk(at index: Int) {
        chunks[index].calls = []
        // A list this sparse has lost many times as many calls as closing its ranks takes steps.
        if chunks.count > 64, count < chunks.count * 4 { closeRanks() }
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

    /// Removes all calls, and keeps the memory for a few.
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
    /// - Complexity: O(n). A copy of this value can be read outside of the lock.
    var all: [WaitingCall] {
        var result: [WaitingCall] = []
        result.reserveCapacity(count)
        forEach { result.append($0) }
        return result
    }

    /// Calls `body` with each call, in the order of their places.
    func forEach(_ body: (WaitingCall) -> Void) {
        for chunk in chunks where chunk.count > 0 {
            for case let call? in chunk.calls { body(call) }
        }
    }

    /// When the call began to wait that has waited longest.
    ///
    /// - Complexity: O(n), and O(1), amortised, if they leave oldest first. A copy of this value can be asked outside
    ///   of the lock.
    var oldestEntry: UInt64? {
        if isOldestFirst {
            for chunk in chunks[(first >> Self.chunkBits)...] where chunk.count > 0 {
                for case let call? in chunk.calls where call.entered != 0 { return call.entered }
            }
            return nil
        }
        var oldest = UInt64.max
        forEach { call in
            if call.entered != 0 { oldest = min(oldest, call.entered) }
        }
        return oldest == .max ? nil : oldest
    }
}
