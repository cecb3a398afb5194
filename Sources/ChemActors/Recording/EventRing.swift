import ChemBase

/// The last events of a definition. Touched under one lock.
///
/// Its memory grows by blocks of 128, 128, 256, 512 events and so on, so that nothing moves.
struct EventRing: ~Copyable {
    typealias Place = UnsafeMutablePointer<RecordedEvent>

    private var blocks: [Place] = []
    /// Where the next event goes, unless the block is full.
    private var next = Place(bitPattern: 128).unsafelyUnwrapped
    private var end = Place(bitPattern: 128).unsafelyUnwrapped
    /// The block with `next`, and how many events there were before that block was begun.
    private var block = -1
    private var before = 0
    private let limit: Int
    /// How many ends were written down with their starts.
    private var ends = 0

    init(limit: Int) {
        self.limit = limit
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// How many events a block has, and how many all blocks before it.
    private static func size(_ block: Int) -> Int { block == 0 ? 128 : 64 << block }
    private static func begin(_ block: Int) -> Int { block == 0 ? 0 : 64 << block }

    /// How many events there were, not counting ends that are part of their starts.
    private var total: Int { block < 0 ? 0 : before + (next - blocks[block]) }

    /// Whether the next event is one in sixteen: an event takes 32 bytes.
    var isSixteenth: Bool {
        @inline(__always) get { UInt(bitPattern: next) & 480 == 0 }
    }

    @inline(__always)
    mutating func append(_ event: RecordedEvent) {
        if next == end { advance() }
        next.initialize(to: event)
        next += 1
    }

    /// Writes down the end of a body with its start, if nothing has happened in between.
    ///
    /// - Parameters:
    ///   - number: The number of the start, which was written down here.
    ///   - now: The time.
    /// - Returns: whether it was done.
    @inline(__always)
    mutating func end(_ number: UInt32, at now: UInt64) -> Bool {
        let last = next - 1
        guard last.pointee.number == number, last.pointee.kind == .started,
            let duration = UInt32(exactly: now &- last.pointee.stamp)
        else { return false }
        last.pointee.duration = duration
        last.pointee.hasEnded = true
        ends &+= 1
        return true
    }

    @inline(never)
    private mutating func advance() {
        before = total
        block = Self.begin(block + 1) == limit ? 0 : block + 1
        if block == blocks.count { blocks.append(Self.allocate(Self.size(block))) }
        next = blocks[block]
        end = next + Self.size(block)
    }

    private static func allocate(_ capacity: Int) -> Place {
        let bytes = capacity * MemoryLayout<RecordedEvent>.stride
        return Platform.allocateLog(bytes: bytes, alignment: MemoryLayout<RecordedEvent>.alignment)
            .bindMemory(to: RecordedEvent.self, capacity: capacity)
    }

    /// The last `count` of what it holds, oldest first, and the ends that are part of them.
    func last(_ count: Int) -> [RecordedEvent] {
        let total = total
        let count = min(total, limit, count)
        var events: [RecordedEvent] = []
        events.reserveCapacity(count * 2)
        for number in total - count..<total {
            let event = self[number & (limit - 1)]
            events.append(event.withoutEnd)
            if let end = event.end { events.append(end) }
        }
        return events
    }

    private subscript(place: Int) -> RecordedEvent {
        let block = place < 128 ? 0 : place.bitWidth - place.leadingZeroBitCount - 7
        return blocks[block][place - Self.begin(block)]
    }

    /// The time of the newest one.
    var lastStamp: UInt64? { block < 0 ? nil : (next - 1).pointee.stamp }

    /// How many events there were that aren't in `held` any more, which is all that it holds.
    func lost(holding held: [RecordedEvent]) -> Int { total + ends - held.count }
}
