import ChemActors

/// A tree with ten branches at each node and a million leaves: every leaf reports its number, and every node the sum of
/// its branches.
///
///     branch(number, size 1, parent) → parent(number)
///     branch(number, size, parent) → ten branches, whose parent is `report` of a new definition
///     report(x) × 10 → parent(the sum)
///
/// Each of the 111,111 inner nodes is a definition, which is freed when it has reported. Each leaf is a molecule, and a
/// reaction.
enum Skynet {
    /// A part of the tree that is to grow.
    struct Branch: Sendable {
        /// The number of its first leaf.
        let number: Int
        /// How many leaves it will have.
        let size: Int
        /// Where its sum goes.
        let parent: SlowMolecule<Int>
    }

    /// Makes the chemistry of all branches; `hasGrown` hears of each one of a thousand leaves that is complete.
    static func define(hasGrown: @escaping @Sendable () -> Void) -> SlowMolecule<Branch> {
        Join.define("skynet") { join in
            let branch = join.slow("branch", of: Branch.self)
            join.when(branch) { this in
                guard this.size > 1 else { return this.parent(this.number) }
                let report = node(parent: this.parent) { if this.size == 1000 { hasGrown() } }
                let size = this.size / 10
                for index in 0..<10 {
                    branch(Branch(number: this.number + index * size, size: size, parent: report))
                }
            }
            return branch
        }
    }

    /// Adds ten numbers. The first nine only lie in the soup: nobody is woken before the tenth.
    private static func node(
        parent: SlowMolecule<Int>,
        isComplete: @escaping @Sendable () -> Void
    ) -> SlowMolecule<Int> {
        Join.define("node") { join in
            let report = join.slow("report", of: Int.self)
            join.when(
                report,
                report,
                report,
                report,
                report,
                report,
                report,
                report,
                report,
                report
            ) { a, b, c, d, e, f, g, h, i, j in
                isComplete()
                parent([a, b, c, d, e, f, g, h, i, j].reduce(0, +))
            }
            return report
        }
    }
}

extension Gallery {
    static let skynet = Example(
        "skynet",
        "skynet: a tree of definitions adds up the numbers of a million leaves",
        from: "Atemerev"
    ) { stage, screen, _ in
        let leaves = stage.pick(full: 1_000_000, small: 1000)
        let (result, value) = Collector<Int>.define()
        let grown = defineProgress(leaves: leaves, screen)
        let branch = Skynet.define { grown() }
        branch(Skynet.Branch(number: 0, size: leaves, parent: result))
        return [Check("the sum of \(leaves) leaves", try await value(), is: leaves * (leaves - 1) / 2)]
    }

    /// Counts the thousands of leaves that have grown, and shows them.
    private static func defineProgress(leaves: Int, _ screen: Screen) -> SlowMolecule<Void> {
        Join.define("progress") { join in
            let count = join.state("count", 0)
            let grown = join.slow("grown")
            join.when(grown, updating: count) { count, _ in
                count += 1
                if count % 20 == 0 { screen.progress("skynet", count * 1000, of: leaves) }
            }
            return grown
        }
    }
}
