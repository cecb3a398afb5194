#if EXPLORED
    /// Makes the choices of one run, and remembers how many there were.
    ///
    /// Choice 0 is the usual one: the thread goes on, or else the one that has been ready for longest. Others are
    /// deviations from it.
    struct Script {
        /// The deviations: which choice is made at which of the points.
        struct Deviation: Hashable {
            let point: Int
            let choice: Int
        }

        /// What is to be done at the points that are told of, or nil for chance.
        private let planned: [Int: Int]
        private var chance: Chance?
        /// How many possibilities there were at each point.
        private(set) var counts: [Int] = []
        /// What was done.
        private(set) var deviations: [Deviation] = []

        init(_ deviations: [Deviation]) {
            planned = Dictionary(deviations.map { ($0.point, $0.choice) }) { $1 }
        }

        /// Deviates by chance, at about one of `interval` points.
        init(seed: UInt64, interval: UInt64) {
            planned = [:]
            chance = Chance(state: seed, interval: interval)
        }

        mutating func choose(_ count: Int) -> Int {
            let point = counts.count
            counts.append(count)
            let choice = chance?.choose(count) ?? min(planned[point] ?? 0, count - 1)
            if choice != 0 { deviations.append(Deviation(point: point, choice: choice)) }
            return choice
        }

        private struct Chance {
            var state: UInt64
            let interval: UInt64

            /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
            private mutating func next() -> UInt64 {
                state &+= 0x9e37_79b9_7f4a_7c15
                var z = state
                z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
                z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
                return z ^ (z >> 31)
            }

            mutating func choose(_ count: Int) -> Int {
                guard next() % interval == 0 else { return 0 }
                return Int(next() % UInt64(count))
            }
        }
    }

    extension [Script.Deviation] {
        /// As the program takes it: `12.1,40.2`, or `-` for none.
        var token: String { isEmpty ? "-" : map { "\($0.point).\($0.choice)" }.joined(separator: ",") }

        init?(token: String) {
            self = []
            if token == "-" { return }
            for part in token.split(separator: ",") {
                let numbers = part.split(separator: ".").compactMap { Int($0) }
                guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
                append(Script.Deviation(point: numbers[0], choice: numbers[1]))
            }
        }
    }
#endif
