import ChemExamples
import Testing

/// The command line is read by hand; so it is tested by hand.
@Suite("Arguments of chem-examples")
struct ArgumentsTests {
    private let names = ["one", "two"]

    private func arguments(_ line: String) throws -> Arguments {
        try Arguments(line.split(separator: " ").map(String.init), names: names)
    }

    private func mistake(_ line: String) -> UsageError? {
        #expect(throws: UsageError.self) { try arguments(line) }
    }

    @Test func withoutANameTheyAskForTheList() throws {
        #expect(try arguments("").task == .list)
        #expect(try arguments("--seed 3").task == .list)
    }

    @Test func namesAreRunInTheirOrder() throws {
        #expect(try arguments("two one two").task == .run(["two", "one", "two"]))
    }

    @Test func allMeansEachExampleOnce() throws {
        #expect(try arguments("all").task == .run(names))
        #expect(try arguments("two all").task == .run(names))
    }

    @Test func helpWinsOverNames() throws {
        #expect(try arguments("one --help").task == .help)
        #expect(try arguments("-h").task == .help)
    }

    @Test func optionsMayStandBeforeAndAfterNames() throws {
        let read = try arguments("--seed 42 one --seconds 2.5 --philosophers 7 --small --plain")
        #expect(read.task == .run(["one"]))
        #expect(read.seed == 42)
        #expect(read.seconds == 2.5)
        #expect(read.philosophers == 7)
        #expect(read.isSmall)
        #expect(read.isPlain)
    }

    @Test func whatIsNotSaidIsNotSet() throws {
        let read = try arguments("one")
        #expect(read.seed == nil)
        #expect(read.seconds == nil)
        #expect(read.philosophers == nil)
        #expect(!read.isSmall)
        #expect(!read.isPlain)
    }

    @Test func aRecordingIsOfOneExample() throws {
        #expect(try arguments("--record run.chem one").record == "run.chem")
        #expect(try arguments("one").record == nil)
        #expect(try !arguments("one").isInspected)
        #expect(try arguments("--inspect one").isInspected)
        #expect(try arguments("--inspect").task == .run(["greedy"]))
        #expect(mistake("--record")?.description == "--record needs the name of a file")
        #expect(mistake("--record run.chem")?.description.hasPrefix("--record needs the name of one example") == true)
        #expect(mistake("--record run.chem all")?.description.hasPrefix("--record needs") == true)
    }

    @Test func anUnknownNameIsRefusedAsAName() {
        #expect(mistake("three")?.description == "there is no example 'three'")
        #expect(mistake("one three")?.isName == true)
    }

    @Test func anUnknownOptionIsRefused() {
        #expect(mistake("--fast one")?.description == "unknown option '--fast'")
        #expect(mistake("-x")?.isName == false)
    }

    @Test(arguments: [
        ("--seed", "--seed needs a whole number of at least 0"),
        ("--seed -1", "--seed needs a whole number of at least 0, not '-1'"),
        ("--seed 1.5", "--seed needs a whole number of at least 0, not '1.5'"),
        ("--seconds 0", "--seconds needs a number from 1 to 3600, not '0'"),
        ("--seconds nan", "--seconds needs a number from 1 to 3600, not 'nan'"),
        ("--seconds long", "--seconds needs a number from 1 to 3600, not 'long'"),
        ("--philosophers 1", "--philosophers needs a whole number from 2 to 1000, not '1'"),
        ("--philosophers 1001", "--philosophers needs a whole number from 2 to 1000, not '1001'"),
        ("one --philosophers", "--philosophers needs a whole number from 2 to 1000"),
    ])
    func aValueThatMakesNoSenseIsRefused(line: String, message: String) {
        #expect(mistake(line)?.description == message)
    }

    @Test func theHelpNamesEveryOption() {
        for option in ["--seed", "--seconds", "--philosophers", "--small", "--plain", "--help", "all"] {
            #expect(Arguments.help.contains(option))
        }
    }
}
