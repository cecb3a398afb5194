import ChemActors
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The pictures that `JoinDrawing.svg` draws: read as the XML that they are.
@Suite(.endsInTime)
struct VectorPictureTests {
    private struct Rectangle {
        let kind: String
        let (x, y, width, height): (Int, Int, Int, Int)

        func overlaps(_ other: Rectangle) -> Bool {
            x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
        }
    }

    /// What a picture shows.
    private final class Reader: NSObject, XMLParserDelegate {
        var rectangles: [Rectangle] = []
        var texts: [String] = []
        var counts: [String: Int] = [:]
        var size = (width: 0, height: 0)
        private var isInText = false

        func parser(
            _: XMLParser,
            didStartElement name: String,
            namespaceURI _: String?,
            qualifiedName _: String?,
            attributes: [String: String] = [:]
        ) {
            func number(_ name: String) -> Int { attributes[name].flatMap { Int($0) } ?? -1 }
            let kind = attributes["class"] ?? ""
            for word in kind.split(separator: " ") { counts[String(word), default: 0] += 1 }
            if name == "svg" { size = (number("width"), number("height")) }
            if name == "rect", kind != "frame" {
                rectangles.append(
                    Rectangle(
                        kind: kind,
                        x: number("x"),
                        y: number("y"),
                        width: number("width"),
                        height: number("height")
                    )
                )
            }
            isInText = name == "text"
            if isInText { texts.append("") }
        }

        func parser(_: XMLParser, foundCharacters text: String) {
            if isInText { texts[texts.count - 1] += text }
        }

        func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
            isInText = false
        }
    }

    private func read(_ drawing: JoinDrawing) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(drawing.svg.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError))\n\(drawing.svg)")
        return reader
    }

    @Test func itShowsWhatTheDrawingSays() async throws {
        let machine = ChemicalMachine()
        let (job, isDone, definition) = machine.define("pipeline") { join in
            let (job, half) = (join.slow("job", of: Int.self), join.slow("half", of: Int.self))
            let isDone = join.fast("isDone", returning: Bool.self)
            let total = join.state("total", 0)
            join.when(job, job) { first, second in half(first + second) }.produces(half)
            join.when(half, updating: total) { sum, n in sum += n }
            join.answer(isDone, reading: total) { sum, _ in sum > 10 }
            return (job, isDone, join.definition)
        }
        let picture = try read(definition.drawing)
        #expect(Set(picture.texts).isSuperset(of: ["job", "half", "isDone", "total", "2", "answer"]))
        #expect(picture.texts.count { $0.hasPrefix("VectorPictureTests.swift:") } == 3)
        #expect(picture.counts["reaction"] == 3)
        // Two jobs, a half, into and out of the state, read; injected; the call and its answer.
        #expect(picture.counts["arrow"] == 7)
        #expect(picture.counts["dashed"] == 2)
        #expect(picture.counts["head"] == 7)

        definition.pause()
        job(1)
        let counted = try read(definition.drawing.showingCounts())
        #expect(counted.texts.contains("job × 1"))
        withExtendedLifetime((job, isDone)) {}
    }

    @Test func wideCharactersHaveRoom() throws {
        let machine = ChemicalMachine()
        let name = String(repeating: "多", count: 12)
        let (molecule, definition) = machine.define("wide") { join in
            let molecule = join.slow(name)
            join.when(molecule) { _ in }
            return (molecule, join.definition)
        }
        let picture = try read(definition.drawing)
        // At twelve pixels each.
        #expect(picture.rectangles.contains { $0.width >= 12 * 12 + 14 }, "\(picture.rectangles)")
        extendLifetime(molecule)
    }

    /// Whatever there is in a name, the picture can be read; nothing lies on something else or outside.
    @Test(arguments: 0..<200)
    func nothingOverlaps(seed: Int) throws {
        var generator = SplitMix(state: UInt64(seed))
        let names = ["a", "<b> & \"c\"", "long name of a molecule, with a comma", "\u{1}\u{7}x", "多", "d\ne", "-->"]
        let definition = Join.define("net <\(seed)> & \"more\"") { join in
            let count = Int.random(in: 1...9, using: &generator)
            let molecules = (0..<count).map { join.slow("\(names[$0 % names.count])\($0)") }
            var seen: Set<Set<Int>> = []
            for _ in 0..<Int.random(in: 1...9, using: &generator) {
                let inputs = (0..<count).shuffled(using: &generator).prefix(.random(in: 1...3, using: &generator))
                // The same inputs twice would be a mistake.
                guard seen.insert(Set(inputs)).inserted else { continue }
                let outputs = molecules.shuffled(using: &generator).prefix(.random(in: 0...2, using: &generator))
                let reaction = join.when(all: inputs.map { molecules[$0] }) { _ in }
                for output in outputs { reaction.produces(output) }
            }
            for (index, molecule) in molecules.enumerated() where !seen.contains(where: { $0.contains(index) }) {
                join.when(molecule) { _ in }
            }
            return (molecules, join.definition)
        }
        let picture = try read(definition.1.drawing)
        let rectangles = picture.rectangles
        #expect(rectangles.count == definition.1.drawing.molecules.count + definition.1.drawing.reactions.count)
        for (index, one) in rectangles.enumerated() {
            #expect(one.x >= 0 && one.x + one.width <= picture.size.width, "seed \(seed)")
            #expect(one.y >= 0 && one.y + one.height <= picture.size.height, "seed \(seed)")
            for other in rectangles[..<index] { #expect(!one.overlaps(other), "seed \(seed)") }
        }
        #expect(definition.1.drawing.svg == definition.1.drawing.svg)
    }
}
