// Checks what Scripts/build-site has made, by its files: no browser is needed.
//
//     swift Scripts/check-site.swift FOLDER
//
// DocC writes each page as JSON, from which the browser draws it. Listed are links to pages, headings and pictures that
// aren't there, links that DocC couldn't resolve, pages to which no link leads, and code that is wider than its column
// in a window of 1280 pixels, so that a reader had to scroll.

import Foundation

/// What fits: Scripts/Site/site.css has made it so.
let columns = 101

guard CommandLine.arguments.count == 2 else {
    print("usage: swift Scripts/check-site.swift FOLDER")
    exit(2)
}
let site = CommandLine.arguments[1]
var problems: [String] = []

struct Page {
    var anchors: Set<String> = []
    /// Addresses on the site, as they are written, with the text of those that are in the page's own words.
    var links: [String] = []
    var files: [String] = []
    var code: [String] = []
    var unresolved: [String] = []
}

/// Collects what a part of a page's content holds. Identifiers of links that its words make go to `mentioned`.
func read(_ node: Any, into page: inout Page, mentioned: inout Set<String>) {
    if let list = node as? [Any] {
        for element in list { read(element, into: &page, mentioned: &mentioned) }
        return
    }
    guard let node = node as? [String: Any] else { return }
    if let anchor = node["anchor"] as? String { page.anchors.insert(anchor) }
    switch node["type"] as? String {
    case "codeListing": page.code += node["code"] as? [String] ?? []
    case "reference", "image", "link", "video":
        if let identifier = node["identifier"] as? String { mentioned.insert(identifier) }
        if let address = node["destination"] as? String { page.links.append(address) }
    default: break
    }
    for (key, value) in node where key != "references" { read(value, into: &page, mentioned: &mentioned) }
}

func readPage(_ file: String) -> Page? {
    guard let data = FileManager.default.contents(atPath: file),
        let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return nil }
    var page = Page()
    var mentioned: Set<String> = []
    read(root, into: &page, mentioned: &mentioned)
    let references = root["references"] as? [String: [String: Any]] ?? [:]
    for (identifier, reference) in references {
        switch reference["type"] as? String {
        case "image", "video":
            for case let variant as [String: Any] in reference["variants"] as? [Any] ?? [] {
                page.files.append(variant["url"] as? String ?? "without an address: \(identifier)")
            }
        case "unresolvable": if mentioned.contains(identifier) { page.unresolved.append(identifier) }
        default: if let url = reference["url"] as? String { page.links.append(url) }
        }
    }
    // An address of the web may stand for itself.
    page.unresolved += mentioned.filter { references[$0] == nil && !$0.hasPrefix("http") }
    return page
}

/// The files below a folder of the site.
func files(below folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: "\(site)/\(folder)")?.compactMap { $0 as? String } ?? []).sorted()
}

var pages: [String: Page] = [:]
for file in files(below: "data") where file.hasSuffix(".json") {
    let address = "/" + file.dropLast(".json".count)
    guard let page = readPage("\(site)/data/\(file)") else {
        problems.append("\(address): can't be read")
        continue
    }
    pages[address] = page
}

/// The page and the heading that a link on a page leads to, or nil if it leads out of the site.
func target(of link: String, on address: String) -> (page: String, anchor: String?)? {
    if link.firstMatch(of: #/^[a-z]+:/#) != nil { return nil }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var page = parts[0].isEmpty ? address : parts[0].lowercased()
    if page.count > 1, page.hasSuffix("/") { page.removeLast() }
    return (page, parts.count > 1 ? parts[1].removingPercentEncoding ?? parts[1] : nil)
}

var reached: Set<String> = []
var next = ["/documentation"]
while let address = next.popLast() {
    guard let page = pages[address], reached.insert(address).inserted else { continue }
    next += page.links.compactMap { target(of: $0, on: address)?.page }
}

for (address, page) in pages.sorted(by: { $0.key < $1.key }) {
    if !reached.contains(address) { problems.append("\(address): no link leads here") }
    if !FileManager.default.fileExists(atPath: "\(site)\(address)/index.html") {
        problems.append("\(address): has no index.html")
    }
    for link in Set(page.links).sorted() {
        guard let target = target(of: link, on: address) else { continue }
        guard let found = pages[target.page] else {
            problems.append("\(address): there is no page '\(link)'")
            continue
        }
        if let anchor = target.anchor, !found.anchors.contains(anchor) {
            problems.append("\(address): there is no heading '\(link)'")
        }
    }
    for file in Set(page.files).sorted() where !FileManager.default.fileExists(atPath: "\(site)\(file)") {
        problems.append("\(address): there is no picture '\(file)'")
    }
    for link in page.unresolved.sorted() { problems.append("\(address): unresolved '\(link)'") }
    for line in page.code where line.count > columns {
        problems.append("\(address): \(line.count) columns of code: \(line.trimmingCharacters(in: .whitespaces))")
    }
}
if pages.isEmpty { problems.append("\(site) has no pages") }
for problem in problems { print(problem) }
if !problems.isEmpty { exit(1) }
let links = pages.values.reduce(0) { $0 + $1.links.count }
print("\(pages.count) pages with \(links) links: each leads somewhere, and all code fits")
