// Draws who knows whom: an arrow from folder to folder wherever the one names a type that the other one defines.
//
//     swift Scripts/draw-architecture.swift            compares Docs/architecture.md with the sources; fails on a cycle
//     swift Scripts/draw-architecture.swift --write    writes the drawing
//     swift Scripts/draw-architecture.swift --why A B  which files of folder A name which types of folder B
//
// A folder directly under a target's is a room; a target without folders is one itself.

import Foundation

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
let page = root.appending(path: "Docs/architecture.md")

/// A folder, its files without comments and texts, and the types that they define: all, those that others in the target
/// can name, and those that others outside of it can.
struct Room {
    let target: String
    let name: String
    var files: [(name: String, text: String)] = []
    var own: Set<String> = []
    var types: Set<String> = []
    var exported: Set<String> = []
}

/// The targets, each with its folder, those first that know nobody.
let targets: [(name: String, path: String)] =
    ["ChemBase", "ChemActors"].map { ($0, "Sources/\($0)") }
    + ["Recipes", "Mailbox", "Flow", "Streams", "Mall"].map { ($0, "Sources/ChemLibrary/\($0)") }
    + [("ChemTesting", "Sources/ChemTesting"), ("ChemInspection", "Sources/ChemInspection")]

/// `text` without what the compiler doesn't read as code.
func code(_ text: String) -> String {
    text.replacing(#/"""[\s\S]*?"""/#, with: "\"\"").replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "\"\"")
        .replacing(#/\/\/[^\n]*/#, with: "")
}

func rooms() throws -> [Room] {
    var all: [String: Room] = [:]
    for target in targets {
        let folder = root.appending(path: target.path)
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { continue }
        for case let file as URL in files where file.pathExtension == "swift" {
            let parts = file.path.dropFirst(folder.path.count + 1).split(separator: "/")
            let name = parts.count > 1 ? String(parts[0]) : target.name
            let text = code(try String(contentsOf: file, encoding: .utf8))
            var room = all["\(target.name)/\(name)"] ?? Room(target: target.name, name: name)
            room.files.append((file.lastPathComponent, text))
            let kinds = #/\b(?:class|struct|enum|protocol|actor|typealias|func)\s+([A-Z]\w*)/#
            for match in text.matches(of: kinds) { room.own.insert(String(match.1)) }
            // Those at the margin: what lies inside of another type is named with it.
            for line in text.split(separator: "\n") where !line.hasPrefix(" ") && !line.contains("private") {
                guard let match = line.firstMatch(of: kinds) else { continue }
                room.types.insert(String(match.1))
                if line.contains("public ") || line.contains("package ") { room.exported.insert(String(match.1)) }
            }
            all["\(target.name)/\(name)"] = room
        }
    }
    return all.values.sorted { ($0.target, $0.name) < ($1.target, $1.name) }
}

/// For each room and each other one: which types of that it names, and in which files.
func arrows(_ rooms: [Room]) -> [Int: [Int: [String: Set<String>]]] {
    var result: [Int: [Int: [String: Set<String>]]] = [:]
    for (from, room) in rooms.enumerated() {
        for file in room.files {
            let words = Set(file.text.matches(of: #/\b[A-Z]\w*/#).map { String($0.0) })
            for (to, other) in rooms.enumerated() where to != from {
                let visible = other.target == room.target ? other.types : other.exported
                // What both define is meant to be one's own.
                for type in visible.intersection(words).subtracting(room.own) {
                    result[from, default: [:]][to, default: [:]][type, default: []].insert(file.name)
                }
            }
        }
    }
    return result
}

/// The rooms in layers, those first that know nobody; and those left over, which form cycles.
func layers(_ count: Int, _ arrows: [Int: [Int: [String: Set<String>]]]) -> (layers: [[Int]], cyclic: [Int]) {
    var left = Set(0..<count)
    var result: [[Int]] = []
    while true {
        let next = left.filter { room in (arrows[room] ?? [:]).keys.allSatisfy { !left.contains($0) } }.sorted()
        if next.isEmpty { break }
        result.append(next)
        left.subtract(next)
    }
    return (result, left.sorted())
}

let all = try rooms()
let known = arrows(all)
let title = { (index: Int) in
    all[index].name == all[index].target ? all[index].name : "\(all[index].target)/\(all[index].name)"
}

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--why" {
    for (from, targets) in known where title(from) == CommandLine.arguments[2] {
        for (to, types) in targets where title(to) == CommandLine.arguments[3] {
            for (type, files) in types.sorted(by: { $0.key < $1.key }) {
                print("\(type): \(files.sorted().joined(separator: ", "))")
            }
        }
    }
    exit(0)
}

let order = layers(all.count, known)
var drawing = "```mermaid\nflowchart BT\n"
for target in targets {
    let members = all.indices.filter { all[$0].target == target.name }
    if members.isEmpty { continue }
    drawing += "    subgraph \(target.name)_ [\(target.name)]\n"
    for member in members { drawing += "        r\(member)[\(all[member].name)]\n" }
    drawing += "    end\n"
}
for from in all.indices {
    // An arrow that follows from two others is left out.
    let direct = (known[from] ?? [:]).keys.sorted()
    for to in direct {
        let isImplied = order.cyclic.isEmpty && direct.contains { $0 != to && reaches($0, to) }
        if !isImplied { drawing += "    r\(from) --> r\(to)\n" }
    }
}
drawing += "```\n"

func reaches(_ from: Int, _ to: Int) -> Bool {
    from == to || (known[from] ?? [:]).keys.contains { reaches($0, to) }
}

if !order.cyclic.isEmpty {
    let names = order.cyclic.map(title).joined(separator: ", ")
    FileHandle.standardError.write(Data("Rooms that know each other in a circle, or know such: \(names)\n".utf8))
    for from in order.cyclic {
        for to in order.cyclic where known[from]?[to] != nil {
            let types = known[from]![to]!.keys.sorted().joined(separator: ", ")
            FileHandle.standardError.write(Data("  \(title(from)) -> \(title(to)): \(types)\n".utf8))
        }
    }
    exit(1)
}

let begin = "<!-- drawing: Scripts/draw-architecture.swift -->\n"
let end = "<!-- end of the drawing -->"
let text = try String(contentsOf: page, encoding: .utf8)
guard let head = text.range(of: begin), let tail = text.range(of: end) else {
    FileHandle.standardError.write(Data("Docs/architecture.md has no place for the drawing\n".utf8))
    exit(1)
}
let new = text[..<head.upperBound] + drawing + text[tail.lowerBound...]
if CommandLine.arguments.dropFirst() == ["--write"] {
    try new.write(to: page, atomically: true, encoding: .utf8)
} else if new != text {
    FileHandle.standardError.write(
        Data("The drawing in Docs/architecture.md is out of date: run Scripts/draw-architecture.swift --write\n".utf8)
    )
    exit(1)
}
