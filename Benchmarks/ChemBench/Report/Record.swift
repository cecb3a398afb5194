import Foundation

/// A run as `--json` writes it and `--baseline` reads it.
struct Record: Codable {
    let environment: RunEnvironment
    let results: [Entry]

    /// One row. All numbers are per operation.
    struct Entry: Codable {
        let name: String
        let unit: Row.Unit
        let operations: Int
        let samples: Int
        let min: Double
        let p50: Double
        let p90: Double
        let p99: Double
        let max: Double
        let baseline: String?
        let ratio: Double?
    }

    init(_ environment: RunEnvironment, _ results: [RowResult]) {
        self.environment = environment
        self.results = results.map(Entry.init)
    }

    init(contentsOf path: String) throws(UsageError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError("--baseline: can't read '\(path)'")
        }
        do {
            self = try JSONDecoder().decode(Record.self, from: data)
        } catch {
            throw UsageError("--baseline: '\(path)' is not what --json writes")
        }
    }

    /// Whether a file can be made at `path`, or be replaced: to be asked before what takes long.
    static func canBeWritten(to path: String) -> Bool {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            return !isFolder.boolValue && files.isWritableFile(atPath: path)
        }
        return files.isWritableFile(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    func write(to path: String) throws(UsageError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(self).write(to: URL(fileURLWithPath: path))
        } catch {
            throw UsageError("--json: can't write '\(path)'")
        }
    }
}

extension Record.Entry {
    init(_ result: RowResult) {
        let values = result.distribution
        name = result.row.name
        unit = result.row.unit
        operations = result.operations
        samples = values.count
        min = values.least
        p50 = values.median
        p90 = values.percentile(90)
        p99 = values.percentile(99)
        max = values.greatest
        baseline = result.baseline?.name
        ratio = result.baseline?.ratio
    }

    /// By hand, so that what is missing is written as null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(unit, forKey: .unit)
        try container.encode(operations, forKey: .operations)
        try container.encode(samples, forKey: .samples)
        try container.encode(min, forKey: .min)
        try container.encode(p50, forKey: .p50)
        try container.encode(p90, forKey: .p90)
        try container.encode(p99, forKey: .p99)
        try container.encode(max, forKey: .max)
        try container.encode(baseline, forKey: .baseline)
        try container.encode(ratio, forKey: .ratio)
    }
}
