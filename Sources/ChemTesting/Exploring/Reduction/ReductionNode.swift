/// A step of the present schedule, and what has been and has to be tried in its place.
struct ReductionNode {
    /// Up to how many are looked for one by one.
    private static let few = 8

    let offered: [Transition]
    /// The place of each, if there are many.
    private let places: [Transition: Int]
    /// What has been tried before the present one, or elsewhere, and what it touched.
    private(set) var asleep: [(transition: Transition, footprint: Footprint)]
    /// What that is, if it is much.
    private var sleepers: Set<Transition>
    /// What has to be tried.
    private(set) var wanted: Set<Transition>
    /// Nothing before that place is wanted and hasn't been tried.
    private var firstWanted = 0
    var current: Transition
    /// What the choices within the step were, and how many possibilities there were.
    var choices: [(choice: Int, count: Int)] = []
    /// What the present one has touched, whatever the choices.
    var footprint = Footprint()

    /// - Returns: nil if everything is asleep.
    init?(_ offered: [Transition], asleep: [(transition: Transition, footprint: Footprint)]) {
        self.offered = offered
        self.asleep = asleep
        places =
            offered.count > Self.few
            ? Dictionary(zip(offered, offered.indices), uniquingKeysWith: { first, _ in first }) : [:]
        let sleepers = asleep.count > Self.few ? Set(asleep.lazy.map(\.transition)) : []
        self.sleepers = sleepers
        let isAsleep = { (one: Transition) in
            sleepers.isEmpty ? asleep.contains { $0.transition == one } : sleepers.contains(one)
        }
        guard let current = offered.first(where: { !isAsleep($0) }) else { return nil }
        self.current = current
        // Everything depends on whether time has passed.
        wanted = Set(offered.filter { $0.kind == .time }).union([current])
    }

    func place(of transition: Transition) -> Int? {
        places.isEmpty ? offered.firstIndex(of: transition) : places[transition]
    }

    func isAsleep(_ transition: Transition) -> Bool {
        sleepers.isEmpty ? asleep.contains { $0.transition == transition } : sleepers.contains(transition)
    }

    mutating func want(_ transition: Transition) {
        guard wanted.insert(transition).inserted, let place = place(of: transition) else { return }
        firstWanted = min(firstWanted, place)
    }

    /// The present one has been tried.
    mutating func sleep(_ footprint: Footprint) {
        asleep.append((current, footprint))
        if !sleepers.isEmpty {
            sleepers.insert(current)
        } else if asleep.count > Self.few {
            sleepers = Set(asleep.lazy.map(\.transition))
        }
    }

    /// What is wanted next, in the order in which it was offered.
    mutating func next() -> Transition? {
        while firstWanted < offered.count {
            let one = offered[firstWanted]
            if wanted.contains(one), one != current, !isAsleep(one) { return one }
            firstWanted += 1
        }
        return nil
    }
}
