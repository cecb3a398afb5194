import ChemActors

/// Creatures of three colours meet in pairs, and both take the colour that neither had, or keep theirs if it is the
/// same.
///
///     creature & creature & meetings(n) → both, changed; meetings(n - 1)
///     creature & closed() → goes home; closed()
///
/// After the last meeting `closed` takes the place of `meetings`. A pair is a reaction of two of a kind: there is no
/// mall to be locked and no first one who waits.
enum Chameneos {
    enum Colour: Int, CaseIterable, Sendable {
        case blue, red, yellow

        /// What both become when this one and `other` have met.
        func complement(_ other: Colour) -> Colour {
            self == other ? self : Colour.allCases.first { $0 != self && $0 != other } ?? self
        }
    }

    struct Creature: Sendable {
        let name: Int
        var colour: Colour
        var meetings = 0
        var withItself = 0
        /// How often it has changed its colour. A pair of different colours changes twice, one of equal colours never.
        var changes = 0
    }

    static func define(
        meetings count: Int
    ) -> (enter: SlowMolecule<Creature>, home: FastMolecule<Void, Creature>) {
        let (enter, home) = Join.define("chameneos") { join in
            let creature = join.slow("creature", of: Creature.self)
            let meetings = join.slow("meetings", of: Int.self)
            let closed = join.slow("closed")
            let atHome = join.slow("atHome", of: Creature.self)
            let home = join.fast("home", returning: Creature.self)

            join.when(creature, creature, meetings) { one, other, left in
                let colour = one.colour.complement(other.colour)
                creature(met(one, other, colour))
                creature(met(other, one, colour))
                if left > 1 { meetings(left - 1) } else { closed() }
            }
            join.when(creature, closed) { one, _ in
                atHome(one)
                closed()
            }
            join.answer(home, with: atHome) { _, one in one }

            meetings(count)
            return (creature, home)
        }
        return (enter, home)
    }

    private static func met(_ one: Creature, _ other: Creature, _ colour: Colour) -> Creature {
        var changed = one
        changed.meetings += 1
        if one.name == other.name { changed.withItself += 1 }
        if one.colour != colour { changed.changes += 1 }
        changed.colour = colour
        return changed
    }
}

extension Gallery {
    static let chameneos = Example(
        "chameneos",
        "chameneos: creatures meet in pairs and change their colours",
        from: "Kaiser and Pradat-Peyre; Benchmarks Game"
    ) { stage, _, _ in
        let meetings = stage.pick(full: 500_000, small: 500)
        let colours: [Chameneos.Colour] = [.blue, .red, .yellow, .red, .yellow, .blue, .red, .yellow, .red, .blue]
        let (enter, home) = Chameneos.define(meetings: meetings)
        // All at once, so that none comes too late for the last meeting.
        enter.inject(contentsOf: colours.enumerated().map { Chameneos.Creature(name: $0, colour: $1) })

        var creatures: [Chameneos.Creature] = []
        for _ in colours { creatures.append(try await home()) }

        let table = Chameneos.Colour.allCases.map { one in Chameneos.Colour.allCases.map { one.complement($0).rawValue }
        }
        return [
            Check("creatures that have gone home", Set(creatures.map(\.name)).count, is: colours.count),
            Check("meetings, two sides each", creatures.reduce(0) { $0 + $1.meetings }, is: 2 * meetings),
            Check("meetings of a creature with itself", creatures.reduce(0) { $0 + $1.withItself }, is: 0),
            Check("changes of colour are an even number", holds: creatures.reduce(0) { $0 + $1.changes } % 2 == 0),
            Check("complements", table, is: [[0, 2, 1], [2, 1, 0], [1, 0, 2]]),
            Check("the fewest meetings of one creature", creatures.map(\.meetings).min() ?? 0, isAtLeast: 1),
        ]
    }
}
