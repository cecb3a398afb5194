import ChemBase
import Synchronization

/// What identifies a group of definitions: their name, and the place where they were made.
///
/// The file is told by where its name lies in memory, which is faster than its characters. A file whose name lies at
/// two places makes two groups, which whoever shows them puts together.
struct GroupKey: Hashable {
    let name: String
    private let file: UInt
    private let line: UInt

    init(_ join: Join) {
        name = join.name
        let fileID = join.location.fileID
        file = fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : UInt(fileID.unicodeScalar.value)
        line = join.location.line
    }

    fileprivate init(ofOthers: Void) {
        name = "others"
        file = 0
        line = 0
    }
}

/// What definitions have done that have dissolved, so that the numbers of a census never decrease. It counts from the
/// first census on: before, nobody asks, and dissolving costs nothing more.
final class DissolvedTally: Sendable {
    struct Count {
        let name: String
        let location: SourceLocation?
        var definitions = 0
        var started = 0
        var failed = 0
        var latencies = OwnLatencies()
    }

    /// A definition that has dissolved while a census was being taken.
    struct Late {
        /// Keeps the actor, so that no other definition gets its address before the census is over.
        let join: Join
        let started: Int
        let failed: Int
        let latencies: OwnLatencies
    }

    private static let groupLimit = 1000

    private let isCounting = Atomic<Bool>(false)
    private struct Tally {
        var counts: [GroupKey: Count] = [:]
        var isCensusTaken = false
        var late: [Late] = []
    }

    /// Its lock is taken in the soup of a definition that dissolves.
    private let tally = Guarded(Tally())
    /// Held while a census is taken.
    private let census = Mutex(())

    /// A definition dissolves. Called in its soup, so that a census finds it either there or here.
    @inline(__always)
    func add(_ join: Join, _ entry: borrowing SoupEntry) {
        if isOn { count(join, entry) }
    }

    /// Whether somebody has taken a census, so that there is something to count for.
    @inline(__always)
    var isOn: Bool { isCounting.load(ordering: .relaxed) }

    @inline(never)
    private func count(_ join: Join, _ entry: borrowing SoupEntry) {
        let late = Late(
            join: join,
            started: entry.contents.started,
            failed: entry.state.failures,
            latencies: entry.state.latencies
        )
        tally.withLock { tally in
            Self.add(to: &tally.counts, late)
            if tally.isCensusTaken { tally.late.append(late) }
        }
    }

    private static func add(to counts: inout [GroupKey: Count], _ late: Late) {
        let join = late.join
        var key = GroupKey(join)
        var location: SourceLocation? = join.location
        if counts.count >= groupLimit, counts[key] == nil { (key, location) = (GroupKey(ofOthers: ()), nil) }
        var count = counts[key] ?? Count(name: key.name, location: location)
        count.definitions += 1
        count.started += late.started
        count.failed += late.failed
        count.latencies += late.latencies
        counts[key] = count
    }

    /// Counts everything once: what had dissolved before, then what `look` sees, then what has dissolved meanwhile and
    /// was not seen.
    ///
    /// - Parameter look: Looks at all live definitions, and tells of which it has counted.
    /// - Returns: what `look` returns, and what has dissolved.
    func whileCounting<Value>(
        _ look: () -> (Value, wasSeen: ([Late]) -> [Bool])
    ) -> (Value, dissolved: [GroupKey: Count]) {
        census.withLock { _ in
            var before = tally.withLock { tally in
                isCounting.store(true, ordering: .relaxed)
                tally.isCensusTaken = true
                return tally.counts
            }
            let (value, wasSeen) = look()
            let late = tally.withLock { tally in
                defer { (tally.late, tally.isCensusTaken) = ([], false) }
                return tally.late
            }
            if !late.isEmpty {
                for (late, wasSeen) in zip(late, wasSeen(late)) where !wasSeen {
                    Self.add(to: &before, late)
                }
            }
            return (value, before)
        }
    }
}
