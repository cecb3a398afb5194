import ChemActors
import ChemLibrary
import ChemTesting
import TestSupport
import Testing

@Suite("Probes and marbles", .endsInTime)
struct ProbeTests {
    private struct Refused: Error {}

    @Test("A probe notes what comes, and gives it to who waits", .explored(.random(50)))
    func slowProbe() async throws {
        let probe = SlowProbe<Int>()
        async let first = probe.next()
        for number in 1...3 { probe.molecule(number) }
        #expect(try await first == 1)
        #expect(try await probe.next() == 2)
        await #expect(throws: CallError.self) {
            for _ in 0..<2 { _ = try await probe.next(within: .seconds(1)) }
        }
        #expect(probe.values == [1, 2, 3])
        #expect(probe.times == [.zero, .zero, .zero])
    }

    @Test("The test answers the calls of a probe, in any order, or lets them fail", .explored(.random(50)))
    func fastProbe() async throws {
        let probe = FastProbe<String, Int>()
        async let apples = probe.molecule("apples")
        let first = try await probe.next()
        async let pears = probe.molecule("pears")
        let second = try await probe.next()
        #expect(first.value == "apples" && second.value == "pears")
        second.fail(Refused())
        do {
            _ = try await pears
            Issue.record("it was refused")
        } catch is Refused {}
        first(3)
        #expect(try await apples == 3)
        #expect(probe.arguments == ["apples", "pears"])
        #expect(try probe.next.tryCall() == nil)
    }

    @Test("A script answers, and takes its time by the machine's clock", .explored(.random(20)))
    func script() async throws {
        let probe = FastProbe<Int, Int> { number in
            if number == 0 { throw Refused() }
            try await MachineClock().sleep(for: .seconds(number))
            return number * 2
        }
        let clock = MachineClock()
        let begin = clock.now
        async let three = probe.molecule(3)
        async let two = probe.molecule(2)
        #expect(try await (three, two) == (6, 4))
        #expect(begin.duration(to: clock.now) == .seconds(3), "both at the same time")
        await #expect(throws: Refused.self) { try await probe.molecule(0) }
    }

    // snippet.marbles
    @Test(.explored(.random(50))) func onlyWhatNothingFollows() async throws {
        let found = SlowProbe<Character>()
        let typed = Debounce(for: .milliseconds(25), to: found.molecule)
        try await play("ab-c----d--(ef)-----") { typed.send($0) }
        #expect(found.marbles() == "-----c----d--f")
    }
    // snippet.end

    @Test("Marbles of a step come together, and others are what they are called", .explored(.once))
    func diagrams() async throws {
        let probe = SlowProbe<Int>()
        try await play("1-(23) - - 4", every: .seconds(1)) { probe.molecule($0.wholeNumberValue ?? 0) }
        _ = try await probe.next()
        try await MachineClock().sleep(for: .seconds(1))
        #expect(probe.marbles(every: .seconds(1)) { Character("\($0)") } == "1-(23)--4")
        #expect(probe.marbles(every: .seconds(2)) { $0 > 3 ? "x" : "o" } == "o(oo)x")
        #expect(SlowProbe<Character>().marbles().isEmpty)
    }

    /// With floating-point numbers the quotient is a little less than 59,033.
    @Test("A value that comes at the end of a long time comes in its step", .explored(.once))
    func lateMarbles() async throws {
        let probe = SlowProbe<Int>()
        try await MachineClock().sleep(for: .milliseconds(590_330))
        probe.molecule(1)
        _ = try await probe.next()
        #expect(probe.marbles { _ in "x" } == String(repeating: "-", count: 59_033) + "x")
    }

    @Test("A diagram may have a hundred thousand steps", .explored(.once))
    func longestMarbles() async throws {
        let probe = SlowProbe<Character>()
        try await MachineClock().sleep(for: .milliseconds(999_990))
        probe.molecule("x")
        _ = try await probe.next()
        #expect(probe.marbles() == String(repeating: "-", count: 99_999) + "x")
    }

    /// The steps of the second one are more than an `Int` can count.
    @Test("A diagram of more steps than that stops the program, and says how many it would have")
    func tooManySteps() async {
        let mistakes: [(seconds: Int, step: Duration, steps: String)] = [
            (1_000, .milliseconds(10), "100000"),
            (366 * 86_400, Duration(secondsComponent: 0, attosecondsComponent: 1), "31622400000000000000000000"),
        ]
        for (seconds, step, steps) in mistakes {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [seconds = seconds as Int, step = step as Duration] in
                _ = try await explore(.once) { _ in
                    let probe = SlowProbe<Character>()
                    try await MachineClock().sleep(for: .seconds(seconds))
                    probe.molecule("x")
                    _ = try await probe.next()
                    _ = probe.marbles(every: step)
                }
            }
            let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(said.contains("ChemTesting: the last value has come after \(steps) steps of \(step)"), "\(said)")
            #expect(said.contains("give 'marbles(every:)' a larger step"), "\(said)")
        }
    }

    @Test("Who sleeps for ever can be cancelled", .explored(.once))
    func forEver() async throws {
        let sleeper = Task { try await Task.sleep(for: .seconds(Int64.max)) }
        let other = Task { try await MachineClock().sleep(for: .seconds(Int64.max)) }
        await Task.yield()
        sleeper.cancel()
        other.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test("Two diagrams are played at the same time", .explored(.random(50)))
    func together() async throws {
        let probe = SlowProbe<Character>()
        async let letters: Void = play("a--b--c") { probe.molecule($0) }
        async let digits: Void = play("-1--2--3") { probe.molecule($0) }
        _ = try await (letters, digits)
        try await MachineClock().sleep(for: .milliseconds(1))
        #expect(probe.marbles() == "a1-b2-c3")
    }

    @Test("Mistakes in diagrams are named")
    func mistakes() async {
        let mistakes = [
            "a(b": "'a(b' has '(' without ')'", "a)b": "'a)b' has ')' without '('",
            "((a))": "'((a))' has parentheses in parentheses",
        ]
        for (marbles, text) in mistakes {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [marbles = marbles as String] in
                try? await play(marbles) { _ in }
            }
            // Also where it is optimised.
            let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(said.contains("ChemTesting: \(text)"), "\(said)")
        }
    }
}
