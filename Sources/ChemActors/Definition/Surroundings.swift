/// The code that makes something: on which machine its definitions are, and what they keep alive.
package struct Surroundings: Sendable {
    package let machine: ChemicalMachine
    /// A lease on the definition in whose body the code runs, if there is one.
    let lease: AnyLease?

    /// Those of the code that asks.
    package static var current: Surroundings {
        Surroundings(machine: Join.currentMachine, lease: Join.birthplace.parent)
    }

    /// What is made by code in several places: on the machine of the first one, and keeps alive what any of them would.
    package static func joined(_ all: [Surroundings]) -> Surroundings? {
        guard let machine = all.first?.machine else { return nil }
        let leases = all.compactMap(\.lease)
        return Surroundings(machine: machine, lease: leases.count > 1 ? Leases(leases) : leases.first)
    }

    private final class Leases: Sendable {
        private let all: [AnyLease]

        init(_ all: [AnyLease]) { self.all = all }
    }
}
