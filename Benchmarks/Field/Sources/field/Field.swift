import FieldReport
import Foundation

/// Measures the field and writes its page. `--help` says how.
@main
struct Field {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            switch options.task {
            case .help: print(Options.help)
            case .list: for work in Catalogue.works { print(work.name) }
            case .check: try Run().check(works(of: options))
            case .render: try write(Page(results()).files())
            case .checkPage: try checkPage()
            case .measure: try measure(options)
            }
        } catch let mistake as UsageError {
            stop(2, "\(mistake)\nTry: field --help")
        } catch {
            stop(1, "\(error)")
        }
    }

    private static func measure(_ options: Options) throws {
        guard !Repository.isDebugBuild else {
            throw UsageError("this is a debug build, which says nothing about speed: use swift run -c release")
        }
        guard Command.path(of: "taskset") != nil else {
            throw UsageError("there is no taskset, which pins a program to a core: this needs Linux")
        }
        let works = try works(of: options)
        let results = try Run().measure(works, rounds: options.rounds)
        guard options.work == nil else { return }
        try results.json().write(to: Repository.results)
        tell("wrote Docs/field.json")
        try write(Page(results).files())
    }

    private static func checkPage() throws {
        for (path, text) in try Page(results()).files() {
            guard try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8) == text else {
                throw Failure("\(path) is not what --render writes")
            }
        }
        print("The page is what the results say.")
    }

    private static func results() throws -> Results {
        guard let json = FileManager.default.contents(atPath: Repository.results.path) else {
            throw Failure("there is no Docs/field.json: measure first")
        }
        return try Results(json: json)
    }

    private static func write(_ files: [String: String]) throws {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            try text.write(to: Repository.root.appending(path: path), atomically: true, encoding: .utf8)
            tell("wrote \(path)")
        }
    }

    private static func works(of options: Options) throws -> [Catalogue.Work] {
        guard let name = options.work else { return Catalogue.works }
        guard let work = Catalogue.works.first(where: { $0.name == name }) else {
            throw UsageError("there is no work '\(name)': see --list")
        }
        return [work]
    }

    private static func stop(_ status: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("field: \(message)\n".utf8))
        exit(status)
    }
}
