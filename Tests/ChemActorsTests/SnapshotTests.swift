import ChemActors
import TestSupport
import Testing

private func exchange() -> (
    left: FastMolecule<Int, Int>, right: FastMolecule<Int, Int>, note: SlowMolecule<String>, definition: Join
) {
    let (left, right, note, definition) = Join.define("exchange") { join in
        let left = join.fast("left", of: Int.self, returning: Int.self)
        let right = join.fast("right", of: Int.self, returning: Int.self)
        let note = join.slow("note", of: String.self)
        join.when(left, right) { a, b in
            a(b.value)
            b(a.value)
        }
        join.when(note, note) { _, _ in }
        return (left, right, note, join.definition)
    }
    return (left, right, note, definition)
}

@Suite(.endsInTime)
struct SnapshotTests {
    @Test func itShowsWhoWaitsWhereAndHowLong() async throws {
        let (left, right, note, definition) = exchange()
        let line = #line + 1
        let first = Task { try await left(1) }
        #expect(await Patience.until { definition.snapshot().waitingCalls.count == 1 })
        let second = Task { try await left(2) }
        #expect(await Patience.until { definition.snapshot().waitingCalls.count == 2 })
        note("a")
        let snapshot = definition.snapshot()
        #expect(snapshot.definition == "exchange")
        #expect(snapshot.location.hasPrefix("ChemActorsTests/SnapshotTests.swift:"))
        #expect(snapshot.phase == .running)
        #expect(snapshot.running == 0)
        #expect(snapshot.molecules == ["left": 2, "note": 1])
        // Longest first.
        #expect(snapshot.waitingCalls.map(\.molecule) == ["left", "left"])
        #expect(snapshot.waitingCalls[0].location == "ChemActorsTests/SnapshotTests.swift:\(line)")
        #expect(snapshot.waitingCalls[0].entered <= snapshot.waitingCalls[1].entered)
        let before = snapshot.waitingCalls[0].duration
        #expect(before > .zero)
        #expect(snapshot.waitingCalls[0].duration >= before)
        #expect(snapshot.reactions.map(\.inputs) == [["left", "right"], ["note", "note"]])
        #expect(snapshot.reactions.map(\.missing) == [["right"], ["note"]])
        let text = "\(snapshot)"
        #expect(text.contains("exchange, running"))
        #expect(text.contains("waiting: left for "))
        #expect(text.contains("called at ChemActorsTests/SnapshotTests.swift:\(line)"))
        #expect(text.contains("present: left × 2, note × 1"))
        #expect(text.contains("left & right (ChemActorsTests/SnapshotTests.swift:"))
        #expect(text.contains(" lacks right"))
        // Each gets the other's value.
        #expect([1, 2].contains(try await right(7)))
        #expect([1, 2].contains(try await right(7)))
        #expect(try await first.value == 7)
        #expect(try await second.value == 7)
        #expect(definition.snapshot().waitingCalls.isEmpty)
    }

    @Test func onlyWhatIsStuckIsShownIfWanted() async throws {
        let machine = ChemicalMachine()
        let (take, put, log) = machine.define("slot") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            let log = join.slow("log")
            join.answer(take, with: put) { _, n in n }
            join.when(log, log) { _, _ in }
            return (take, put, log)
        }
        let other = machine.define("other") { join in
            let other = join.slow("other")
            join.when(other, other) { _, _ in }
            return other
        }
        log()
        other()
        #expect(machine.snapshot(onlyStuck: true).isEmpty)
        let waiting = Task { try await take() }
        #expect(await Patience.until { !machine.snapshot(onlyStuck: true).isEmpty })
        let stuck = machine.snapshot(onlyStuck: true)
        #expect(stuck.map(\.definition) == ["slot"])
        #expect(stuck[0].reactions.map(\.inputs) == [["take", "put"]])
        #expect(machine.snapshot().map(\.definition) == ["other", "slot"])
        put(1)
        #expect(try await waiting.value == 1)
    }

    @Test func itShowsThePhases() async throws {
        let phases = Record<JoinSnapshot.Phase>()
        let a = Join.define("phases") { join in
            phases.append(join.definition.snapshot().phase)
            let a = join.slow("a")
            join.when(a) { _ in }
            return (a, join.definition)
        }
        let definition = a.1
        phases.append(definition.snapshot().phase)
        definition.pause()
        phases.append(definition.snapshot().phase)
        a.0()
        let text = "\(definition.snapshot())"
        #expect(text.contains("phases, paused"))
        #expect(text.contains(" is possible"))
        definition.deactivate()
        phases.append(definition.snapshot().phase)
        try await definition.quiescence()
        definition.activate()
        phases.append(definition.snapshot().phase)
        #expect(phases.all == [.defining, .running, .paused, .deactivated, .running])
        withExtendedLifetime(a) {}

        let gone = Join.define("gone") { join in
            let b = join.slow("b")
            join.when(b) { _ in }
            b()
            return join.definition
        }
        #expect(await Patience.until { gone.snapshot().phase == .dissolved })
        #expect("\(gone.snapshot())" == "gone, dissolved")
    }

    @Test func itShowsRunningBodies() async throws {
        let (isInside, mayEnd) = (Flag(), Flag())
        let definition = Join.define("running") { join in
            let go = join.slow("go")
            join.when(go) { _ in
                isInside.raise()
                #expect(await Patience.until { mayEnd.isRaised })
            }
            go()
            return join.definition
        }
        #expect(await Patience.until { isInside.isRaised })
        #expect(definition.snapshot().running == 1)
        #expect("\(definition.snapshot())".contains("running, running, 1 body running"))
        mayEnd.raise()
        try await definition.quiescence()
        #expect(definition.snapshot().running == 0)
    }

    @Test func itShowsBoundedMoleculesAndTheirInjectors() async throws {
        let (item, definition) = Join.define("bounded") { join in
            let (item, never) = (join.bounded("item", of: Int.self, capacity: 1), join.slow("never"))
            join.when(item, never) { _, _ in }
            return (item, join.definition)
        }
        try await item.inject(1)
        let line = #line + 1
        let waiting = Task { try await item.inject(2) }
        #expect(await Patience.until { definition.snapshot().waitingCalls.count == 1 })
        let call = definition.snapshot().waitingCalls[0]
        #expect(call.molecule.hasPrefix("item"))
        #expect(call.location.hasSuffix("SnapshotTests.swift:\(line)"))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(definition.snapshot().waitingCalls.isEmpty)
    }

    @Test func theMachinesSnapshotHasAllDefinitions() async throws {
        let machine = ChemicalMachine()
        var names: [SlowMolecule<Void>] = []
        for index in 0..<10 {
            names.append(
                machine.define("d\(index)") { join in
                    let (a, b) = (join.slow("a"), join.slow("b"))
                    join.when(a, b) { _, _ in }
                    return a
                }
            )
        }
        #expect(Set(machine.snapshot().map(\.definition)) == Set((0..<10).map { "d\($0)" }))
        names.removeFirst(4)
        #expect(machine.snapshot().count == 6)
        withExtendedLifetime(names) {}
    }

    @Test func snapshotsAreConsistentUnderLoad() async throws {
        let (a, b, definition) = Join.define("load") { join in
            let (a, b) = (join.slow("a"), join.slow("b"))
            join.when(a, b) { _, _ in }
            return (a, b, join.definition)
        }
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<2_000 {
                        a()
                        b()
                    }
                }
            }
            group.addTask {
                for _ in 0..<500 {
                    let snapshot = definition.snapshot()
                    for reaction in snapshot.reactions {
                        for name in reaction.missing { #expect(snapshot.molecules[name] == nil) }
                    }
                    #expect(definition.statistics.isBalanced)
                }
            }
        }
        try await definition.quiescence()
        #expect(definition.snapshot().molecules.isEmpty)
    }

    // MARK: Printing

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test func namesArePrintedReadably() {
        let (left, _, note, definition) = exchange()
        let (reader, stream) = Join.define("more") { join in
            let state = join.state("count", 1)
            let line = join.slow("line", of: Int.self, order: .oldestFirst)
            #expect("\(state)" == "more.count")
            return (state.reader, join.stream(of: line))
        }
        #expect("\(left)" == "exchange.left")
        #expect("\(note)" == "exchange.note")
        #expect("\(definition)" == "exchange")
        #expect("\(reader)" == "more.count")
        #expect("\(stream)".contains("more.line"))
        for text in [Self.dumped(left), Self.dumped(note)] {
            #expect(text.contains("exchange."))
            #expect(!text.contains("ointer"))
        }
        #expect(!Self.dumped(reader).contains("ointer"), "dump of a reader")
        #expect(!Self.dumped(stream).contains("ointer"), "dump of a stream")
    }

    @Test func aDefinitionIsDumpedWithoutWhatItIsMadeOf() async {
        // In a process of its own: what a definition is made of changes while it is read.
        await #expect(processExitsWith: .success) {
            let (left, _, _, definition) = exchange()
            let (_, _, _, other) = exchange()
            let text = SnapshotTests.dumped(definition)
            guard text.contains("exchange"), text.split(separator: "\n").count < 10 else { fatalError("\(text.count)") }
            withExtendedLifetime((left, other)) {}
        }
    }

    // MARK: State readers

    @Test func aReaderSeesTheLastCommittedValue() async throws {
        let (go, mayEnd) = (Flag(), Flag())
        let (increment, slowly, reader, definition) = Join.define("counter") { join in
            let count = join.state("count", 10)
            let (increment, slowly) = (join.slow("increment"), join.slow("slowly"))
            join.when(increment, updating: count) { n, _ in n += 1 }
            join.when(slowly, updating: count) { n, _ in
                n += 100
                go.raise()
                #expect(await Patience.until { mayEnd.isRaised })
                n += 100
            }
            return (increment, slowly, count.reader, join.definition)
        }
        #expect(reader.value == 10)
        increment()
        try await definition.quiescence()
        #expect(reader.value == 11)
        slowly()
        #expect(await Patience.until { go.isRaised })
        #expect(reader.value == 11)
        mayEnd.raise()
        try await definition.quiescence()
        #expect(reader.value == 211)
        definition.clear()
        #expect(reader.value == 10)
    }

    @Test func aReaderKeepsTheDefinitionAndAStateMayOnlyBeRead() async throws {
        let reader = Join.define("constant") { join in
            let (state, a) = (join.state("value", "x"), join.slow("a"))
            join.when(a) { _ in }
            return state.reader
        }
        #expect(reader.value == "x")
        #expect("\(reader.exported)" == "constant.value")
    }

    @Test func readersAndUpdatesDoNotDisturbEachOther() async throws {
        let (add, reader, definition) = Join.define("pair") { join in
            let pair = join.state("pair", [0, 0])
            let add = join.slow("add")
            join.when(add, updating: pair) { value, _ in
                value[0] += 1
                value[1] += 1
            }
            return (add, pair.reader, join.definition)
        }
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { for _ in 0..<2_000 { add() } } }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<2_000 {
                        let value = reader.value
                        #expect(value[0] == value[1])
                    }
                }
            }
        }
        try await definition.quiescence()
        #expect(reader.value == [4_000, 4_000])
    }
}
