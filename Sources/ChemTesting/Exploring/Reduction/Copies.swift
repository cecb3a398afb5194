/// Which copies of molecules there are, where it is chosen which one is taken.
///
/// The soup doesn't tell its copies apart. But it puts new ones behind the others, and the last one in place of one
/// that is taken. So whoever knows what came and which place was chosen knows which copies are left.
struct Copies {
    /// A way to take what a reaction takes.
    struct Pick {
        /// The copies that are told apart, in the order in which they are taken.
        var copies: [Int] = []
        /// What has to be chosen, or nil for a choice among copies that aren't told apart.
        var choices: [Int?] = []
    }

    /// For each molecule whose copies are told apart, the numbers of these in the order of their places.
    private var places: [Int: [Int]] = [:]
    /// The number of the next copy.
    private var next = 0

    mutating func tellApart(_ molecule: Int) { places[molecule] = [] }

    func areToldApart(_ molecule: Int) -> Bool { places[molecule] != nil }

    /// Whether there are so few ways to take one copy of each of `molecules`.
    func arePicks(of molecules: some Collection<Int>, atMost limit: Int) -> Bool {
        var count = 1
        var taken: [Int: Int] = [:]
        for molecule in molecules {
            guard let copies = places[molecule]?.count else { continue }
            count *= max(1, copies - taken[molecule, default: 0])
            if count > limit { return false }
            taken[molecule, default: 0] += 1
        }
        return true
    }

    /// All ways to take one copy of each of `molecules`, of which those in `atRandom` have so many copies.
    func picks(of molecules: some Collection<Int>, atRandom counts: (Int) -> Int?) -> [Pick] {
        var picks = [Pick()]
        // Where a molecule is taken several times, what is left of it.
        var left: [[Int: [Int]]] = [[:]]
        var taken: [Int: Int] = [:]
        for molecule in molecules {
            guard places[molecule] != nil else {
                let count = (counts(molecule) ?? 0) - taken[molecule, default: 0]
                taken[molecule, default: 0] += 1
                if count > 1 { for index in picks.indices { picks[index].choices.append(nil) } }
                continue
            }
            var more: [Pick] = []
            var moreLeft: [[Int: [Int]]] = []
            for (pick, left) in zip(picks, left) {
                let here = left[molecule] ?? places[molecule] ?? []
                for (index, copy) in here.enumerated() {
                    var (pick, left) = (pick, left)
                    pick.copies.append(copy)
                    if here.count > 1 { pick.choices.append(index) }
                    left[molecule] = Self.without(index, here)
                    more.append(pick)
                    moreLeft.append(left)
                }
            }
            (picks, left) = (more, moreLeft)
        }
        return picks
    }

    private static func without(_ index: Int, _ copies: [Int]) -> [Int] {
        var copies = copies
        copies.swapAt(index, copies.count - 1)
        copies.removeLast()
        return copies
    }

    /// Takes `taken`, and then puts so many new ones.
    ///
    /// - Returns: the new ones.
    mutating func change(_ molecule: Int, taken: [Int], made count: Int) -> NumberSet {
        var copies = places[molecule] ?? []
        for copy in taken {
            if let index = copies.firstIndex(of: copy) { copies = Self.without(index, copies) }
        }
        places[molecule] = copies
        return make(count, of: molecule)
    }

    /// Notes that something else has happened to a molecule, of which so many copies are there now: they count as new.
    mutating func renew(_ molecule: Int, _ count: Int) -> NumberSet {
        places[molecule] = []
        return make(count, of: molecule)
    }

    private mutating func make(_ count: Int, of molecule: Int) -> NumberSet {
        var made = NumberSet()
        for _ in 0..<max(0, count) {
            places[molecule]?.append(next)
            made.insert(next)
            next += 1
        }
        return made
    }
}
