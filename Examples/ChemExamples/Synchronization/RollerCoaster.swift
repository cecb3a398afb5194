import ChemActors

/// Passengers ride a roller coaster again and again. A car leaves when it is full; cars load one at a time, and unload
/// in the order in which they were loaded.
///
///     passenger × 4 & car1 & loading1 → riding1(them), loading2
///     riding1(them) → arrived1(them)
///     arrived1(them) & unloading1 → passenger × 4, car1, unloading2
///
/// and so on around. The one copy of `loading…` is the platform, and goes from car to car; so does `unloading…`, the
/// exit.
enum RollerCoaster {
    static let capacity = 4

    static func define(cars: Int, passengers: Int, rides: Int, witness: Witness<RollerCoasterLedger>) -> Join {
        Join.define("roller coaster") { join in
            let passenger = join.slow("passenger", of: Int.self)
            let car = (0..<cars).map { join.slow("car \($0)") }
            // Platform and exit carry the number of the ride.
            let loading = (0..<cars).map { join.slow("loading \($0)", of: Int.self) }
            let unloading = (0..<cars).map { join.slow("unloading \($0)", of: Int.self) }
            let riding = (0..<cars).map { join.slow("riding \($0)", of: [Int].self) }
            let arrived = (0..<cars).map { join.slow("arrived \($0)", of: [Int].self) }

            for this in 0..<cars {
                let next = (this + 1) % cars

                join.when(
                    passenger,
                    passenger,
                    passenger,
                    passenger,
                    car[this],
                    loading[this]
                ) { a, b, c, d, _, ride in
                    witness.saw(.loaded(car: this, ride: ride, [a, b, c, d]))
                    riding[this]([a, b, c, d])
                    if ride < rides { loading[next](ride + 1) }
                }
                join.when(riding[this]) { passengers in
                    // Some rides take longer than others; a car may well be overtaken here.
                    await Task.yield()
                    arrived[this](passengers)
                }
                join.when(arrived[this], unloading[this]) { passengers, ride in
                    witness.saw(.unloaded(car: this, ride: ride, passengers))
                    car[this]()
                    for one in passengers { passenger(one) }
                    unloading[next](ride + 1)
                }
            }

            for one in car { one() }
            for one in 0..<passengers { passenger(one) }
            loading[0](1)
            unloading[0](1)
            return join.definition
        }
    }
}

/// Who sits in which car.
struct RollerCoasterLedger: Ledger {
    enum Event: Sendable {
        case loaded(car: Int, ride: Int, [Int])
        case unloaded(car: Int, ride: Int, [Int])
    }

    let rides: Int
    private var aboard: [Int: [Int]] = [:]
    private var underway: [Int] = []
    private var ended = 0
    private var loads = Invariant("a car is empty before it is loaded, and full when it leaves")
    private var places = Invariant("nobody sits in two cars")
    private var unloads = Invariant("the cars unload in the order in which they were loaded")

    init(rides: Int) {
        self.rides = rides
    }

    mutating func record(_ event: Event) {
        switch event {
        case .loaded(let car, let ride, let passengers):
            let isProper = aboard[car] == nil && passengers.count == RollerCoaster.capacity
            loads.look(isProper ? nil : "ride \(ride), car \(car): \(passengers)")
            let isOnce = Set(passengers).count == passengers.count
            let isElsewhere = aboard.values.contains { !Set($0).isDisjoint(with: passengers) }
            places.look(isOnce && !isElsewhere ? nil : "ride \(ride): \(passengers)")
            aboard[car] = passengers
            underway.append(ride)
        case .unloaded(let car, let ride, let passengers):
            let isNext = underway.first == ride && aboard[car] == passengers
            unloads.look(isNext ? nil : "ride \(ride), while \(underway) were underway")
            underway.removeAll { $0 == ride }
            aboard[car] = nil
            ended += 1
        }
    }

    var checks: [Check] {
        [loads.check, places.check, unloads.check, Check("rides", ended, is: rides)]
    }
}

extension Gallery {
    static let rollerCoaster = Example(
        "rollercoaster",
        "roller coaster: full cars, which unload in the order in which they were loaded",
        from: "Andrews; Little Book of Semaphores 5.8"
    ) { stage, _, machine in
        let rides = stage.pick(full: 5000, small: 50)
        let witness = Witness(RollerCoasterLedger(rides: rides))
        let definition = RollerCoaster.define(cars: 3, passengers: 20, rides: rides, witness: witness)
        try await definition.quiescence()
        try await machine.quiescence()
        return try await witness.account().checks
    }
}
