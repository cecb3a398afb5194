// Compares the Swift samples of the documentation with the snippets that the compiler has seen:
//
//     swift Scripts/check-samples.swift            lists every sample that differs, and fails if one does
//     swift Scripts/check-samples.swift --write    replaces every sample by the text of its snippet
//
// A link to a file that isn't there is listed as well. And an article that shows parts of a program says which, below
// its first paragraph: a part may use what another one declares.
//
// Each block of Swift in README.md, in Integrations/README.md, in Docs/ and in the articles of the DocC catalogues has
// a comment in the line before it, which says where it comes from:
//
//     <!-- snippet: counter -->         what Snippets/counter.swift shows
//     <!-- snippet: outcomes#error -->  the part of Snippets/outcomes.swift between `// snippet.error` and `// snippet.end`
//     <!-- snippet: Tests/A/B#error --> the same part of a file that isn't a snippet
//     <!-- not compiled: reason -->     a fragment, or code that must not compile
//
// A snippet shows what follows `// snippet.show`, up to `// snippet.hide`. These are SwiftPM's own markers.

import Foundation

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
let mustWrite = CommandLine.arguments.contains("--write")
var problems: [String] = []
var samples = 0

/// The lines of the snippet that `reference` names, without the indentation that they share.
func snippet(_ reference: String) -> [String]? {
    let parts = reference.split(separator: "#").map(String.init)
    guard let file = parts.first,
        let text = try? String(
            contentsOf: root.appending(path: file.contains("/") ? "\(file).swift" : "Snippets/\(file).swift"),
            encoding: .utf8
        )
    else { return nil }
    var shown: [String] = []
    var isShown = false
    for line in text.components(separatedBy: "\n") {
        let trimmed = line.trimmingCharacters(in: .whitespaces)
        if trimmed.hasPrefix("// snippet.") {
            let marker = trimmed.dropFirst("// snippet.".count)
            isShown = parts.count > 1 ? marker == parts[1] : marker == "show"
        } else if isShown {
            shown.append(line)
        }
    }
    while shown.first?.isEmpty == true { shown.removeFirst() }
    while shown.last?.isEmpty == true { shown.removeLast() }
    let indentation = shown.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return shown.isEmpty ? nil : shown.map { String($0.dropFirst(indentation)) }
}

/// What stands between `opening` and `-->` in `line`.
func comment(_ opening: String, in line: String) -> String? {
    guard line.hasPrefix(opening), line.hasSuffix("-->") else { return nil }
    return line.dropFirst(opening.count).dropLast(3).trimmingCharacters(in: .whitespaces)
}

/// Checks one document and returns it with every sample as its snippet has it.
func check(_ lines: [String], named name: String) -> [String] {
    var result: [String] = []
    var index = 0
    while index < lines.count {
        let line = lines[index]
        result.append(line)
        index += 1
        if let reference = comment("<!-- snippet:", in: line), index == lines.count || lines[index] != "```swift" {
            if mustWrite, let shown = snippet(reference) {
                samples += 1
                result += ["```swift"] + shown + ["```"]
            } else {
                problems.append("\(name):\(index): there is no block for the snippet '\(reference)': --write makes it")
            }
        }
        guard line == "```swift" else {
            if line.hasPrefix("```"), line != "```" {  // another language: copied up to its end
                while index < lines.count, lines[index] != "```" {
                    result.append(lines[index])
                    index += 1
                }
                if index < lines.count {
                    result.append(lines[index])
                    index += 1
                }
            }
            continue
        }
        let place = "\(name):\(index)"
        let begin = index
        while index < lines.count, lines[index] != "```" { index += 1 }
        let block = Array(lines[begin..<index])
        let marker = begin >= 2 ? lines[begin - 2] : ""
        var replacement = block
        if let reference = comment("<!-- snippet:", in: marker) {
            samples += 1
            if let shown = snippet(reference) {
                replacement = shown
                if shown != block, !mustWrite {
                    let difference = zip(shown, block).first { $0 != $1 }
                    problems.append("\(place): differs from snippet '\(reference)'")
                    if let (expected, found) = difference {
                        problems.append("    snippet:  \(expected)")
                        problems.append("    document: \(found)")
                    } else {
                        problems.append("    \(shown.count) lines in the snippet, \(block.count) in the document")
                    }
                }
            } else {
                problems.append("\(place): there is no snippet '\(reference)'")
            }
        } else if comment("<!-- not compiled:", in: marker)?.isEmpty ?? true {
            problems.append("\(place): say above this block which snippet it shows, or why it is not compiled")
        }
        result += replacement
        if index < lines.count {
            result.append(lines[index])
            index += 1
        } else {
            problems.append("\(place): the block has no end")
        }
    }
    return result
}

/// Whether a program that is shown from some line on declares or imports something before it, besides what every
/// sample imports, or declares functions or types where it isn't shown.
func needsMore(_ name: String) -> Bool {
    let file = root.appending(path: "Snippets/\(name).swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
    let lines = text.split(separator: "\n")
    let hasBeginning = lines.prefix { $0 != "// snippet.show" }.contains {
        !$0.hasPrefix("//") && !$0.hasPrefix("import Chem")
    }
    if hasBeginning { return true }
    var isShown = true
    for line in lines {
        if line.hasPrefix("// snippet.") { isShown = line == "// snippet.show" }
        let declaration = #/(@\S+ )*(final )?(func|struct|class|enum|actor|protocol|extension) /#
        if !isShown, line.prefixMatch(of: declaration) != nil { return true }
    }
    return false
}

/// The sentence that says of which programs a document shows parts. Nil if it shows only whole ones.
func sentence(_ lines: [String]) -> String? {
    var files: [String] = []
    var hasOthers = false
    for line in lines {
        guard let parts = comment("<!-- snippet:", in: line)?.split(separator: "#") else { continue }
        let file = parts[0].contains("/") ? "`\(parts[0]).swift`" : "`Snippets/\(parts[0]).swift`"
        guard parts.count > 1 || needsMore(String(parts[0])) else {
            hasOthers = true
            continue
        }
        if !files.contains(file) { files.append(file) }
    }
    guard let last = files.last else { return nil }
    let list = files.count == 1 ? last : files.dropLast().joined(separator: ", ") + " and " + last
    let verb = files.count == 1 ? "runs" : "run"
    return hasOthers
        ? "\(openings[1]) \(list), which \(verb): what these use and don't declare is there.*"
        : "\(openings[0]) \(list), which \(verb): what a sample uses and doesn't declare is there.*"
}

let openings = ["*The samples are parts of", "*Some of the samples are parts of"]

/// Checks the sentence about programs, and returns the document with the right one.
func checkSentence(_ lines: [String], named name: String) -> [String] {
    let wanted = sentence(lines)
    let found = lines.firstIndex { line in openings.contains { line.hasPrefix($0) } }
    let overview = lines.firstIndex(of: "## Overview")
    // Above the heading it would get another one, since DocC begins each text with it.
    if found.map({ lines[$0] }) == wanted, wanted == nil || overview == nil || overview! < found! { return lines }
    guard mustWrite else {
        let place = overview == nil ? "below its first paragraph" : "below 'Overview'"
        problems.append("\(name): \(place) it should say: \(wanted ?? "nothing of parts")")
        return lines
    }
    var result = lines
    if let found { result.removeSubrange(found...(found + 1)) }
    if let wanted, let overview = result.firstIndex(of: "## Overview") {
        result.insert(contentsOf: ["", wanted], at: overview + 1)
        return result
    }
    guard let wanted, let title = result.firstIndex(where: { $0.hasPrefix("# ") }),
        let end = result[(title + 2)...].firstIndex(of: "")
    else { return result }
    result.insert(contentsOf: ["", wanted], at: end)
    return result
}

/// Checks that what a document links to is there. Addresses of the web aren't looked at.
func checkLinks(_ lines: [String], named name: String) {
    let folder = root.appending(path: name).deletingLastPathComponent()
    for (index, line) in lines.enumerated() {
        for match in line.matches(of: #/\]\(([^)\s]+)\)/#) {
            let target = match.1.prefix { $0 != "#" }
            if target.isEmpty || target.contains(":") { continue }
            if !FileManager.default.fileExists(atPath: folder.appending(path: String(target)).path) {
                problems.append("\(name):\(index + 1): there is no '\(target)'")
            }
        }
    }
}

/// All Markdown files below `folder`.
func documents(below folder: String) -> [String] {
    let walker = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    let files = walker?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
}

let names =
    ["README.md", "CONTRIBUTING.md", "Examples/README.md", "Inspector/README.md", "Integrations/README.md"]
    + documents(below: "Docs")
    + documents(below: "Sources")
for name in names {
    let file = root.appending(path: name)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
        problems.append("\(name) is missing")
        continue
    }
    checkLinks(text.components(separatedBy: "\n"), named: name)
    var lines = text.components(separatedBy: "\n")
    if name.contains(".docc/") { lines = checkSentence(lines, named: name) }
    let checked = check(lines, named: name).joined(separator: "\n")
    if mustWrite, checked != text {
        try checked.write(to: file, atomically: true, encoding: .utf8)
        print("wrote \(name)")
    }
}
if samples == 0 { problems.append("no document shows a snippet: are the markers right?") }
for problem in problems { print(problem) }
if !problems.isEmpty { exit(1) }
print("\(samples) samples in \(names.count) documents are as in their snippets")
