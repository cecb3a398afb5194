import ChemBase

/// The keys of which an index knows copies: a group for each, in a hash table.
///
/// Where millions of keys wait, each step is a matter of how often memory has to be waited for. So groups are read
/// ahead before copies come (``expect(_:)``), and those that have become empty leave the table several at a time.
struct KeyGroups: ~Copyable {
    /// The copies of one input that have the key of the group, in the order of arrival.
    struct List {
        var first: CopyTable.Copy
        var last: CopyTable.Copy
        var count: Int32
    }

    /// What is known of one key. Behind it come the lists, one for each member.
    struct Group {
        var a: UInt64
        var b: UInt64
        var rest: Unmanaged<FeatureRest>?
        var hash: UInt32
        /// Its place among those groups in which every input has enough copies, or -1. Of an unused group, the next
        /// one.
        var place: Int32
        var standing: Standing
        /// How many of its lists have copies.
        var filled: UInt8 = 0
    }

    enum Standing: UInt8 {
        case unused
        /// There are copies with that key.
        case used
        /// There are none any more, and it hasn't left the table yet.
        case emptied
    }

    /// An entry of the hash table: a group and the hash value of its key. So one look at the table mostly suffices.
    private struct Bucket {
        var hash: UInt32
        var group: Int32
    }

    /// How many keys there are.
    private(set) var count = 0
    private(set) var memberCount = 0
    /// The groups in which every input has enough copies. There is room for all.
    private(set) var ready = UnsafeMutablePointer<Int32>(bitPattern: 8).unsafelyUnwrapped
    private var buckets = UnsafeMutablePointer<Bucket>(bitPattern: 8).unsafelyUnwrapped
    private var bucketCount = 0
    private var groups = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
    private var groupCapacity = 0
    private var groupsUsed = 0
    private var firstUnused: Int32 = -1
    private var stride = MemoryLayout<Group>.stride
    private var emptied: Few<Int32>
    /// The hash values of keys that will be asked for.
    private var expected: Few<UInt32>
    /// What was read ahead goes here, so that it's read.
    private var touched: UInt32 = 0

    /// A few numbers.
    private struct Few<Number>: ~Copyable {
        let all = UnsafeMutablePointer<Number>.allocate(capacity: CopyTable.ahead)
        var count = 0
        var isFull: Bool { count == CopyTable.ahead }

        mutating func append(_ number: Number) {
            (all + count).initialize(to: number)
            count &+= 1
        }

        deinit { all.deallocate() }
    }

    init() {
        emptied = Few()
        expected = Few()
    }

    deinit {
        for number in 0..<Int32(groupsUsed) where group(number).pointee.standing != .unused {
            group(number).pointee.rest?.release()
        }
        deallocate()
    }

    /// Adds an input, before there are copies.
    mutating func addMember() {
        memberCount += 1
        stride = MemoryLayout<Group>.stride + memberCount * MemoryLayout<List>.stride
        stride = (stride + 7) & ~7
    }

    func group(_ number: Int32) -> UnsafeMutablePointer<Group> {
        (groups + Int(number) &* stride).assumingMemoryBound(to: Group.self)
    }

    func list(_ group: UnsafeMutablePointer<Group>, _ member: Int) -> UnsafeMutablePointer<List> {
        (UnsafeMutableRawPointer(group) + (MemoryLayout<Group>.stride &+ member &* MemoryLayout<List>.stride))
            .assumingMemoryBound(to: List.self)
    }

    /// The first groups that have copies, at most 64 of the first 1,024: a soup may hold millions.
    var someGroups: [UnsafeMutablePointer<Group>] {
        Array(
            (0..<Int32(min(groupsUsed, 1024))).lazy.map { [groups, stride] number in
                (groups + Int(number) &* stride).assumingMemoryBound(to: Group.self)
            }.filter { $0.pointee.standing == .used }.prefix(64)
        )
    }

    // MARK: Looking up

    func find(_ feature: Feature) -> Int32? {
        if bucketCount == 0 { return nil }
        let hash = feature.hash
        let mask = bucketCount &- 1
        var bucket = buckets + (Int(hash) & mask)
        while bucket.pointee.group >= 0 {
            if bucket.pointee.hash == hash, has(bucket.pointee.group, feature) { return bucket.pointee.group }
            bucket = buckets + ((bucket - buckets &+ 1) & mask)
        }
        return nil
    }

    mutating func findOrMake(_ feature: Feature) -> Int32 {
        let hash = feature.hash
        if (count &+ emptied.count) &* 4 >= bucketCount &* 3 { growBuckets() }
        let mask = bucketCount &- 1
        var bucket = buckets + (Int(hash) & mask)
        while bucket.pointee.group >= 0 {
            if bucket.pointee.hash == hash, has(bucket.pointee.group, feature) {
                let number = bucket.pointee.group
                if group(number).pointee.standing == .emptied { revive(number) }
                return number
            }
            bucket = buckets + ((bucket - buckets &+ 1) & mask)
        }
        let number = makeGroup(feature, hash)
        bucket.pointee = Bucket(hash: hash, group: number)
        return number
    }

    private func has(_ number: Int32, _ feature: Feature) -> Bool {
        let group = group(number)
        guard group.pointee.a == feature.a, group.pointee.b == feature.b else { return false }
        if group.pointee.rest == nil, feature.rest == nil { return true }
        return Feature.isEqual(group.pointee.rest?.takeUnretainedValue(), feature.rest)
    }

    private mutating func makeGroup(_ feature: Feature, _ hash: UInt32) -> Int32 {
        let number: Int32
        if firstUnused >= 0 {
            number = firstUnused
            firstUnused = group(number).pointee.place
        } else {
            if groupsUsed == groupCapacity { growGroups() }
            number = Int32(truncatingIfNeeded: groupsUsed)
            groupsUsed &+= 1
        }
        count &+= 1
        let group = group(number)
        group.pointee = Group(
            a: feature.a,
            b: feature.b,
            rest: feature.rest.map { .passRetained($0) },
            hash: hash,
            place: -1,
            standing: .used
        )
        for member in 0..<memberCount { list(group, member).pointee = List(first: -1, last: -1, count: 0) }
        return number
    }

    // MARK: Reading ahead

    /// Whether the table is so large that most of it is far from the processor.
    var isWide: Bool { bucketCount > 1 << 14 }

    /// Reads where this key is looked up. The key itself is looked up later, so that several can be read side by side.
    mutating func expect(_ feature: Feature) {
        guard isWide, !expected.isFull else { return }
        let hash = feature.hash
        touched &+= buckets[Int(hash) & (bucketCount &- 1)].hash
        expected.append(hash)
    }

    /// Reads the groups of those keys that are expected.
    mutating func expectGroups() {
        for index in 0..<expected.count {
            let bucket = buckets[Int(expected.all[index]) & (bucketCount &- 1)]
            if bucket.group >= 0, bucket.hash == expected.all[index] {
                touched &+= group(bucket.group).pointee.hash
            }
        }
        expected.count = 0
    }

    // MARK: Becoming empty

    /// Notes that there are no copies in a group any more.
    mutating func drop(_ number: Int32) {
        count &-= 1
        if isWide {
            group(number).pointee.standing = .emptied
            emptied.append(number)
            if emptied.isFull || count == 0 { dropEmptied() }
        } else {
            leave(number)
        }
        if count == 0 {
            firstUnused = -1
            groupsUsed = 0
            if groupCapacity > 1 << 14 { giveBack() }
        }
    }

    private mutating func revive(_ number: Int32) {
        var index = 0
        while emptied.all[index] != number { index &+= 1 }
        emptied.count &-= 1
        emptied.all[index] = emptied.all[emptied.count]
        group(number).pointee.standing = .used
        count &+= 1
    }

    @inline(never)
    private mutating func dropEmptied() {
        let mask = bucketCount &- 1
        for index in 0..<emptied.count {
            touched &+= buckets[Int(group(emptied.all[index]).pointee.hash) & mask].hash
        }
        for index in 0..<emptied.count { leave(emptied.all[index]) }
        emptied.count = 0
    }

    private mutating func leave(_ number: Int32) {
        let group = group(number)
        removeBucket(of: number, group.pointee.hash)
        // Nothing of a user: the text of a key, if anything.
        group.pointee.rest?.release()
        group.pointee.standing = .unused
        group.pointee.place = firstUnused
        firstUnused = number
    }

    private func removeBucket(of number: Int32, _ hash: UInt32) {
        let mask = bucketCount &- 1
        var hole = Int(hash) & mask
        while buckets[hole].group != number { hole = (hole &+ 1) & mask }
        // Whatever came to lie behind the hole because of it moves up.
        var next = (hole &+ 1) & mask
        while buckets[next].group >= 0 {
            let home = Int(buckets[next].hash) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        buckets[hole].group = -1
    }

    // MARK: Memory

    private mutating func growBuckets() {
        if bucketCount > 0 { buckets.deallocate() }
        bucketCount = max(16, bucketCount * 2)
        buckets = .allocate(capacity: bucketCount)
        buckets.initialize(repeating: Bucket(hash: 0, group: -1), count: bucketCount)
        let mask = bucketCount - 1
        for number in 0..<Int32(groupsUsed) where group(number).pointee.standing != .unused {
            let hash = group(number).pointee.hash
            var index = Int(hash) & mask
            while buckets[index].group >= 0 { index = (index &+ 1) & mask }
            buckets[index] = Bucket(hash: hash, group: number)
        }
    }

    private mutating func growGroups() {
        let larger = max(8, groupCapacity * 2)
        let isFirst = groupCapacity == 0
        guard
            let memory = Platform.resize(isFirst ? nil : groups, to: larger * stride),
            let list = Platform.resize(
                isFirst ? nil : UnsafeMutableRawPointer(ready),
                to: larger * MemoryLayout<Int32>.stride
            )
        else { fatalError("ChemActors: no memory for \(larger) keys") }
        groups = memory
        ready = list.bindMemory(to: Int32.self, capacity: larger)
        groupCapacity = larger
    }

    /// Gives back all memory. There is no group left.
    private mutating func giveBack() {
        deallocate()
        bucketCount = 0
        groupCapacity = 0
    }

    private func deallocate() {
        if bucketCount > 0 { buckets.deallocate() }
        if groupCapacity > 0 {
            groups.deallocate()
            ready.deallocate()
        }
    }
}
