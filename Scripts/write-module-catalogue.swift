// Copies the DocC catalogue of a module, with its links as DocC wants them:
//
//     swift Scripts/write-module-catalogue.swift Sources/ChemActors/ChemActors.docc FOLDER
//
// In the repository, articles link to each other's files and show pictures by their paths, so that they can be read as
// they are. DocC finds articles and pictures by their names.

import Foundation

guard CommandLine.arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: write-module-catalogue.swift CATALOGUE FOLDER\n".utf8))
    exit(2)
}
let source = URL(filePath: CommandLine.arguments[1])
let copy = URL(filePath: CommandLine.arguments[2])

/// A link as DocC wants it, or nil if it stays as it is.
func link(to target: Substring, isPicture: Bool) -> String? {
    if isPicture {
        guard target.hasPrefix("Resources/") else { return nil }
        return URL(filePath: String(target)).deletingPathExtension().lastPathComponent
    }
    let parts = target.split(separator: "#", maxSplits: 1)
    guard let file = parts.first, file.hasSuffix(".md"), !file.contains(":") else { return nil }
    let fragment = parts.count > 1 ? "#\(parts[1])" : ""
    let path = file.split(separator: "/")
    let name = path[path.count - 1].dropLast(3)
    if path.count == 1 { return "doc:\(name)\(fragment)" }
    // Of another module: ../../ChemActors/ChemActors.docc/states.md
    guard path.count == 5, path[0] == "..", path[1] == "..", path[3] == "\(path[2]).docc" else { return nil }
    if name == path[2] { return "doc:/\(name)\(fragment)" }
    return "doc:/\(path[2])/\(name)\(fragment)"
}

/// An article with all links outside of code as DocC wants them. In a list of topics they have no words of their own.
func converted(_ text: String) -> String {
    var (isCode, isTopics) = (false, false)
    return text.components(separatedBy: "\n").map { line in
        if line.hasPrefix("```") { isCode.toggle() }
        if line.hasPrefix("## ") { isTopics = line == "## Topics" }
        if isCode { return line }
        let result = line.replacing(#/(!?)\[([^\[\]]*)\]\(([^()\s]+)\)/#) { match in
            link(to: match.3, isPicture: !match.1.isEmpty).map { "\(match.1)[\(match.2)](\($0))" } ?? String(match.0)
        }
        guard isTopics, let topic = result.wholeMatch(of: #/- \[[^\[\]]*\]\((doc:[^()\s]+)\)/#) else { return result }
        return "- <\(topic.1)>"
    }.joined(separator: "\n")
}

try? FileManager.default.removeItem(at: copy)
try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
try FileManager.default.copyItem(at: source, to: copy)
for name in try FileManager.default.contentsOfDirectory(atPath: copy.path) where name.hasSuffix(".md") {
    let file = copy.appending(path: name)
    try converted(String(contentsOf: file, encoding: .utf8)).write(to: file, atomically: true, encoding: .utf8)
}
