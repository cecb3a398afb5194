import ChemBase

/// Finds copies that have the same key: one group for each key that is present, and a list of those groups in which
/// every input has enough copies.
///
/// Whatever waits, a copy comes and goes in constant time. The idea is that of the alpha and beta memories of
/// production systems (Forgy's Rete, 1982; Miranker's TREAT, 1987), with a hash index instead of a join.
final class MatchIndex: GuardIndex {
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

    private typealias Group = KeyGroups.Group

    private let members: UnsafeMutablePointer<Member>
    @exclusivity(unchecked) private var names: [Names] = []
    /// What keys were made of.
    private let style: Feature.Style
    /// How many copies the reaction takes, and room to try which.
    private let inputs: Int
    private let tried: UnsafeMutablePointer<Copy>
    /// Whether each input takes one copy, of a molecule of its own.
    @exclusivity(unchecked) private var isSimple = true
    /// Whether two inputs take copies of one molecule, so that which ones has to be tried.
    @exclusivity(unchecked) private var isShared = false

    @exclusivity(unchecked) private var keys = KeyGroups()
    /// How many groups are ready.
    @exclusivity(unchecked) private var readyCount = 0

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
    }

    /// Adds an input, before there are copies.
    func add(_ member: Member, _ name: Names) {
        if (0..<memberCount).contains(where: { members[$0].table == member.table }) { isShared = true }
        if member.need != 1 || isShared { isSimple = false }
        (members + memberCount).initialize(to: member)
        keys.addMember()
        names.append(name)
    }

    override func isLike(_ other: GuardIndex) -> Bool {
        guard let other = other as? MatchIndex, names.count == other.names.count else { return false }
        return names.allSatisfy { one in
            let isThis = { (name: Names) in name.identity == one.identity && name.path == one.path }
            return names.count(where: isThis) == other.names.count(where: isThis)
        }
    }

    private var memberCount: Int { keys.memberCount }

    private func group(_ number: Int32) -> UnsafeMutablePointer<Group> { keys.group(number) }

    private func list(_ group: UnsafeMutablePointer<Group>, _ member: Int) -> UnsafeMutablePointer<KeyGroups.List> {
        keys.list(group, member)
    }

    // MARK: Coming and going

    override func insert(_ copy: Copy, as member: Int, _ feature: Feature, _ entry: borrowing SoupEntry) {
        let number = keys.findOrMake(feature)
        let group = group(number)
        let list = list(group, member)
        let (table, attachment) = (members[member].table, members[member].attachment)
        let last = list.pointee.last
        table.pointee.link(copy, attachment).pointee = CopyTable.Link(previous: last, next: -1, group: number)
        if last >= 0 {
            table.pointee.link(last, attachment).pointee.next = copy
        } else {
            list.pointee.first = copy
            group.pointee.filled &+= 1
        }
        list.pointee.last = copy
        list.pointee.count &+= 1
        if group.pointee.place < 0, isReady(group) {
            group.pointee.place = Int32(truncatingIfNeeded: readyCount)
            keys.ready[readyCount] = number
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
        if list.pointee.first < 0 { group.pointee.filled &-= 1 }
        if group.pointee.place >= 0, !isReady(group) {
            readyCount &-= 1
            let moved = keys.ready[readyCount]
            keys.ready[Int(group.pointee.place)] = moved
            self.group(moved).pointee.place = group.pointee.place
            group.pointee.place = -1
            if readyCount == 0 { gate.set(false, entry) }
        }
        if group.pointee.filled == 0 { keys.drop(link.group) }
    }

    /// Whether every input has enough copies.
    private func isReady(_ group: UnsafeMutablePointer<Group>) -> Bool {
        if isSimple { return Int(group.pointee.filled) == memberCount }
        for member in 0..<memberCount where list(group, member).pointee.count < members[member].need { return false }
        return !isShared || assign(0, 0, group)
    }

    // MARK: Choosing

    override func mayTake(_ copy: Copy, _ feature: Feature, as member: Int, _ entry: borrowing SoupEntry) -> Bool {
        group(members[member].table.pointee.link(copy, members[member].attachment).pointee.group).pointee.place >= 0
    }

    override func choose(_ entry: borrowing SoupEntry) {
        let index = readyCount == 1 ? 0 : entry.contents.matching.generator.below(readyCount)
        let group = group(keys.ready[index])
        if isSimple {
            for member in 0..<memberCount { chosen[member] = list(group, member).pointee.first }
        } else if isShared {
            _ = assign(0, 0, group)
            chosen.update(from: tried, count: inputs)
        } else {
            chooseOldest(group)
        }
    }

    /// Chooses the oldest copies for each input, where no two take copies of one molecule.
    private func chooseOldest(_ group: UnsafeMutablePointer<Group>) {
        var place = 0
        for member in 0..<memberCount {
            let (table, attachment) = (members[member].table, members[member].attachment)
            var copy = list(group, member).pointee.first
            for _ in 0..<members[member].need {
                chosen[place] = copy
                copy = table.pointee.link(copy, attachment).pointee.next
                place += 1
            }
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

    // MARK: Reading ahead

    override var readsAhead: Bool { keys.isWide }

    override func expect(_ feature: Feature) { keys.expect(feature) }

    override func expectGroups() { keys.expectGroups() }

    // MARK: What is missing

    /// Notes which keys wait for something, and says outside of the soup for what: `payment with orderID 17`.
    override func lack(_ entry: borrowing SoupEntry) -> () -> String {
        // The group that lacks the least, among a few.
        var best: (missing: [Int], feature: Feature)?
        for group in keys.someGroups {
            let missing = (0..<memberCount).filter { list(group, $0).pointee.count < members[$0].need }
            if missing.count < best?.missing.count ?? .max {
                best = (missing, Feature(group.pointee.a, group.pointee.b, group.pointee.rest?.takeUnretainedValue()))
            }
        }
        guard let best else { return { "values that match" } }
        let waiting = keys.count
        let text = text(best.missing, best.feature)
        return { text() + (waiting > 1 ? " (and \(waiting - 1) more)" : "") }
    }

    override func lack(_ entry: borrowing SoupEntry, for feature: Feature) -> () -> String {
        guard let number = keys.find(feature), group(number).pointee.standing == .used else { return lack(entry) }
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
