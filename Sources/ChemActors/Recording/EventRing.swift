import ChemBase

/// The last events of a definition. Touched in its soup.
struct EventRing: ~Copyable {
    private var events = UnsafeMutablePointer<RecordedEvent>(bitPattern: 8).unsafelyUnwrapped
    /// How many have room, a power of two, or none yet.
    private var capacity = 0
    private let limit: Int
    /// How many there were in all.
    private(set) var total = 0

    init(limit: Int) {
        self.limit = limit
    }

    deinit {
        if capacity > 0 { events.deallocate() }
    }

    @inline(__always)
    mutating func append(_ event: RecordedEvent) {
        if total >= capacity, capacity < limit { grow() }
        events[total & (capacity &- 1)] = event
        total &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<RecordedEvent>.allocate(capacity: capacity == 0 ? 128 : capacity * 2)
        if capacity > 0 {
            larger.moveInitialize(from: events, count: capacity)
            events.deallocate()
        }
        events = larger
        capacity = capacity == 0 ? 128 : capacity * 2
    }

    /// What it holds, oldest first.
    var all: [RecordedEvent] {
        let count = min(total, capacity)
        return (total - count..<total).map { events[$0 & (capacity - 1)] }
    }

    /// The newest one.
    var last: RecordedEvent? { total == 0 ? nil : events[(total - 1) & (capacity - 1)] }

    /// How many it doesn't hold any more.
    var lost: Int { total - min(total, capacity) }
}
