import FieldReport
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The page of the field report")
struct PageTests {
    @Test("shows for each work the fastest way of each language, the fastest of all in bold")
    func table() throws {
        var results = Sample.results
        results.rows.append(Sample.row("call", .go, "slow channel", 900))
        results.rows.append(Sample.row("call", .go, "channel", 252.8))
        let page = try #require(try Page(results).files()["Docs/field.md"])
        #expect(page.contains("| call | **100** / **100** | 1,000 / 1,000 | 253 / 253 | – |"))
        #expect(page.contains("| Go, slow channel | 900 (900) | 900 (900) |"))
        #expect(page.contains("ChemActors is 2.5 × as fast as Go on one core, 2.5 × on all: the answer of an idle"))
    }

    @Test("says nothing of a language that didn't take part")
    func missingLanguage() throws {
        var results = Sample.results
        results.versions[.go] = nil
        let files = try Page(results).files()
        let page = try #require(files["Docs/field.md"])
        #expect(!page.contains("| Go"))
        #expect(!(try #require(files["Docs/field-light.svg"]).contains(">Go<")))
    }

    @Test("is refused if a reason assumes another order than the results have")
    func contradiction() throws {
        var results = Sample.results
        results.rows.append(Sample.row("call", .go, "channel", 80))
        let contradiction = #expect(throws: Contradiction.self) { try Page(results).files() }
        let text = try #require(contradiction?.description)
        #expect(text.contains("call: ") && text.contains("ChemActors is ahead of Go") && text.contains("100 ns"))
    }

    @Test("takes a difference of less than a tenth for none")
    func level() throws {
        var results = Sample.results
        results.rows.append(Sample.row("call", .go, "channel", 95))
        let page = try #require(try Page(results).files()["Docs/field.md"])
        #expect(page.contains("ChemActors and Go are level: the answer of an idle"))
    }

    @Test("has pictures that are XML, with a lane for each language and work", arguments: ["light", "dark"])
    func picture(theme: String) throws {
        let svg = try #require(try Page(Sample.results).files()["Docs/field-\(theme).svg"])
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse())
        let labels = svg.components(separatedBy: "<text ").filter { $0.contains(" / ") }
        #expect(labels.count == Sample.results.rows.count)
        // A label that begins inside the picture ends there as well.
        for label in labels {
            let x = try #require(label.firstMatch(of: #/x="([0-9.]+)"/#).flatMap { Double($0.1) })
            #expect(x < 700)
        }
    }
}
