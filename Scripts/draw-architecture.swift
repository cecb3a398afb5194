// Draws who knows whom: an arrow from folder to folder wherever the one names a type that the other one defines.
//
//     swift Scripts/draw-architecture.swift            compares Docs/architecture.md with the sources; fails on a cycle
//     swift Scripts/draw-architecture.swift --write    writes the drawing
//     swift Scripts/draw-architecture.swift --svg FILE writes it as a picture, for the site of the documentation
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

/// The rooms of the runtime and the other targets in rows, each above those that it knows.
func picture() -> String {
    let titles = all.map { $0.target == "ChemActors" ? $0.name : $0.target }
    var names: [String: Set<String>] = [:]
    for from in all.indices {
        let targets = (known[from] ?? [:]).keys.map { titles[$0] }.filter { $0 != titles[from] }
        names[titles[from], default: []].formUnion(targets)
    }
    // An arrow that follows from two others is left out, as above.
    func leads(_ from: String, to: String) -> Bool { from == to || (names[from] ?? []).contains { leads($0, to: to) } }
    let arrows = names.mapValues { direct in
        direct.filter { to in !direct.contains { $0 != to && leads($0, to: to) } }.sorted()
    }
    var heights: [String: Int] = [:]
    while heights.count < names.count {
        for (name, known) in names where heights[name] == nil {
            let below = known.compactMap { heights[$0] }
            if below.count == known.count { heights[name] = (below.max() ?? -1) + 1 }
        }
    }
    let top = heights.values.max() ?? 0
    let (width, cell, row) = (756.0, 108.0, 58.0)
    var middles: [String: Double] = [:]
    for height in 0...top {
        // Each as near as can be to what it knows.
        let wished = heights.filter { $0.value == height }.keys.map { name in
            let below = (arrows[name] ?? []).compactMap { middles[$0] }
            return (name: name, middle: below.isEmpty ? width / 2 : below.reduce(0, +) / Double(below.count))
        }.sorted { ($0.middle, $0.name) < ($1.middle, $1.name) }
        for (index, entry) in wished.enumerated() {
            middles[entry.name] = width / 2 + (Double(index) - Double(wished.count - 1) / 2) * cell
        }
    }
    let middle = { (name: String) in (x: middles[name] ?? 0, y: Double(top - (heights[name] ?? 0)) * row + row / 2) }
    var shapes = ""
    for (from, known) in arrows.sorted(by: { $0.key < $1.key }) {
        for to in known {
            let (begin, end) = (middle(from), middle(to))
            let (y, tip) = (begin.y + 14, end.y - 16)
            let bend = (y + tip) / 2
            let curve = "M\(begin.x) \(y)C\(begin.x) \(bend) \(end.x) \(bend) \(end.x) \(tip)"
            shapes += "<path class=\"arrow\" d=\"\(curve)\"/>\n"
        }
    }
    for name in names.keys.sorted() {
        let kind = titles.contains(name) && targets.contains { $0.name == name } ? "target" : "room"
        let (x, y) = middle(name)
        shapes += "<rect class=\"\(kind)\" x=\"\(x - 50)\" y=\"\(y - 14)\" width=\"100\" height=\"28\" rx=\"3\"/>\n"
        shapes += "<text x=\"\(x)\" y=\"\(y + 4)\">\(name)</text>\n"
    }
    let size = "width=\"\(Int(width))\" height=\"\(Int(Double(top + 1) * row))\""
    return """
        <svg xmlns="http://www.w3.org/2000/svg" class="rooms" \(size)>
        <style>
        .rooms { --ink: #1f2933; --paper: #ffffff; --room: #e3f0fb; --target: #fdf1d8; --line: #7b8794 }
        .rooms { background: var(--paper) }
        @media (prefers-color-scheme: dark) {
        .rooms { --ink: #e6ebf0; --paper: #16191d; --room: #1d3a55; --target: #4a3b17; --line: #8d99a6 } }
        .rooms text { font: 12px system-ui, sans-serif; text-anchor: middle; fill: var(--ink) }
        .rooms rect { stroke: var(--line) } .rooms .room { fill: var(--room) } .rooms .target { fill: var(--target) }
        .rooms .arrow { fill: none; stroke: var(--line); marker-end: url(#tip) } .rooms marker path { fill: var(--line) }
        </style>
        <marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">
        <path d="M0 1L7 4L0 7z"/></marker>
        \(shapes)</svg>

        """
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--svg" {
    try picture().write(toFile: CommandLine.arguments[2], atomically: true, encoding: .utf8)
    exit(0)
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
