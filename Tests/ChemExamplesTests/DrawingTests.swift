import ChemActors
import Testing

// The pictures are no part of what the gallery's program needs, so they are not visible outside of it.
@testable import ChemExamples

/// From what is so to the lines that show it, without a terminal.
@Suite("Drawing")
struct DrawingTests {
    @Test func theFirstPictureIsWrittenAsItIs() {
        #expect(Screen.text(of: ["a", "b"], over: 0) == "a\nb\n")
        #expect(Screen.text(of: [], over: 0) == "")
    }

    @Test func theNextPictureGoesUpAndClearsEachLineToItsEnd() {
        #expect(Screen.text(of: ["c", "d"], over: 2) == "\u{1B}[2A\rc\u{1B}[K\n\rd\u{1B}[K\n")
    }

    @Test func aShorterPictureClearsWhatIsBelow() {
        #expect(Screen.text(of: ["c"], over: 2) == "\u{1B}[2A\rc\u{1B}[K\n\u{1B}[J")
        #expect(Screen.text(of: [], over: 1) == "\u{1B}[1A\u{1B}[J")
    }

    @Test func progressIsABarOf20CellsAndAPercentage() {
        #expect(Screen.progressLine("x", 0, of: 10) == "x ···················· 0 %")
        #expect(Screen.progressLine("x", 5, of: 10) == "x ██████████·········· 50 %")
        #expect(Screen.progressLine("x", 10, of: 10) == "x ████████████████████ 100 %")
        #expect(Screen.progressLine("x", 11, of: 10) == "x ████████████████████ 100 %")
        #expect(Screen.progressLine("x", -1, of: 10) == "x ···················· 0 %")
        #expect(Screen.progressLine("x", 0, of: 0) == "x ████████████████████ 100 %")
    }

    /// What a screen writes when it is shown this.
    private func written(_ style: Screen.Style, _ use: @Sendable (Screen) -> Void) async throws -> String {
        let output = Shared("")
        let machine = ChemicalMachine()
        // What is defined in the closure of a definition belongs to the machine of that one.
        let screen = machine.define("screens") { _ in Screen(style) { text in output.update { $0 += text } } }
        use(screen)
        try await machine.quiescence()
        return output.value
    }

    @Test func pictureReplacePictureInPlaceUntilOneIsLeftStanding() async throws {
        let text = try await written(.inPlace) { screen in
            screen.show(["1"])
            screen.show(["2"])
            screen.leave(["3", "4"])
            screen.show(["5"])
        }
        #expect(text == "1\n\u{1B}[1A\r2\u{1B}[K\n\u{1B}[1A\r3\u{1B}[K\n\r4\u{1B}[K\n5\n")
    }

    @Test func picturesFollowEachOtherInPlainStyleAndThereIsNoProgress() async throws {
        let text = try await written(.plain) { screen in
            for number in 1...50 { screen.show(["\(number)"]) }
            screen.progress("x", 1, of: 2)
        }
        #expect(text == (1...50).map { "\($0)\n" }.joined())
    }

    @Test func nothingIsShownInSilence() async throws {
        let text = try await written(.silent) { screen in
            screen.show(["1"])
            screen.leave(["2"])
            screen.progress("x", 1, of: 2)
        }
        #expect(text == "")
    }

    private func expect(_ picture: inout DinnerPicture, _ change: Change, isShown: Bool) {
        let wasShown = picture.apply(change)
        #expect(wasShown == isShown)
    }

    @Test func aDinnerIsALineForEachPhilosopher() {
        var picture = DinnerPicture(philosophers: 3, title: "dinner")
        #expect(picture.lines == ["dinner", "  A    ·", "  B    ·", "  C    ·", "  on the table: AB BC CA"])
        expect(&picture, Change(0, .thinks, meals: 0), isShown: true)
        expect(&picture, Change(1, .isHungry, meals: 2), isShown: true)
        expect(&picture, Change(2, .eats, meals: 2), isShown: true)
        #expect(
            picture.lines == [
                "dinner", "  A    ○ thinks     ", "  B    ◐ is hungry  ••", "  C    ● eats       •••",
                "  on the table: AB",
            ]
        )
        #expect(!picture.eatsBesideNeighbour(2))
        expect(&picture, Change(1, .eats, meals: 2), isShown: true)
        #expect(picture.eatsBesideNeighbour(1) && !picture.eatsBesideNeighbour(0))
        picture.end()
        #expect(
            picture.lines == [
                "dinner", "  A      has left   ", "  B      has left   •••", "  C      has left   •••",
                "  on the table: AB BC CA",
            ]
        )
    }

    @Test func aBoardOfQueensIsDrawn() {
        #expect(Queens.lines([1, 3, 0, 2]) == ["· ♛ · ·", "· · · ♛", "♛ · · ·", "· · ♛ ·"])
    }

    @Test func aChangeThatComesLateIsNotShown() {
        var picture = DinnerPicture(philosophers: 2)
        expect(&picture, Change(0, .eats, meals: 1), isShown: true)
        expect(&picture, Change(0, .isHungry, meals: 1), isShown: false)
        expect(&picture, Change(0, .eats, meals: 1), isShown: false)
        expect(&picture, Change(0, .thinks, meals: 2), isShown: true)
        expect(&picture, Change(1, .thinks, meals: 0), isShown: true)
        #expect(picture.changes == [Change(0, .thinks, meals: 2), Change(1, .thinks, meals: 0)])
    }

    @Test func aDinnerOf61IsASymbolForEachPhilosopher60InALine() {
        var picture = DinnerPicture(philosophers: 61, title: "dinner")
        _ = picture.apply(Change(0, .eats, meals: 0))
        _ = picture.apply(Change(60, .isHungry, meals: 0))
        #expect(picture.lines == ["dinner", "  ●" + String(repeating: "·", count: 59), "  ◐"])
    }

    @Test func aChangeIsALineWhereNoPictureCanBeDrawn() {
        let picture = DinnerPicture(philosophers: 5)
        #expect(picture.line(Change(0, .thinks, meals: 3)) == "A thinks")
        #expect(picture.line(Change(4, .isHungry, meals: 3)) == "E is hungry")
        #expect(picture.line(Change(1, .eats, meals: 3)) == "B eats, meal 4")
    }

    @Test func philosophersAndForksHaveTheNamesOfDinPhil5() {
        #expect(Philosopher.forks(of: 5) == ["AB", "BC", "CD", "DE", "EA"])
        #expect(Philosopher.forks(of: 2) == ["AB", "BA"])
        #expect(Philosopher.name(25, of: 26) == "Z")
        #expect(Philosopher.name(26, of: 27) == "27")
        #expect(Philosopher.forks(of: 27).last == "27-1")
        for count in 2...60 { #expect(Set(Philosopher.forks(of: count)).count == count) }
    }

    @Test func aWorldIsTwoRowsOfCellsInALine() {
        let cells = [true, false, true, false, false, false, true, true, true, false, true, true]
        #expect(Life.World(width: 4, height: 3, cells: cells).lines == ["▀ █▄", "▀ ▀▀"])
    }

    @Test func aGliderIsTheSameAfter4StepsOneCellFurther() {
        let glider = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)]
        func world(_ shift: Int) -> Life.World {
            var cells = Array(repeating: false, count: 36)
            for (x, y) in glider { cells[(y + shift) % 6 * 6 + (x + shift) % 6] = true }
            return Life.World(width: 6, height: 6, cells: cells)
        }
        #expect(world(0).next != world(0))
        #expect(world(0).next.next.next.next == world(1))
        #expect(world(5).next.next.next.next == world(6))
    }

    @Test func theListHasANameAndASummaryInEachLine() {
        let lines = Report.list(Gallery.all)
        #expect(lines.count == Gallery.all.count)
        for (line, example) in zip(lines, Gallery.all) {
            #expect(line.hasPrefix(example.name + " ") && line.hasSuffix(" " + example.summary))
        }
    }
}
