import ChemBase

/// Finds copies that have the same key: one group for each key that is present, and a list of those groups in which
/// every input has enough copies.
///
/// Whatever waits, a copy comes and goes in constant time. The idea is that of the alpha and beta memories of
/// production systems (Forgy's Rete, 1982; Miranker's TREAT, 1987), with a hash index instead of a join.
final class MatchIndex: GuardIndex, @unchecked Sendable {
    /// An input of the reaction.
    struct Member {
        /// The copies of its molecule.
        let table: UnsafeMutablePointer<CopyTable>
        /// The number of this index among those of the molecule.
        let attachment: Int
        /// How many copies the reaction takes.
        let need: Int32
    }

    /// What a molecule and its key are called: `payment`, `orderID`.
    struct Names {
        let molecule: String
        /// Which molecule it is. Not a reference: molecules know their indices.
        let identity: ObjectIdentifier
        let path: AnyKeyPath

        /// The key of a value that is its own key needs no name.
        var text: String {
            let key = "\(path)".split(separator: ".").last ?? "value"
            return key == "self" ? molecule : "\(molecule) with \(key)"
        }
    }

    /// The copies of one input that have the key of the group, in the order of arrival.
    private struct List {
        var first: Copy
        var last: Copy
        var count: Int32
    }

    /// What is known of one key. Behind it come the lists, one for each member.
    private struct Group {
        var a: UInt64
        var b: UInt64
        var rest: Unmanaged<FeatureRest>?
        var hash: UInt32
        /// Its place in `ready`, or -1. Of an unused group, the next one.
        var place: Int32
        /// Whether there are copies with that key.
        var isUsed: Bool
    }

    /// An entry of the hash table: a group and the hash value of its key. So one look at the table mostly suffices.
    private struct Bucket {
        var hash: UInt32
        var group: Int32
    }

    private let members: UnsafeMutablePointer<Member>
    @exclusivity(unchecked) private var memberCount = 0
    @exclusivity(unchecked) private var names: [Names] = []
    /// What keys were made of.
    private let style: Feature.Style
    /// How many copies the reaction takes, and room to try which.
    private let inputs: Int
    private let tried: UnsafeMutablePointer<Copy>
    /// Whether each input takes one copy, of a molecule of its own.
    @exclusivity(unchecked) private var isSimple = true

    @exclusivity(unchecked) private var buckets = UnsafeMutablePointer<Bucket>(bitPattern: 8).unsafelyUnwrapped
    @exclusivity(unchecked) private var bucketCount = 0
    @exclusivity(unchecked) private var groups = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
    @exclusivity(unchecked) private var groupCapacity = 0
    @exclusivity(unchecked) private var groupsUsed = 0
    @exclusivity(unchecked) private var firstUnused: Int32 = -1
    @exclusivity(unchecked) private(set) var groupCount = 0
    @exclusivity(unchecked) private var ready = UnsafeMutablePointer<Int32>(bitPattern: 8).unsafelyUnwrapped
    @exclusivity(unchecked) private var readyCount = 0
    @exclusivity(unchecked) private var stride = 0

    /// `inputs` is the number of copies that the reaction takes.
    init(gate: Gate, inputs: Int, style: Feature.Style) {
        self.style = style
        self.inputs = inputs
        tried = .allocate(capacity: inputs)
        members = .allocate(capacity: inputs)
        super.init(gate: gate, inputs: inputs)
    }

    deinit {
        members.deallocate()
        tried.deallocate()
        for number in 0..<Int32(groupsUsed) where group(number).pointee.isUsed {
            group(number).pointee.rest?.release()
        }
        giveBack()
    }

    /// Adds an input, before there are copies.
    func add(_ member: Member, _ name: Names) {
        if member.need != 1 || (0..<memberCount).contains(where: { members[$0].table == member.table }) {
            isSimple = false
        }
        (members + memberCount).initialize(to: member)
        memberCount += 1
        names.append(name)
        stride = MemoryLayout<Group>.stride + memberCount * MemoryLayout<List>.stride
        stride = (stride + 7) & ~7
    }

    override func isLike(_ other: GuardIndex) -> Bool {
        guard let other = other as? MatchIndex, names.count == other.names.count else { return false }
        return names.allSatisfy { one in
            let isThis = { (name: Names) in name.identity == one.identity && name.path == one.path }
            return names.count(where: isThis) == other.names.count(where: isThis)
        }
    }

    private func group(_ number: Int32) -> UnsafeMutablePointer<Group> {
        (groups + Int(number) &* stride).assumingMemoryBound(to: Group.self)
    }

    private func list(_ group: UnsafeMutablePointer<Group>, _ member: Int) -> UnsafeMutablePointer<List> {
        (UnsafeMutableRawPointer(group) + (MemoryLayout<Group>.stride &+ member &* MemoryLayout<List>.stride))
            .assumingMemoryBound(to: List.self)
    }

    // MARK: Coming and going

    override func insert(_ copy: Copy, as member: Int, _ feature: Feature, _ entry: borrowing SoupEntry) {
        let number = findOrMake(feature)
        let group = group(number)
        let list = list(group, member)
        let (table, attachment) = (members[member].table, members[member].attachment)
        let last = list.pointee.last
        table.pointee.link(copy, attachment).pointee = CopyTable.Link(previous: last, next: -1, group: number)
        if last >= 0 {
            table.pointee.link(last, attachment).pointee.next = copy
        } else {
            list.pointee.first = copy
        }
        list.pointee.last = copy
        list.pointee.count &+= 1
        if group.pointee.place < 0, isReady(group) {
            group.pointee.place = Int32(truncatingIfNeeded: readyCount)
            ready[readyCount] = number
            readyCount &+= 1
            if readyCount == 1 { gate.set(true, entry) }
        }
    }

    override func remove(_ copy: Copy, as member: Int, _ entry: borrowing SoupEntry) {
        let (table, attachment) = (members[member].table, members[member].attachment)
        let link = table.pointee.link(copy, attachment).pointee
        let group = group(link.group)
        let list = list(group, member)
        if link.previous >= 0 {
            table.pointee.link(link.previous, attachment).pointee.next = link.next
        } else {
            list.pointee.first = link.next
        }
        if link.next >= 0 {
            table.pointee.link(link.next, attachment).pointee.previous = link.previous
        } else {
            list.pointee.last = link.previous
        }
        list.pointee.count &-= 1
        if group.pointee.place >= 0, !isReady(group) {
            readyCount &-= 1
            let moved = ready[readyCount]
            ready[Int(group.pointee.place)] = moved
            self.group(moved).pointee.place = group.pointee.place
            group.pointee.place = -1
            if readyCount == 0 { gate.set(false, entry) }
        }
        if list.pointee.first < 0, isEmpty(group) { drop(link.group, group) }
    }

    private func isEmpty(_ group: UnsafeMutablePointer<Group>) -> Bool {
        for member in 0..<memberCount where list(group, member).pointee.first >= 0 { return false }
        return true
    }

    /// Whether every input has enough copies.
    private func isReady(_ group: UnsafeMutablePointer<Group>) -> Bool {
        if isSimple {
            for member in 0..<memberCount where list(group, member).pointee.first < 0 { return false }
            return true
        }
        for member in 0..<memberCount where list(group, member).pointee.count < members[member].need { return false }
        return assign(0, 0, group)
    }

    // MARK: Choosing

    override func mayTake(_ copy: Copy, _ feature: Feature, as member: Int, _ entry: borrowing SoupEntry) -> Bool {
        group(members[member].table.pointee.link(copy, members[member].attachment).pointee.group).pointee.place >= 0
    }

    override func choose(_ entry: borrowing SoupEntry) {
        let index = readyCount == 1 ? 0 : entry.contents.matching.generator.below(readyCount)
        let group = group(ready[index])
        if isSimple {
            for member in 0..<memberCount { chosen[member] = list(group, member).pointee.first }
        } else {
            _ = assign(0, 0, group)
            chosen.update(from: tried, count: inputs)
        }
    }

    /// Chooses copies for this member and those behind it, the oldest that are possible. Two inputs may be copies of
    /// one molecule, and then must not get the same one.
    /// So many of `tried` are `filled`.
    ///
    /// - Returns: whether there are enough copies.
    private func assign(_ member: Int, _ filled: Int, _ group: UnsafeMutablePointer<Group>) -> Bool {
        guard member < memberCount else { return true }
        var rest = list(group, member).pointee.first
        return assign(member, filled, left: members[member].need, &rest, group)
    }

    private func assign(
        _ member: Int,
        _ filled: Int,
        left: Int32,
        _ next: inout Copy,
        _ group: UnsafeMutablePointer<Group>
    ) -> Bool {
        if left == 0 { return assign(member + 1, filled, group) }
        // Others can have taken at most `filled` of the copies here, and those behind this one as many.
        var tries = 0
        while next >= 0, tries <= maxTries {
            let copy = next
            next = members[member].table.pointee.link(copy, members[member].attachment).pointee.next
            if isTaken(copy, before: member) { continue }
            tries += 1
            tried[filled] = copy
            var rest = next
            if assign(member, filled + 1, left: left - 1, &rest, group) { return true }
        }
        return false
    }

    /// Whoever has more copies than all inputs take together will always find one that no other needs.
    private var maxTries: Int { (0..<memberCount).reduce(0) { $0 + Int(members[$1].need) } }

    /// Whether an earlier input has got `copy` of the same molecule.
    private func isTaken(_ copy: Copy, before member: Int) -> Bool {
        var place = 0
        for number in 0..<member {
            let earlier = members[number]
            if earlier.table == members[member].table {
                for index in place..<(place + Int(earlier.need)) where tried[index] == copy { return true }
            }
            place += Int(earlier.need)
        }
        return false
    }

    // MARK: The hash table

    private func findOrMake(_ feature: Feature) -> Int32 {
        let hash = feature.hash
        if groupCount &* 4 >= bucketCount &* 3 { growBuckets() }
        let mask = bucketCount &- 1
        var bucket = buckets + (Int(hash) & mask)
        while bucket.pointee.group >= 0 {
            if bucket.pointee.hash == hash, has(bucket.pointee.group, feature) { return bucket.pointee.group }
            bucket = buckets + ((bucket - buckets &+ 1) & mask)
        }
        let number = makeGroup(feature, hash)
        bucket.pointee = Bucket(hash: hash, group: number)
        return number
    }

    private func find(_ feature: Feature) -> Int32? {
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

    private func has(_ number: Int32, _ feature: Feature) -> Bool {
        let group = group(number)
        guard group.pointee.a == feature.a, group.pointee.b == feature.b else { return false }
        if group.pointee.rest == nil, feature.rest == nil { return true }
        return Feature.isEqual(group.pointee.rest?.takeUnretainedValue(), feature.rest)
    }

    private func makeGroup(_ feature: Feature, _ hash: UInt32) -> Int32 {
        let number: Int32
        if firstUnused >= 0 {
            number = firstUnused
            firstUnused = group(number).pointee.place
        } else {
            if groupsUsed == groupCapacity { growGroups() }
            number = Int32(truncatingIfNeeded: groupsUsed)
            groupsUsed &+= 1
        }
        groupCount &+= 1
        let group = group(number)
        group.pointee = Group(
            a: feature.a,
            b: feature.b,
            rest: feature.rest.map { .passRetained($0) },
            hash: hash,
            place: -1,
            isUsed: true
        )
        for member in 0..<memberCount { list(group, member).pointee = List(first: -1, last: -1, count: 0) }
        return number
    }

    private func drop(_ number: Int32, _ group: UnsafeMutablePointer<Group>) {
        let mask = bucketCount &- 1
        var hole = Int(group.pointee.hash) & mask
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
        // Nothing of a user: the text of a key, if anything.
        group.pointee.rest?.release()
        group.pointee.isUsed = false
        group.pointee.place = firstUnused
        firstUnused = number
        groupCount &-= 1
        if groupCount == 0 {
            firstUnused = -1
            groupsUsed = 0
            if groupCapacity > 1 << 14 { giveBack() }
        }
    }

    private func growBuckets() {
        if bucketCount > 0 { buckets.deallocate() }
        bucketCount = max(16, bucketCount * 2)
        buckets = .allocate(capacity: bucketCount)
        buckets.initialize(repeating: Bucket(hash: 0, group: -1), count: bucketCount)
        let mask = bucketCount - 1
        for number in 0..<Int32(groupsUsed) where group(number).pointee.isUsed {
            let hash = group(number).pointee.hash
            var index = Int(hash) & mask
            while buckets[index].group >= 0 { index = (index &+ 1) & mask }
            buckets[index] = Bucket(hash: hash, group: number)
        }
    }

    private func growGroups() {
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
    private func giveBack() {
        if bucketCount > 0 { buckets.deallocate() }
        if groupCapacity > 0 {
            groups.deallocate()
            ready.deallocate()
        }
        bucketCount = 0
        groupCapacity = 0
    }

    // MARK: What is missing

    /// Notes which keys wait for something, and says outside of the soup for what: `payment with orderID 17`.
    override func lack(_ entry: borrowing SoupEntry) -> () -> String {
        // The group that lacks the least, among a few: a soup may hold millions.
        var best: (missing: [Int], feature: Feature)?
        var seen = 0
        for index in 0..<min(groupsUsed, 1024) where seen < 64 {
            let group = group(Int32(index))
            let lists = (0..<memberCount).map { list(group, $0).pointee.count }
            guard group.pointee.isUsed, lists.contains(where: { $0 > 0 }) else { continue }
            seen += 1
            let missing = (0..<memberCount).filter { lists[$0] < members[$0].need }
            if missing.count < best?.missing.count ?? .max {
                best = (missing, Feature(group.pointee.a, group.pointee.b, group.pointee.rest?.takeUnretainedValue()))
            }
        }
        guard let best else { return { "values that match" } }
        let waiting = groupCount
        let text = text(best.missing, best.feature)
        return { text() + (waiting > 1 ? " (and \(waiting - 1) more)" : "") }
    }

    override func lack(_ entry: borrowing SoupEntry, for feature: Feature) -> () -> String {
        guard let number = find(feature) else { return lack(entry) }
        return text((0..<memberCount).filter { list(group(number), $0).pointee.count < members[$0].need }, feature)
    }

    private func text(_ missing: [Int], _ feature: Feature) -> () -> String {
        let (names, style) = (names, style)
        return {
            // Two copies of one molecule may have the same key, and that be the one that both inputs count on.
            let missing = missing.isEmpty ? Array(names.indices) : missing
            let key = feature.text(style)
            return missing.map { "\(names[$0].text) \(key)" }.joined(separator: " and ")
        }
    }
}
