import Foundation

/// The pictures of a DocC catalogue, by name, as they should be.
struct Catalogue {
    /// The folder of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let path: String
    let pictures: [String: String]

    init(_ path: String, _ pictures: [String: String]) {
        self.path = path
        self.pictures = pictures.mapValues { $0 + "\n" }
    }

    private var folder: URL { Self.root.appending(path: path) }
    private var resources: URL { folder.appending(path: "Resources") }

    private func file(_ name: String) -> URL { resources.appending(path: "\(name).svg") }

    /// The names of the pictures that are there.
    private func present() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: resources.path)) ?? []
        return files.filter { $0.hasSuffix(".svg") }.map { String($0.dropLast(4)) }
    }

    func write() throws {
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        for (name, text) in pictures where (try? String(contentsOf: file(name), encoding: .utf8)) != text {
            try text.write(to: file(name), atomically: true, encoding: .utf8)
            print("wrote \(path)/Resources/\(name).svg")
        }
        for name in present() where pictures[name] == nil {
            try FileManager.default.removeItem(at: file(name))
            print("removed \(path)/Resources/\(name).svg")
        }
    }

    /// What isn't as it should be, a line for each.
    func problems() throws -> [String] {
        var problems: [String] = []
        for (name, text) in pictures {
            if let found = try? String(contentsOf: file(name), encoding: .utf8) {
                if found != text { problems.append("\(path)/Resources/\(name).svg differs from its definition") }
            } else {
                problems.append("\(path)/Resources/\(name).svg is missing")
            }
        }
        for name in present() where pictures[name] == nil {
            problems.append("\(path)/Resources/\(name).svg is left over: nothing draws it")
        }
        let shown = try shownPictures()
        for name in pictures.keys where !shown.contains(name) {
            problems.append("\(path): no page shows the picture '\(name)'")
        }
        return problems.sorted()
    }

    /// The names of the pictures that pages show.
    private func shownPictures() throws -> Set<String> {
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        return try pages.reduce(into: []) { shown, page in
            let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
            shown.formUnion(text.matches(of: #/!\[[^\]]+\]\(Resources/([^)]+)\.svg\)/#).map { String($0.1) })
        }
    }
}
