// Makes a DocC catalogue of the project's own pages, README.md first, for Scripts/build-site:
//
//     swift Scripts/write-project-catalogue.swift FOLDER FILE.md …
//
// FOLDER is emptied. The files are named from the root of the repository. Each becomes an article: README.md the page
// "project" on top, another README.md the page that is named after its folder, any other file the one with its name.
//
// Links are made to lead to where the page is on the site: to another article, to one of a module's catalogue, to a
// picture. A drawing as text becomes the picture that another script makes. What isn't on the site, such as a source,
// keeps its name and loses the link. A link that leads nowhere is listed, and fails.

import Foundation

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().standardizedFileURL
let modules = ["ChemActors", "ChemLibrary", "ChemTesting", "ChemInspection"]
var problems: [String] = []

guard CommandLine.arguments.count > 2 else {
    print("usage: swift Scripts/write-project-catalogue.swift FOLDER FILE.md …")
    exit(2)
}
let catalogue = URL(filePath: CommandLine.arguments[1])
let files = Array(CommandLine.arguments[2...])

/// The name of the article that a file becomes.
func article(of file: String) -> String {
    let name = (file as NSString).deletingPathExtension.lowercased()
    if name == "readme" { return "project" }
    let parts = name.split(separator: "/")
    return parts.last == "readme" ? parts.dropLast().joined(separator: "-") : parts.last.map(String.init) ?? name
}

/// The link to a page in a module's catalogue: an article is found by its file's name, an extension by its title.
func link(toCataloguePage file: String) -> String? {
    let parts = file.split(separator: "/")
    guard parts.count == 4, parts[2] == "\(parts[1]).docc",
        let text = try? String(contentsOf: root.appending(path: file), encoding: .utf8)
    else { return nil }
    let title = text.prefix { $0 != "\n" }
    let name = (String(parts[3]) as NSString).deletingPathExtension
    let page = title.firstMatch(of: #/^# ``(.*)``$/#).map { String($0.1) } ?? "\(parts[1])/\(name)"
    return "doc:/\(page)"
}

/// Copies a picture, with the one for the dark, and returns the name by which DocC finds it.
func copyPicture(_ file: String) throws -> String {
    let source = root.appending(path: file)
    let name = source.deletingPathExtension().lastPathComponent
    for variant in [name, "\(name)~dark"] {
        let file = source.deletingLastPathComponent().appending(path: "\(variant).\(source.pathExtension)")
        let copy = catalogue.appending(path: file.lastPathComponent)
        guard FileManager.default.fileExists(atPath: file.path) else { continue }
        if !FileManager.default.fileExists(atPath: copy.path) {
            try FileManager.default.copyItem(at: file, to: copy)
        }
    }
    return name
}

/// A link as it has to be on the site.
func link(isPicture: Bool, text: String, target: String, in file: String) throws -> String {
    let written = "\(isPicture ? "!" : "")[\(text)](\(target))"
    if target.contains(":") || target.hasPrefix("#") || isPicture && target == article(of: file) { return written }
    let parts = target.split(separator: "#", maxSplits: 1)
    let fragment = parts.count > 1 ? "#\(parts[1])" : ""
    let url = root.appending(path: file).deletingLastPathComponent().appending(path: String(parts[0]))
    let path = url.standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: path), path.hasPrefix(root.path) else {
        problems.append("\(file): there is no '\(target)'")
        return written
    }
    let found = String(path.dropFirst(root.path.count + 1))
    if isPicture { return "![\(text)](\(try copyPicture(found)))" }
    if files.contains(found) { return "[\(text)](doc:\(article(of: found))\(fragment))" }
    if let link = link(toCataloguePage: found) { return "[\(text)](\(link)\(fragment))" }
    // A path is set as code; words stay words.
    return found.hasSuffix(text) ? "`\(text)`" : text
}

/// The lines with all links outside of code as they have to be on the site.
func rewrite(_ lines: [String], of file: String) throws -> [String] {
    var isCode = false
    return try lines.map { line in
        if line.hasPrefix("```") { isCode.toggle() }
        if isCode { return line }
        var result = ""
        var rest = line[...]
        while let match = rest.firstMatch(of: #/(?:(!?)\[([^\]]*)\]\(([^)\s]+)\))|`[^`]*`/#) {
            result += rest[..<match.range.lowerBound]
            if case (_, let mark?, let text?, let target?) = match.output {
                result += try link(isPicture: !mark.isEmpty, text: String(text), target: String(target), in: file)
            } else {
                result += match.output.0
            }
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }
}

/// The lines with a picture where a drawing stands as text: DocC doesn't draw Mermaid.
func showingPictures(_ lines: [String], of file: String) -> [String] {
    guard let begin = lines.firstIndex(where: { $0.hasPrefix("<!-- drawing:") }),
        let end = lines.firstIndex(of: "<!-- end of the drawing -->")
    else { return lines }
    let picture = "![What the text above describes, as a drawing.](\(article(of: file)))"
    return lines[..<begin] + [picture] + lines[(end + 1)...]
}

/// What is on top of the site: the modules, and the pages beside README.md.
func topics() -> [String] {
    let pages = files.filter { $0 != "README.md" }
    let groups = [
        ("Modules", modules.map { "doc:/\($0)" }),
        ("Programs and packages", pages.filter { $0.hasSuffix("/README.md") && !$0.hasPrefix("Docs/") }),
        ("The project", pages.filter { !$0.hasSuffix("/README.md") || $0.hasPrefix("Docs/") }),
    ]
    let lists = groups.flatMap { title, members in
        ["### \(title)", ""] + members.map { $0.contains(":") ? "- <\($0)>" : "- <doc:\(article(of: $0))>" } + [""]
    }
    return ["", "## Topics", ""] + lists
}

try? FileManager.default.removeItem(at: catalogue)
try FileManager.default.createDirectory(at: catalogue, withIntermediateDirectories: true)
for file in files {
    var lines = try String(contentsOf: root.appending(path: file), encoding: .utf8).components(separatedBy: "\n")
    lines = try rewrite(showingPictures(lines, of: file), of: file)
    if file == "README.md" {
        lines[0] = "# The package ChemActors"
        lines.insert(contentsOf: ["", "@Metadata {", "    @TechnologyRoot", "}"], at: 1)
        lines += topics()
    }
    let page = catalogue.appending(path: "\(article(of: file)).md")
    if FileManager.default.fileExists(atPath: page.path) { problems.append("\(file): a second page of this name") }
    try lines.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
}
for problem in problems { print(problem) }
if !problems.isEmpty { exit(1) }
