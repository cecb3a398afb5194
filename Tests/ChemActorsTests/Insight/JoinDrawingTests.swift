import ChemActors
import Dispatch
import TestSupport
import Testing

@Suite(.endsInTime)
struct JoinDrawingTests {
    private static let firstReaction = #line + 9

    private func counter(_ machine: ChemicalMachine) -> (
        increment: SlowMolecule<Void>, value: FastMolecule<Void, Int>, definition: Join
    ) {
        let (increment, value, definition) = machine.define("counter") { join in
            let count = join.state("count", 0)
            let (increment, value) = (join.slow("increment"), join.fast("value", returning: Int.self))
            let full = join.slow("full")
            join.when(increment, updating: count) { n, _ in
                n += 1
                if n == 10 { full() }
            }.produces(full)
            join.answer(value, reading: count) { n, _ in n }
            join.when(full, full) { _, _ in }
            return (increment, value, join.definition)
        }
        return (increment, value, definition)
    }

    @Test("A definition that dissolves is never missing: it is drawn, and recorded, at every moment")
    func dissolvingIsSeenAtEveryMoment() async throws {
        for _ in 1...(Soak.isOn ? 20_000 : 500) {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .full(limit: 128)))
            let increment = Shared<SlowMolecule<Void>?>(counter(machine).increment)
            increment.value?()
            try await machine.quiescence()
            // On a thread of its own, to meet this one in the middle.
            let dissolved = Shared(false)
            DispatchQueue.global().async {
                increment.update { $0 = nil }
                dissolved.update { $0 = true }
            }
            while !machine.undissolved.isEmpty {
                let (drawn, recorded) = (machine.drawings.count, machine.recording().definitions.count)
                #expect(drawn == 1 && recorded == 1)
                if drawn != 1 || recorded != 1 { break }
                await Task.yield()
            }
            try await until { dissolved.value }
        }
    }

    @Test func itShowsMoleculesReactionsAndWhatGoesBetweenThem() {
        let counter = counter(ChemicalMachine())
        let line = Self.firstReaction
        #expect(
            counter.definition.drawing.mermaid == """
                flowchart LR
                    m0[("count")]
                    m1(["increment"])
                    m2[["value"]]
                    m3(["full"])
                    r0["JoinDrawingTests.swift:\(line)"]
                    m1 --> r0
                    m0 <--> r0
                    r0 --> m3
                    r1["JoinDrawingTests.swift:\(line + 4)"]
                    m2 --> r1
                    m0 -.- r1
                    r1 -.->|answer| m2
                    r2["JoinDrawingTests.swift:\(line + 5)"]
                    m3 -->|2| r2
                """
        )
        let dot = counter.definition.drawing.dot
        #expect(dot.hasPrefix("digraph \"counter\" {\n    rankdir=LR;\n"))
        #expect(dot.contains("    m0 [label=\"count\", shape=cylinder];"))
        #expect(dot.contains("    m0 -> r0 [dir=both];"))
        #expect(dot.contains("    m3 -> r2 [label=\"2\"];"))
        extendLifetime(counter)
    }

    @Test func whatIsNotDeclaredIsLearnedFromARecorder() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .flight))
        let (log, lines) = machine.define("log") { join in
            let (log, lines) = (join.slow("log", of: Int.self), join.fast("lines", returning: Int.self))
            let count = join.state("count", 0)
            join.when(log, updating: count) { n, _ in n += 1 }
            join.answer(lines, reading: count) { n, _ in n }
            return (log, lines)
        }
        let (work, definition) = machine.define("worker") { join in
            let (work, more) = (join.slow("work", of: Int.self), join.slow("more", of: Int.self))
            join.when(work) { n in
                more(n)
                log(n)
            }
            join.when(more) { _ in _ = try await lines() }
            return (work, join.definition)
        }
        #expect(!definition.drawing.mermaid.contains("log.log"))
        work(1)
        try await machine.quiescence()
        let drawing = definition.drawing
        #expect(drawing.molecules.map(\.name) == ["work", "more", "log.log", "log.lines"])
        #expect(drawing.reactions[0].injected == [1, 2])
        #expect(drawing.reactions[1].called == [3])
        #expect(drawing.mermaid.contains("r1 ==>|call| m3"))
    }

    @Test func whatIsSpecialIsSpecialAlsoUnderACombiningMark() {
        let name = "a\"\u{301}b[\u{301}"
        let (item, definition) = ChemicalMachine().define(name) { join in
            let item = join.slow(name)
            join.when(item) { _ in }
            return (item, join.definition)
        }
        let begin = "digraph \"a\\\"\u{301}b[\u{301}\" {"
        #expect(definition.drawing.dot.unicodeScalars.starts(with: begin.unicodeScalars))
        #expect(definition.drawing.mermaid.utf8.firstRange(of: "a#34;\u{301}b[\u{301}".utf8) != nil)
        withExtendedLifetime(item) {}
    }

    @Test func emptyNamesAndEmptyDefinitionsCanBeRead() throws {
        let machine = ChemicalMachine()
        let (item, definition) = machine.define(" ") { join in
            let item = join.slow(" ")
            join.when(item) { _ in }
            return (item, join.definition)
        }
        #expect(definition.drawing.mermaid.contains("m0([\"(no name)\"])"))
        let empty = machine.define("empty") { join in join.definition }
        let size = try #require(empty.drawing.svg.firstMatch(of: /width="(-?\d+)"[^>]*height="(-?\d+)"/))
        #expect(try #require(Int(size.1)) > 0 && #require(Int(size.2)) > 0)
        extendLifetime(item)
    }

    @Test func numbersAreShownIfWanted() async throws {
        let (take, put, definition) = ChemicalMachine().define("slot \"one\"") { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            join.when(put, put, put) { _, _, _ in }
            join.when(take, put, put) { reply, _, _ in reply(1) }
            return (take, put, join.definition)
        }
        put(1)
        let waiting = Task { try await take() }
        #expect(await Patience.until { definition.statistics.waitingCalls == 1 })
        #expect(definition.drawing.mermaid.contains("m0([\"put\"])"))
        #expect(definition.drawing.showingCounts().mermaid.contains("m0([\"put × 1\"])"))
        #expect(definition.drawing.showingCounts().dot.contains("label=\"take: 1 waiting\""))
        #expect(definition.drawing.dot.hasPrefix("digraph \"slot \\\"one\\\"\" {"))
        put(2)
        _ = await waiting.result
    }

    @Test func reactionsAreNumberedIfWanted() {
        let counter = counter(ChemicalMachine())
        let drawing = counter.definition.drawing.numberingReactions()
        #expect(drawing.mermaid.contains("r0[\"1\"]") && drawing.mermaid.contains("r2[\"3\"]"))
        #expect(drawing.dot.contains("r1 [label=\"2\", shape=box];"))
        #expect(!drawing.svg.contains(".swift"))
        extendLifetime(counter)
    }

    @Test func aMachineDrawsItsDefinitionsInTheOrderOfMaking() {
        let machine = ChemicalMachine()
        let first = counter(machine)
        let second = machine.define("second") { join in
            let a = join.slow("a")
            join.when(a) { _ in }
            return a
        }
        #expect(machine.drawings.map(\.definition) == ["counter", "second"])
        extendLifetime((first, second))
    }

    @Test(arguments: [(EventRecorder.off, 0), (.flight, 0), (.full(limit: 128), 1)])
    func aFullRecorderKeepsTheDrawingsOfWhatHasDissolved(recorder: EventRecorder, kept: Int) async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: recorder))
        do {
            let (begin, end) = machine.define("short") { join in
                let (begin, done) = (join.slow("begin"), join.slow("done"))
                let end = join.fast("end")
                join.when(begin) { _ in done() }
                join.answer(end, with: done) { _, _ in }
                return (begin, end)
            }
            begin()
            try await end()
        }
        #expect(await Patience.until { machine.census().definitions == 0 })
        let later = counter(machine)
        let drawings = machine.drawings
        #expect(drawings.map(\.definition) == (kept == 1 ? ["short", "counter"] : ["counter"]))
        if kept == 1 {
            #expect(drawings[0].reactions.map(\.injected) == [[1], []])
            #expect(drawings[0].molecules.allSatisfy { $0.present == 0 })
        }
        extendLifetime(later)
    }

    /// Which of two outputs is seen first is chance.
    @Test(arguments: [[0, 1], [1, 0]])
    func theOrderOfWhatHappensLeavesNoTraceInAPicture(order: [Int]) async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .full(limit: 128)))
        let others = ["b", "a"].map { name in
            machine.define(name) { join in
                let take = join.slow("take")
                join.when(take) { _ in }
                return take
            }
        }
        let (go, definition) = machine.define("many") { join in
            let go = join.slow("go", of: Int.self)
            let own = [join.slow("x"), join.slow("y")]
            join.when(go) { number in
                own[number]()
                others[number]()
            }
            for molecule in own { join.when(molecule) { _ in } }
            return (go, join.definition)
        }
        for number in order {
            go(number)
            try await machine.quiescence()
        }
        #expect(definition.drawing.molecules.map(\.name) == ["go", "x", "y", "a.take", "b.take"])
        #expect(definition.drawing.reactions[0].injected == [1, 2, 3, 4])
    }

    @Test func whatWasSeenInSeveralDefinitionsIsInOneDrawing() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .full(limit: 128)))
        let others = ["a", "b"].map { name in
            machine.define(name) { join in
                let take = join.slow("take")
                join.when(take) { _ in }
                return take
            }
        }
        let definitions = [0, 1].map { number in
            machine.define("many") { join in
                let own = [join.slow("x"), join.slow("y")]
                let go = join.slow("go")
                join.when(go) { _ in
                    own[number]()
                    others[number]()
                }
                for molecule in own { join.when(molecule) { _ in } }
                go()
                return (go, join.definition)
            }
        }
        try await machine.quiescence()
        let drawing = definitions[0].1.drawing.adding(outputsOf: definitions[1].1.drawing)
        #expect(drawing.molecules.map(\.name) == ["x", "y", "go", "a.take", "b.take"])
        #expect(drawing.reactions[0].injected == [0, 1, 3, 4])
        #expect(drawing.withoutForeign().molecules.map(\.name) == ["x", "y", "go"])
        #expect(drawing.withoutForeign().reactions[0].injected == [0, 1])
        extendLifetime(definitions)
    }
}
