import FieldReport
import Foundation
import Testing

@Suite("The results of the field report")
struct ResultsTests {
    @Test("are read as they were written")
    func roundTrip() throws {
        let json = try Sample.results.json()
        let again = try Results(json: json)
        #expect(try again.json() == json)
        #expect(again.rows.count == Sample.results.rows.count)
    }

    @Test("have a minimum and a median")
    func figures() {
        let odd = Figures([30, 10, 20])
        #expect(odd.minimum == 10 && odd.median == 20)
        let even = Figures([40, 10, 20, 30])
        #expect(even.minimum == 10 && even.median == 25)
    }

    @Test(
        "are refused when they are damaged",
        arguments: [
            Damage("no work", is: "there is no work 'juggling'") {
                $0.rows.append(Sample.row("juggling", .chem, "x", 1))
            },
            Damage("twice", is: "is there twice") { $0.rows.append($0.rows[0]) },
            Damage("none of ours", is: "there is nothing of ChemActors") { $0.rows.removeAll { $0.work == "ring" } },
            Damage("not the way that stands for ours", is: "create: there is nothing of ChemActors") {
                for index in $0.rows.indices where $0.rows[index].work == "create" { $0.rows[index].variant = "other" }
            },
            Damage("zero", is: "make no sense") { $0.rows[0].oneCore.minimum = 0 },
            Damage("median too small", is: "make no sense") { $0.rows[0].allCores.median = 1 },
            Damage("no operations", is: "no operations") { $0.rows[0].operations = 0 },
            Damage("no version", is: "of which version?") { $0.versions[.chem] = nil },
        ]
    )
    func damaged(_ damage: Damage) throws {
        var results = Sample.results
        damage.make(&results)
        let json = try results.json()
        let error = #expect(throws: DamagedResults.self) { try Results(json: json) }
        #expect(try #require(error?.description).contains(damage.message))
    }

    @Test("are refused when they are something else", arguments: ["", "{}", "[1, 2]", #"{"rows": []}"#])
    func somethingElse(json: String) {
        #expect(throws: DamagedResults.self) { try Results(json: Data(json.utf8)) }
    }

    @Test("are refused when the file was cut off")
    func cutOff() throws {
        let json = try Sample.results.json()
        #expect(throws: DamagedResults.self) { try Results(json: json.dropLast(40)) }
    }
}

/// Something that is wrong with results.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: String
    let make: @Sendable (inout Results) -> Void

    init(_ name: String, is message: String, make: @escaping @Sendable (inout Results) -> Void) {
        testDescription = name
        self.message = message
        self.make = make
    }
}
