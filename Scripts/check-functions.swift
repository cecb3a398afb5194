// Lists the functions of the sources that have more than fifty lines between their braces, and fails if there are some:
//
//     swift Scripts/check-functions.swift

import Foundation

let limit = 50
let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

/// Where a line that isn't blank or a comment declares a function.
let declaration = #/^\s*(?:@\S+\s+|[a-z]+(?:\([a-z]+\))?\s+)*(?:func|init|deinit|subscript)\b/#

/// A line without what is in quotes or behind `//`, so that braces in it are those of the code.
func code(_ line: Substring) -> Substring {
    var line = line.replacing(#/"(?:\\.|[^"\\])*"/#, with: "\"\"")
    if let comment = line.firstRange(of: "//") { line = line[..<comment.lowerBound] }
    return line
}

/// The first line of the body that begins behind the declaration in line `start`, and the last one. Nil if it has none.
func body(of start: Int, in lines: [Substring]) -> Range<Int>? {
    var (parentheses, braces, first) = (0, 0, 0)
    for index in start..<lines.count {
        for character in lines[index] {
            switch character {
            case "(", "[": parentheses += 1
            case ")", "]": parentheses -= 1
            case "{" where parentheses == 0 || braces > 0:
                if braces == 0 { first = index + 1 }
                braces += 1
            case "}" where braces > 0:
                braces -= 1
                if braces == 0 { return first..<max(first, index) }
            case "}" where parentheses == 0: return nil
            default: break
            }
        }
        // A requirement of a protocol, or one line.
        if braces == 0, parentheses == 0, index > start, lines[index].allSatisfy(\.isWhitespace) { return nil }
    }
    return nil
}

let sources = root.appending(path: "Sources")
let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
var found: [String] = []
var count = 0
for file in files.filter({ $0.hasSuffix(".swift") }).sorted() {
    let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(code)
    for (index, line) in lines.enumerated() where line.prefixMatch(of: declaration) != nil {
        guard let body = body(of: index, in: lines) else { continue }
        count += 1
        if body.count > limit { found.append("Sources/\(file):\(index + 1): \(body.count) lines") }
    }
}
for line in found { print(line) }
if count < 1_000 { print("only \(count) functions found: does it still know them?") }
exit(found.isEmpty && count >= 1_000 ? 0 : 1)
