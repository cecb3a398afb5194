// The public interface of each module, a line for each declaration, as it was last recorded in Docs/interface:
//
//     swift Scripts/check-interface.swift FOLDER            compares it with the modules in FOLDER
//     swift Scripts/check-interface.swift FOLDER --write    records it
//
// FOLDER is the one with the compiled modules, such as .build/debug/Modules. A line that is gone, or reads otherwise,
// is a break for somebody. So that a break is a decision, it has to be recorded, and said in CHANGELOG.md.
//
// It reads what `swift-api-digester` dumps, which `swift package diagnose-api-breaking-changes` compares. That command
// would need the commit of a release to compare with, and show nothing of what is new. The lines are those of Swift 6.3
// on Linux, where CI runs: another system or compiler lists other conformances.

import Foundation

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
let record = root.appending(path: "Docs/interface")
let modules = [
    "ChemActors", "Recipes", "Mailbox", "Flow", "Streams", "Mall", "SeedNames", "Exploring", "ChemTesting",
    "ChemInspection",
]

func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let folder = arguments.first, arguments.count == 1 || arguments.dropFirst() == ["--write"] else {
    stop("usage: swift Scripts/check-interface.swift FOLDER [--write]")
}

/// What a command prints.
func output(_ command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { stop("\(command.joined(separator: " ")) failed") }
    return text
}

/// The processor and system for which this compiler compiles.
func target() throws -> String {
    let text = try output(["swiftc", "-print-target-info"])
    let information = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    guard let target = (information?["target"] as? [String: Any])?["triple"] as? String else {
        stop("the compiler doesn't say for which system it compiles")
    }
    return target
}

/// A line for `node`, if it is a declaration of its own, and for each one inside of it.
func lines(of node: [String: Any], in path: String) -> [String] {
    let children = node["children"] as? [[String: Any]] ?? []
    guard let kind = node["declKind"] as? String, let name = node["printedName"] as? String, kind != "Import" else {
        return children.flatMap { lines(of: $0, in: path) }
    }
    // What is internal stands in the dump for the sake of inlined code.
    if node["implicit"] as? Bool == true || node["isInternal"] as? Bool == true || kind == "Accessor" { return [] }
    let isType = node["kind"] as? String == "TypeDecl"
    var line = "\(node["static"] as? Bool == true ? "static " : "")\(kind.lowercased()) \(path)\(name)"
    if let signature = node["genericSig"] as? String { line += " \(signature)" }
    if isType {
        let conformances = (node["conformances"] as? [[String: Any]] ?? []).compactMap { $0["printedName"] as? String }
        line += ": \(conformances.sorted().joined(separator: ", "))"
    } else {
        // The first one is what is returned, or the type of a variable.
        let types = children.compactMap { $0["printedName"] as? String }
        if let result = types.first {
            line += kind == "Var" ? ": \(result)" : " (\(types.dropFirst().joined(separator: ", "))) -> \(result)"
        }
        for (key, word) in [("async", "async"), ("throwing", "throws")] where node[key] as? Bool == true {
            line += " \(word)"
        }
    }
    let attributes = Set(node["declAttributes"] as? [String] ?? [])
    if let unavailable = node["deprecated"] as? Bool, unavailable { line += " deprecated" }
    if attributes.contains("DiscardableResult") { line += " discardable" }
    return [line] + (isType ? children.flatMap { lines(of: $0, in: "\(path)\(name).") } : [])
}

func interface(of module: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "interface-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try output([
        "swift-api-digester", "-dump-sdk", "-module", module, "-I", folder, "-target", try target(), "-avoid-location",
        "-avoid-tool-args", "-o", file.path,
    ])
    let dump = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    guard let root = dump?["ABIRoot"] as? [String: Any] else { stop("nothing was dumped of \(module)") }
    return Set(lines(of: root, in: "")).sorted()
}

var changes: [String] = []
for module in modules {
    let new = try interface(of: module)
    guard new.count > 4 else { stop("\(new.count) public declarations in \(module): the dump is wrong") }
    let file = record.appending(path: "\(module).txt")
    if arguments.count == 2 {
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
        try (new.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        continue
    }
    let old = Set((try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? [])
    changes += old.subtracting(new).sorted().map { "gone from \(module): \($0)" }
    changes += Set(new).subtracting(old).sorted().map { "new in \(module): \($0)" }
}
if !changes.isEmpty {
    let isBreak = changes.contains { $0.hasPrefix("gone") }
    stop(
        changes.joined(separator: "\n")
            + "\nThe public interface has changed. \(isBreak ? "What is gone breaks programs: say so in CHANGELOG.md. " : "")"
            + "Record it by 'swift Scripts/check-interface.swift FOLDER --write'."
    )
}
