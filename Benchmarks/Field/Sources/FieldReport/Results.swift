package import Foundation

/// What a run found, as `Docs/field.json` holds it.
package struct Results: Codable, Sendable {
    package var environment: Environment
    /// The version of each language that took part.
    package var versions: [Language: String]
    package var rows: [Row]

    package init(environment: Environment, versions: [Language: String], rows: [Row]) {
        self.environment = environment
        self.versions = versions
        self.rows = rows
    }

    package init(json: Data) throws {
        do {
            self = try JSONDecoder().decode(Results.self, from: json)
        } catch {
            throw DamagedResults("it isn't what a run of `field` writes")
        }
        try check()
    }

    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Throws unless each work has figures of ChemActors, and each figure makes sense and is there once.
    package func check() throws {
        var seen: Set<[String]> = []
        for row in rows {
            let name = "\(row.work), \(row.language.title), \(row.variant)"
            guard Catalogue.works.contains(where: { $0.name == row.work }) else {
                throw DamagedResults("there is no work '\(row.work)'")
            }
            guard seen.insert([row.work, row.language.rawValue, row.variant]).inserted else {
                throw DamagedResults("\(name): is there twice")
            }
            guard versions[row.language] != nil else { throw DamagedResults("\(name): of which version?") }
            guard row.operations > 0 else { throw DamagedResults("\(name): no operations") }
            for figures in [row.oneCore, row.allCores] where !figures.makeSense {
                throw DamagedResults("\(name): \(figures.minimum) and \(figures.median) ns make no sense")
            }
        }
        for work in Catalogue.works where best(work.name, .chem, on: .all) == nil {
            throw DamagedResults("\(work.name): there is nothing of ChemActors")
        }
    }

    package func figures(of work: String, _ language: Language) -> [Row] {
        rows.filter { $0.work == work && $0.language == language }
    }
}

/// A file of results that nobody should draw conclusions from.
package struct DamagedResults: Error, CustomStringConvertible {
    package let description: String

    init(_ reason: String) { description = "the results are damaged: \(reason)" }
}
