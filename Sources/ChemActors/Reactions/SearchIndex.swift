import ChemBase

/// Which copies have to be tried together, if only a predicate can say whether they fit: each new one with all older
/// ones of the other inputs, oldest first.
///
/// So every combination is tried once, when the youngest copy in it has come. The trying happens outside of the soup,
/// by whoever is about to run the reaction, and by one at a time. The gate is open while there is something to try.
@usableFromInline
final class SearchIndex: GuardIndex {
    // Touched in the soup, but for what never changes.

    /// A copy, and the moment at which it came. A number is used again for another copy, a moment isn't.
    @usableFromInline
    struct Candidate: BitwiseCopyable, Sendable {
        @usableFromInline let copy: Int32
        @usableFromInline let moment: UInt64
    }

    /// A copy with which all older ones have to be tried.
    @usableFromInline
    struct Newcomer: BitwiseCopyable, Sendable {
        @usableFromInline let candidate: Candidate
        @usableFromInline let member: Int
    }

    /// Tries a new copy with all older ones. Called outside of the soup.
    ///
    /// It returns the copies that fit together, one for each input, or nothing.
    @usableFromInline typealias Trial = @Sendable (SearchIndex, Newcomer) -> [Candidate]

    @usableFromInline let soup: SoupReference
    private let join: Unmanaged<Join>
    private let location: SourceLocation
    @exclusivity(unchecked) private var members: [SearchedCopies] = []
    /// Where the copies of each input are. Read outside of the soup as well: it never changes once the definition has
    /// started.
    @exclusivity(unchecked) private var tables: [UnsafeMutablePointer<CopyTable>] = []
    @exclusivity(unchecked) private var newcomers = FIFO<Newcomer>()
    @exclusivity(unchecked) private var moment: UInt64 = 0
    @exclusivity(unchecked) private var isUnderWay = false
    @exclusivity(unchecked) private var trial: Trial?
    /// Whether the last search has found copies, which are in `chosen`.
    @exclusivity(unchecked) private(set) var hasFound = false
    /// Changes whenever copies change their places.
    @exclusivity(unchecked) @usableFromInline private(set) var arrangement = 0
    /// Whether it has been reported that many combinations were tried.
    @exclusivity(unchecked) private var hasReported = false

    /// After how many combinations for one new copy a search is long.
    private static var longSearch: Int { 4096 }

    init(gate: Gate, _ join: Join, inputs: Int, at location: SourceLocation) {
        // The gate belongs to the definition.
        self.join = .passUnretained(join)
        self.location = location
        soup = join.soup
        super.init(gate: gate, inputs: inputs)
    }

    func add(_ place: GuardReference.Place) {
        members.append(SearchedCopies(table: place.table, attachment: place.attachment))
        tables.append(place.table)
    }

    func setTrial(_ trial: @escaping Trial) { self.trial = trial }

    // MARK: Coming and going

    override func insert(_ copy: Int32, as member: Int, _ feature: Feature, _ entry: borrowing SoupEntry) {
        moment += 1
        let candidate = Candidate(copy: copy, moment: moment)
        let link = members[member].table.pointee.link(copy, members[member].attachment)
        link.pointee.group = Int32(truncatingIfNeeded: members[member].copies.count)
        members[member].copies.append(candidate)
        // Without any older partners, it's the partners that will be tried with this one.
        if members.indices.allSatisfy({ $0 == member || members[$0].count > 0 }) {
            newcomers.append(Newcomer(candidate: candidate, member: member))
            forgetThoseThatHaveLeft()
        }
        update(entry)
    }

    override func remove(_ copy: Int32, as member: Int, _ entry: borrowing SoupEntry) {
        let place = Int(members[member].table.pointee.link(copy, members[member].attachment).pointee.group)
        members[member].copies[place] = Candidate(copy: -1, moment: members[member].copies[place].moment)
        members[member].holes += 1
        while members[member].first < members[member].copies.count,
            members[member].copies[members[member].first].copy < 0
        {
            members[member].first += 1
        }
        if members[member].holes > 32, members[member].holes * 4 > members[member].copies.count {
            members[member].closeRanks()
            arrangement &+= 1
        }
        if members[member].count == 0 {
            members[member].copies.removeAll(keepingCapacity: members[member].holes < 1 << 12)
        }
        if members[member].copies.isEmpty {
            arrangement &+= 1
            members[member].holes = 0
            members[member].first = 0
            members[member].mirrored = 0
            if members[member].mirrorCapacity > 1 << 14 { members[member].dropMirror() }
        }
        update(entry)
    }

    /// Forgets newcomers that have left untried, which a search does otherwise: none comes as long as a state lacks.
    ///
    /// - Complexity: O(1), amortised: half of those that it looks at have left.
    private func forgetThoseThatHaveLeft() {
        guard newcomers.count > 64, newcomers.count > 2 * members.reduce(0, { $0 + $1.count }) else { return }
        var rest = FIFO<Newcomer>()
        for newcomer in newcomers.removeAll() where isPresent(newcomer.candidate, newcomer.member) {
            rest.append(newcomer)
        }
        newcomers = rest
    }

    private func update(_ entry: borrowing SoupEntry) {
        gate.set(!isUnderWay && !newcomers.isEmpty && members.allSatisfy { $0.count > 0 }, entry)
    }

    private func place(_ moment: UInt64, _ member: Int) -> Int { members[member].place(of: moment) }

    @usableFromInline
    func isPresent(_ candidate: Candidate, _ member: Int) -> Bool {
        let place = place(candidate.moment, member)
        guard place < members[member].copies.count else { return false }
        let found = members[member].copies[place]
        return found.copy == candidate.copy && found.moment == candidate.moment
    }

    /// The next copies of an input that came after `last` and before `newcomer`, oldest first.
    ///
    /// - Returns: how many there are, at most `count`.
    @usableFromInline
    func candidates(
        of member: Int,
        after last: UInt64,
        before newcomer: Newcomer,
        atMost count: Int,
        into candidates: UnsafeMutablePointer<Candidate>
    ) -> Int {
        // A molecule that stands there twice: the new copy itself is no partner.
        let other = areCopies(member, newcomer.member) ? newcomer.candidate.copy : -1
        let first = place(last + 1, member)
        return members[member].copies.withUnsafeBufferPointer { copies in
            var found = 0
            var place = first
            while place < copies.count, found < count, copies[place].moment < newcomer.candidate.moment {
                let candidate = copies[place]
                place &+= 1
                if candidate.copy < 0 || candidate.copy == other { continue }
                candidates[found] = candidate
                found &+= 1
            }
            return found
        }
    }

    /// What the copies of an input carry, if that is trivial, as long as the soup isn't left. `read` says what a copy
    /// carries.
    @inlinable
    @inline(__always)
    func mirror<Content>(of member: Int, _ read: (Int32) -> Content) -> UnsafeMutablePointer<Content> {
        let (base, mirrored, count) = makeMirror(of: member, stride: MemoryLayout<Content>.stride)
        let contents = base.assumingMemoryBound(to: Content.self)
        guard mirrored < count else { return contents }
        var first = mirrored
        for place in mirrored..<count {
            let copy = copy(at: place, member)
            if copy >= 0 {
                (contents + place).initialize(to: read(copy))
                // Those that had left before anybody could read them.
                while first < place {
                    (contents + first).initialize(to: contents[place])
                    first += 1
                }
                first = place + 1
            } else if first < place || place > 0 {
                if first == place {
                    (contents + place).initialize(to: contents[place - 1])
                    first += 1
                }
            }
        }
        noteMirrored(first, member)
        return contents
    }

    @usableFromInline
    func copy(at place: Int, _ member: Int) -> Int32 { members[member].copies[place].copy }

    @usableFromInline
    func noteMirrored(_ count: Int, _ member: Int) { members[member].mirrored = count }

    /// Room for what all copies of an input carry.
    @usableFromInline
    func makeMirror(of member: Int, stride: Int) -> (base: UnsafeMutableRawPointer, mirrored: Int, count: Int) {
        (members[member].makeMirror(stride: stride), members[member].mirrored, members[member].copies.count)
    }

    deinit {
        for member in members.indices { members[member].dropMirror() }
    }

    /// The copies of an input that came after `last` and before `newcomer`: the range of their places. Holes are among
    /// them, and maybe the new copy itself.
    @usableFromInline
    func places(of member: Int, after last: UInt64, before newcomer: Newcomer, atMost count: Int) -> Range<Int> {
        let first = place(last + 1, member)
        let end = place(newcomer.candidate.moment, member)
        return first..<Swift.min(end, first + count)
    }

    /// What lies at a place that was found outside of the soup.
    @usableFromInline
    enum Partner {
        /// A copy that can be taken together with the new one.
        case `is`(Candidate)
        /// Nothing any more, or the new copy itself.
        case isNone
        /// Nobody knows: the copies have changed their places.
        case hasMoved
    }

    @usableFromInline
    func partner(at place: Int, _ member: Int, _ newcomer: Newcomer, _ arrangement: Int) -> Partner {
        let entry = soup.enter()
        var result = Partner.hasMoved
        if arrangement == self.arrangement, place < members[member].copies.count {
            let candidate = members[member].copies[place]
            let isSame = candidate.copy == newcomer.candidate.copy && areCopies(member, newcomer.member)
            result = candidate.copy < 0 || isSame ? .isNone : .is(candidate)
        }
        entry.leaveUnchanged()
        return result
    }

    @usableFromInline
    func candidate(at place: Int, _ member: Int) -> Candidate { members[member].copies[place] }

    /// Whether two inputs are copies of one molecule.
    @usableFromInline
    func areCopies(_ one: Int, _ other: Int) -> Bool { tables[one] == tables[other] }

    // MARK: Searching

    private var oldestNewcomer: Newcomer? { newcomers.isEmpty ? nil : newcomers[0] }

    /// The trial knows the names of the inputs, which hold the definition.
    override func removeClosures() { trial = nil }

    /// A copy that hasn't been tried yet. One that has may still be taken with a newer one, but that is then up to
    /// chance.
    override func mayTake(_ copy: Int32, _ feature: Feature, as member: Int, _ entry: borrowing SoupEntry) -> Bool {
        guard let oldest = oldestNewcomer else { return false }
        let place = Int(members[member].table.pointee.link(copy, members[member].attachment).pointee.group)
        return members[member].copies[place].moment >= oldest.candidate.moment
    }

    override func choose(_ entry: borrowing SoupEntry) {}

    override var isSearching: Bool { isUnderWay }

    /// Tries what has to be tried, until some copies fit together: then `hasFound`.
    ///
    /// In the meantime the soup is left, and whatever has been found out there is checked: what has left doesn't count,
    /// and if a state that the reaction updates has been taken by another one, the search is repeated when it is back.
    func search(_ entry: consuming SoupEntry) -> SoupEntry {
        guard let trial else { fatalError("ChemActors: a search without a predicate") }
        isUnderWay = true
        hasFound = false
        update(entry)
        var entry = entry
        while !hasFound, mayReact(entry), let newcomer = oldestNewcomer {
            guard isPresent(newcomer.candidate, newcomer.member) else {
                _ = newcomers.popFirst()
                continue
            }
            entry.leave()
            let found = trial(self, newcomer)
            entry = soup.enter()
            if found.isEmpty {
                // Nobody else takes out newcomers; but clearing may have.
                if oldestNewcomer?.candidate.moment == newcomer.candidate.moment { _ = newcomers.popFirst() }
            } else if mayReact(entry), found.indices.allSatisfy({ isPresent(found[$0], $0) }) {
                _ = newcomers.popFirst()
                for (place, candidate) in found.enumerated() { chosen[place] = candidate.copy }
                hasFound = true
            }
        }
        isUnderWay = false
        update(entry)
        return entry
    }

    /// Whether the reaction lacks nothing but this gate, which is closed during a search.
    private func mayReact(_ entry: borrowing SoupEntry) -> Bool {
        entry.contents.life.phase == .running && entry.contents.matching.readiness[reaction].missing == 1
    }

    /// Reports that a search is long, once.
    @usableFromInline
    func note(_ tried: Int) {
        guard tried > Self.longSearch else { return }
        let entry = soup.enter()
        let isFirst = !hasReported
        hasReported = true
        entry.leaveUnchanged()
        if isFirst {
            join._withUnsafeGuaranteedRef {
                $0.report(.searchesForLong(location: location.description, combinations: tried))
            }
        }
    }

    override func lack(_ entry: borrowing SoupEntry) -> () -> String {
        { "values that meet its condition" }
    }
}
