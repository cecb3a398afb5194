import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The switch, CocoaJoin's fourth example.
@Suite("Switch", .endsInTime)
struct SwitchTests {
    /// A molecule, what has come of it, and its definition.
    private func lamp() -> (SlowMolecule<Int>, StateReader<[Int]>, Join) {
        Join.define("lamp") { join in
            let shown = join.state("shown", [Int]())
            let show = join.slow("show", of: Int.self, order: .oldestFirst)
            join.when(show, updating: shown) { shown, number in shown.append(number) }
            return (show, shown.reader, join.definition)
        }
    }

    @Test func aRequestIsGrantedWhenOnAndRefusedWhenOff() async throws {
        let (show, shown, definition) = lamp()
        let theSwitch = Switch(isOn: true)
        #expect(try await theSwitch.inject(show, 1))
        try await theSwitch.off()
        #expect(try await !theSwitch.inject(show, 2))
        try await theSwitch.on()
        #expect(try await theSwitch.inject(show, 3))
        try await definition.quiescence()
        #expect(shown.value == [1, 3])
    }

    @Test func offAnswersItself() async throws {
        // In the seed `m_off` replies to `m_on`: then this would wait for ever.
        let theSwitch = Switch(isOn: true)
        try await theSwitch.off(within: .seconds(600))
        #expect(try await !theSwitch.isOn())
        #expect(!theSwitch.position.value)
        try await theSwitch.off()
        try await theSwitch.on()
        try await theSwitch.on()
        #expect(try await theSwitch.isOn())
        #expect(theSwitch.position.value)
    }

    @Test func theInitialPositionIsAsTold() async throws {
        #expect(try await Switch(isOn: true).isOn())
        #expect(try await !Switch(isOn: false).isOn())
    }

    @Test func whatIsRequestedAfterOffIsRefusedAndToldSo() async throws {
        let (show, shown, definition) = lamp()
        let refused = Locked<[Int]>([])
        let theSwitch = Switch(isOn: true)
        try await theSwitch.off()
        for number in 0..<100 { theSwitch.request(show, number) { refused.update { $0.append(number) } } }
        try await eventually { refused.value.count == 100 }
        #expect(refused.value == Array(0..<100))
        try await definition.quiescence()
        #expect(shown.value.isEmpty)
    }

    @Test func requestsFromSynchronousCodeAreGrantedInOrder() async throws {
        let (show, shown, _) = lamp()
        let theSwitch = Switch(isOn: true)
        for number in 0..<100 { theSwitch.request(show, number) }
        try await eventually { shown.value.count == 100 }
        #expect(shown.value == Array(0..<100))
    }

    @Test func oneSwitchServesMoleculesOfAllTypes() async throws {
        let theSwitch = Switch(isOn: true)
        let (text, nothing, definition) = Join.define("both") { join in
            let text = join.slow("text", of: String.self)
            let nothing = join.slow("nothing")
            join.when(text, nothing) { _, _ in }
            return (text, nothing, join.definition)
        }
        theSwitch.request(text, "a")
        theSwitch.request(nothing)
        try await eventually { definition.statistics.molecules["text"]?.consumed == 1 }
        #expect(definition.statistics.molecules["nothing"]?.consumed == 1)
    }

    @Test func aRequestKeepsItsTargetAlive() async throws {
        let shown = Locked<[Int]>([])
        let theSwitch = Switch(isOn: true)
        do {
            let show = Join.define("lamp") { join in
                let show = join.slow("show", of: Int.self)
                join.when(show) { number in shown.update { $0.append(number) } }
                return show
            }
            theSwitch.request(show, 7)
        }
        try await eventually { shown.value == [7] }
    }

    @Test func performingIsExclusive() async throws {
        let theSwitch = Switch(isOn: true)
        let inside = Occupancy()
        let done = try await runAll(
            (0..<200).map { _ in
                {
                    try await theSwitch.perform {
                        inside.enter()
                        inside.leave()
                    }
                }
            }
        )
        #expect(done == Array(repeating: true, count: 200))
        #expect(inside.peak == 1 && inside.total == 200)
    }

    @Test func eachRequestIsEitherGrantedOrRefusedIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let (show, shown, definition) = lamp()
            let theSwitch = Switch(isOn: seed % 2 == 0)
            let (requested, refused) = (Occupancy(), Occupancy())
            let answers = Locked((granted: 0, refused: 0, cancelled: 0))
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<4 {
                    group.addTask {
                        var random = SplitMix(seed: seed &* 4 &+ UInt64(index))
                        for number in 0..<10 {
                            switch Int.random(in: 0..<5, using: &random) {
                            case 0: try? await theSwitch.on()
                            case 1: try? await theSwitch.off()
                            case 2:
                                requested.enter()
                                theSwitch.request(show, number) { refused.enter() }
                            case 3:
                                let asked = Task { try await theSwitch.inject(show, 100 + number) }
                                await yield(Int.random(in: 0..<3, using: &random))
                                if Bool.random(using: &random) { asked.cancel() }
                                switch await asked.result {
                                case .success(true): answers.update { $0.granted += 1 }
                                case .success(false): answers.update { $0.refused += 1 }
                                case .failure: answers.update { $0.cancelled += 1 }
                                }
                            default: await Task.yield()
                            }
                        }
                    }
                }
            }
            // Requests are looked at oldest first: when this one is, the others have been.
            let last = Locked(false)
            try await theSwitch.off()
            theSwitch.request(show, -1) { last.update { $0 = true } }
            try await eventually { last.value }
            try await definition.quiescence()
            #expect(shown.value.count { $0 >= 100 } == answers.value.granted, "seed \(seed)")
            #expect(shown.value.count { $0 < 100 } + refused.total == requested.total, "seed \(seed)")
            #expect(!shown.value.contains(-1), "seed \(seed)")
        }
    }

    @Test func nothingSlipsThroughAfterOffIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let isOff = Locked(false)
            let late = Occupancy()
            let theSwitch = Switch(isOn: true)
            let sender = Task {
                for _ in 0..<20 {
                    _ = try await theSwitch.perform { if isOff.value { late.enter() } }
                }
            }
            await yield(Int(seed % 7))
            try await theSwitch.off()
            isOff.update { $0 = true }
            try await sender.value
            #expect(late.total == 0, "seed \(seed)")
        }
    }
}
