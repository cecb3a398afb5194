/// Which copy is the next whose amount has to be covered by the level of a state: the one with the smallest amount, or
/// the oldest. A heap.
///
/// The gate is open while the level covers that copy. So a change of the level, or a copy that comes or goes, takes
/// O(log n), however many wait.
///
/// A copy that leaves before its turn stays in the heap until it comes to the top, or until half of the heap has left.
/// So nobody has to know where in the heap a copy is, and moving an item touches no other memory.
final class ThresholdIndex: GuardIndex {
    // Touched in the soup.
    private struct Item: BitwiseCopyable {
        let level: Level
        let ticket: UInt64
        let copy: Copy
    }

    private let smallestFirst: Bool
    /// The copies of its only input, and the number of this index among theirs.
    @exclusivity(unchecked) private var table: UnsafeMutablePointer<CopyTable>?
    @exclusivity(unchecked) private var attachment = 0
    /// Each item comes before its four children.
    @exclusivity(unchecked) private var heap = UnsafeMutablePointer<Item>(bitPattern: 8).unsafelyUnwrapped
    /// How many items the heap has, and how many of them have left. The first one never has.
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var gone = 0
    @exclusivity(unchecked) private var capacity = 0
    @exclusivity(unchecked) private var nextTicket: UInt64 = 1
    /// What the state offers.
    @exclusivity(unchecked) private var level: Level
    private let describe: @Sendable (Level) -> String

    /// The key paths to an amount of the input and to what the state offers.
    private let paths: (amount: AnyKeyPath, level: AnyKeyPath)

    init(
        gate: Gate,
        level: Level,
        smallestFirst: Bool,
        paths: (amount: AnyKeyPath, level: AnyKeyPath),
        describe: @escaping @Sendable (Level) -> String
    ) {
        self.level = level
        self.paths = paths
        self.smallestFirst = smallestFirst
        self.describe = describe
        super.init(gate: gate, inputs: 1)
    }

    func add(_ table: UnsafeMutablePointer<CopyTable>, _ attachment: Int) {
        self.table = table
        self.attachment = attachment
    }

    override func isLike(_ other: GuardIndex) -> Bool {
        (other as? ThresholdIndex).map { $0.paths == paths } ?? false
    }

    override func tell(_ seen: Level, _ entry: borrowing SoupEntry) {
        level = seen
        update(entry)
    }

    override func insert(_ copy: Copy, as member: Int, _ feature: Feature, _ entry: borrowing SoupEntry) {
        if count == capacity { grow() }
        let item = Item(level: Level(feature.a, feature.b), ticket: nextTicket, copy: copy)
        setTicket(of: copy, to: nextTicket)
        nextTicket &+= 1
        count &+= 1
        rise(item)
        update(entry)
    }

    override func remove(_ copy: Copy, as member: Int, _ entry: borrowing SoupEntry) {
        let isFirst = heap[0].ticket == ticket(of: copy)
        setTicket(of: copy, to: 0)
        if isFirst {
            removeFirst()
            while count > 0, ticket(of: heap[0].copy) != heap[0].ticket {
                removeFirst()
                gone &-= 1
            }
            if count == 0, capacity > 1 << 14 { giveBack() }
        } else {
            gone &+= 1
            if gone > 32, gone &* 2 > count { rebuild() }
        }
        update(entry)
    }

    override func mayTake(_ copy: Copy, _ feature: Feature, as member: Int, _ entry: borrowing SoupEntry) -> Bool {
        smallestFirst ? Level(feature.a, feature.b) <= level : heap[0].ticket == ticket(of: copy)
    }

    override func choose(_ entry: borrowing SoupEntry) { chosen[0] = heap[0].copy }

    override func lack(_ entry: borrowing SoupEntry) -> () -> String {
        let (first, describe) = (count > 0 ? heap[0].level : nil, describe)
        let gate = gate.name
        return { first.map { "\(gate) of \(describe($0))" } ?? gate }
    }

    private func update(_ entry: borrowing SoupEntry) {
        // What is no number covers nothing.
        let covers = count > 0 && heap[0].level <= level && level != .never
        if covers != gate.isOpen { gate.set(covers, entry) }
    }

    // MARK: The heap

    /// The ticket of the item that stands for a copy. It's noted in the copy's link.
    private func ticket(of copy: Copy) -> UInt64 {
        let link = table.unsafelyUnwrapped.pointee.link(copy, attachment).pointee
        return UInt64(UInt32(bitPattern: link.previous)) << 32 | UInt64(UInt32(bitPattern: link.next))
    }

    private func setTicket(of copy: Copy, to ticket: UInt64) {
        table.unsafelyUnwrapped.pointee.link(copy, attachment).pointee = CopyTable.Link(
            previous: Copy(truncatingIfNeeded: ticket >> 32),
            next: Copy(truncatingIfNeeded: ticket),
            group: 0
        )
    }

    private func isBefore(_ one: Item, _ other: Item) -> Bool {
        if smallestFirst, one.level != other.level { return one.level < other.level }
        return one.ticket < other.ticket
    }

    private func removeFirst() {
        count &-= 1
        if count > 0 { sink(heap[count], from: 0) }
    }

    /// Leaves out what has left.
    private func rebuild() {
        var left = 0
        for place in 0..<count where ticket(of: heap[place].copy) == heap[place].ticket {
            heap[left] = heap[place]
            left += 1
        }
        count = left
        gone = 0
        for place in stride(from: (count - 2) / 4, through: 0, by: -1) where count > 1 {
            sink(heap[place], from: place)
        }
    }

    /// Puts `item` at the end, or nearer to the top.
    private func rise(_ item: Item) {
        var place = count &- 1
        while place > 0 {
            let parent = (place &- 1) / 4
            guard isBefore(item, heap[parent]) else { break }
            heap[place] = heap[parent]
            place = parent
        }
        heap[place] = item
    }

    /// Puts `item` into the hole at `start`, or farther from the top.
    private func sink(_ item: Item, from start: Int) {
        var place = start
        while true {
            let first = 4 &* place &+ 1
            guard first < count else { break }
            var child = first
            for next in (first &+ 1)..<max(first &+ 1, min(first &+ 4, count)) where isBefore(heap[next], heap[child]) {
                child = next
            }
            guard isBefore(heap[child], item) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = item
    }

    private func grow() {
        let larger = max(8, capacity * 2)
        let memory = UnsafeMutablePointer<Item>.allocate(capacity: larger)
        memory.update(from: heap, count: count)
        if capacity > 0 { heap.deallocate() }
        heap = memory
        capacity = larger
    }

    private func giveBack() {
        heap.deallocate()
        capacity = 0
    }

    deinit {
        if capacity > 0 { heap.deallocate() }
    }
}
