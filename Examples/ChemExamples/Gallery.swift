/// All examples.
package enum Gallery {
    /// In the order in which they are listed: synchronization problems, then computations, then guards.
    package static let all: [Example] = [
        philosophers, greedy, smokers, savages, water, santa, barber, childCare, river, rollerCoaster, bathroom,
        sushiBar,
        fibonacci, mergeSort, chameneos, threadRing, skynet, primeSieve, life, queens,
        orders, buffer, account, orderedReduce, pairSort,
    ]

    /// The example of this name.
    package static func example(named name: String) -> Example? {
        all.first { $0.name == name }
    }
}
