import ChemBase

/// The copies of one molecule whose values reactions look at: which there are, in which order they came, and in which
/// indexes each of them is.
///
/// A copy has a number as long as it is present. What it carries lies elsewhere, at that number. Every step takes O(1)
/// amortised, for each index that the molecule has.
///
/// It isn't generic, and holds no references, so that nothing is retained, and no metadata looked up, under the lock.
@usableFromInline
struct CopyTable: ~Copyable {
    @usableFromInline typealias Copy = Int32

    /// What is known of a number. Behind it come the copy's places in the indexes, one `Link` for each: whoever
    /// touches one of them needs the others, too.
    private struct Node: BitwiseCopyable {
        /// The previous copy in the order of arrival; for a choice at random, the place in `all`. `unused` if no copy
        /// has this number.
        var previous: Copy
        /// The next copy in the order of arrival, or the next unused number.
        var next: Copy

        static let unused: Copy = -2
    }

    /// The place of a copy in an index.
    struct Link: BitwiseCopyable {
        var previous: Copy
        var next: Copy
        /// Where the index keeps it: its group.
        var group: Int32
    }

    /// An index that the molecule is in.
    struct Attachment {
        /// The gate of its reaction keeps it.
        let index: Unmanaged<GuardIndex>
        /// As which of the inputs of that reaction.
        let member: Int
    }

    /// Which copy a reaction takes that doesn't look at values.
    enum Choice {
        case random, oldest
        /// There is no such reaction.
        case none
    }

    @usableFromInline private(set) var count = 0
    @usableFromInline private(set) var capacity = 0
    /// How many numbers have been in use since the table was empty.
    private var used = 0
    private var firstUnused: Copy = -1
    /// The nodes and their links.
    private var nodes = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
    /// The bytes from one node to the next.
    private var stride = MemoryLayout<Node>.stride
    /// For a choice at random: the copies.
    private var all = UnsafeMutablePointer<Copy>(bitPattern: 8).unsafelyUnwrapped
    /// For the oldest: the ends of the list.
    private var first: Copy = -1
    private var last: Copy = -1
    private var choice: Choice
    private var attachments = UnsafeMutablePointer<Attachment>(bitPattern: 8).unsafelyUnwrapped
    private var width = 0

    init(_ choice: Choice) {
        self.choice = choice
    }

    deinit {
        if capacity > 0 { deallocate() }
        if width > 0 {
            attachments.deinitialize(count: width)
            attachments.deallocate()
        }
    }

    private func deallocate() {
        nodes.deallocate()
        if choice == .random { all.deallocate() }
    }

    /// Adds an index, while there are no copies.
    ///
    /// - Returns: its number.
    mutating func attach(_ index: GuardIndex, as member: Int) -> Int {
        let larger = UnsafeMutablePointer<Attachment>.allocate(capacity: width + 1)
        if width > 0 {
            larger.moveInitialize(from: attachments, count: width)
            attachments.deallocate()
        }
        (larger + width).initialize(to: Attachment(index: .passUnretained(index), member: member))
        attachments = larger
        width += 1
        stride += MemoryLayout<Link>.stride
        return width - 1
    }

    /// Learns, while there are no copies, which reactions consume the molecule. If all of them look at values, nobody
    /// asks for any copy, or for the oldest.
    mutating func learn(_ uses: UnsafeBufferPointer<Matching.Use>) {
        let areAllGuarded = uses.allSatisfy { use in
            (0..<width).contains { number in
                attachments[number].index._withUnsafeGuaranteedRef { $0.reaction } == Int(use.reaction)
            }
        }
        if areAllGuarded { choice = .none }
    }

    private func node(_ copy: Copy) -> UnsafeMutablePointer<Node> {
        (nodes + Int(copy) &* stride).assumingMemoryBound(to: Node.self)
    }

    func link(_ copy: Copy, _ attachment: Int) -> UnsafeMutablePointer<Link> {
        (nodes + (Int(copy) &* stride &+ MemoryLayout<Node>.stride &+ attachment &* MemoryLayout<Link>.stride))
            .assumingMemoryBound(to: Link.self)
    }

    /// A number for one more copy. If `capacity` has changed, what the copies carry has to move.
    @usableFromInline
    mutating func add() -> Copy {
        let copy: Copy
        if firstUnused >= 0 {
            copy = firstUnused
            firstUnused = node(copy).pointee.next
        } else {
            if used == capacity { grow() }
            copy = Copy(truncatingIfNeeded: used)
            used &+= 1
        }
        switch choice {
        case .none: node(copy).pointee.previous = -1
        case .oldest:
            node(copy).pointee = Node(previous: last, next: -1)
            if last >= 0 { node(last).pointee.next = copy } else { first = copy }
            last = copy
        case .random:
            node(copy).pointee.previous = Copy(truncatingIfNeeded: count)
            all[count] = copy
        }
        count &+= 1
        return copy
    }

    /// Puts `copy` into all indexes.
    @usableFromInline
    func index(_ copy: Copy, _ features: borrowing Features, _ entry: borrowing SoupEntry) {
        if width == 1 {
            // Without a copy of what is seen, which would be retained.
            let member = attachments[0].member
            attachments[0].index._withUnsafeGuaranteedRef { $0.insert(copy, as: member, features.first, entry) }
            return
        }
        for number in 0..<width {
            let member = attachments[number].member
            attachments[number].index._withUnsafeGuaranteedRef { $0.insert(copy, as: member, features[number], entry) }
        }
    }

    /// How many copies are read ahead.
    @usableFromInline static let ahead = 8

    /// Whether it's worth while to read ahead what copies need that are about to come.
    @usableFromInline var readsAhead: Bool {
        width == 1 && attachments[0].index._withUnsafeGuaranteedRef { $0.readsAhead }
    }

    /// Reads ahead what a copy needs of which this is seen.
    @usableFromInline
    func expect(_ feature: Feature) { attachments[0].index._withUnsafeGuaranteedRef { $0.expect(feature) } }

    /// Reads ahead what the copies need that are expected, now that it's known where that is.
    @usableFromInline
    func expectGroups() { attachments[0].index._withUnsafeGuaranteedRef { $0.expectGroups() } }

    /// Takes `copy` out of all indexes.
    @usableFromInline
    func unindex(_ copy: Copy, _ entry: borrowing SoupEntry) {
        for number in 0..<width {
            let member = attachments[number].member
            attachments[number].index._withUnsafeGuaranteedRef { $0.remove(copy, as: member, entry) }
        }
    }

    /// Whether `reaction` may take this copy: one that is possible, or lacks only what its search may find.
    func mayBeTaken(
        _ copy: Copy,
        _ features: borrowing Features,
        by reaction: Int,
        duringSearch: Bool,
        _ entry: borrowing SoupEntry
    ) -> Bool {
        var isGuarded = false
        for number in 0..<width {
            let (index, member) = (attachments[number].index, attachments[number].member)
            guard index._withUnsafeGuaranteedRef({ $0.reaction }) == reaction else { continue }
            isGuarded = true
            if duringSearch, !index._withUnsafeGuaranteedRef({ $0.isSearching }) { return false }
            let feature = features[number]
            if index._withUnsafeGuaranteedRef({ $0.mayTake(copy, feature, as: member, entry) }) { return true }
        }
        return !isGuarded && !duringSearch
    }

    /// What `index` sees of a copy.
    func feature(_ features: borrowing Features, for index: GuardIndex) -> Feature? {
        for number in 0..<width where attachments[number].index.toOpaque() == Unmanaged.passUnretained(index).toOpaque()
        {
            return features[number]
        }
        return nil
    }

    /// Gives back the number of a copy that is in no index any more.
    @usableFromInline
    mutating func remove(_ copy: Copy) {
        count &-= 1
        let node = node(copy)
        switch choice {
        case .none: break
        case .oldest:
            let (previous, next) = (node.pointee.previous, node.pointee.next)
            if previous >= 0 { self.node(previous).pointee.next = next } else { first = next }
            if next >= 0 { self.node(next).pointee.previous = previous } else { last = previous }
        case .random:
            let moved = all[count]
            all[Int(node.pointee.previous)] = moved
            self.node(moved).pointee.previous = node.pointee.previous
        }
        if count == 0 {
            firstUnused = -1
            used = 0
        } else {
            node.pointee = Node(previous: Node.unused, next: firstUnused)
            firstUnused = copy
        }
    }

    /// The copy that a reaction gets that doesn't look at values. There must be one.
    func choose(_ generator: inout SeededGenerator) -> Copy {
        if choice == .oldest { return first }
        return count == 1 ? all[0] : all[generator.below(count)]
    }

    /// All copies, in no order.
    var copies: [Copy] {
        (0..<Copy(used)).filter { node($0).pointee.previous != Node.unused }
    }

    /// Gives back the memory of a table that is empty.
    mutating func giveBack() {
        guard count == 0, capacity > 0 else { return }
        deallocate()
        capacity = 0
        used = 0
        firstUnused = -1
    }

    /// Whether a burst has left much memory behind.
    @usableFromInline var isOversized: Bool { count == 0 && capacity > 1 << 14 }

    private mutating func grow() {
        let larger = max(8, capacity * 2)
        guard larger <= Int(Copy.max) else { fatalError("ChemActors: more than \(capacity) copies of one molecule") }
        nodes = resize(nodes, to: larger, of: stride)
        if choice == .random {
            all = resize(all, to: larger, of: MemoryLayout<Copy>.stride).bindMemory(to: Copy.self, capacity: larger)
        }
        capacity = larger
    }

    private func resize(_ old: UnsafeMutableRawPointer, to capacity: Int, of stride: Int) -> UnsafeMutableRawPointer {
        guard let memory = Platform.resize(self.capacity > 0 ? old : nil, to: capacity * stride) else {
            fatalError("ChemActors: no memory for \(capacity) molecules")
        }
        return memory
    }
}
