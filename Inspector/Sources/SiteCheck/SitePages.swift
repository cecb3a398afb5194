import Foundation

/// The pages that DocC has made, each of which it writes as JSON.
struct SitePages {
    /// All addresses, such as `/documentation/chemactors/the-laws`.
    let all: Set<String>
    /// Those that somebody has written: articles, and what is on top of each module.
    private(set) var written: [String] = []
    /// Those that are made from declarations.
    private(set) var symbols: [String] = []

    init(folder: String) throws {
        let data = folder + "/data"
        let files = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
        let pages = files.filter { $0.hasSuffix(".json") }.map { "/" + $0.dropLast(".json".count) }.sorted()
        all = Set(pages)
        for page in pages {
            let content = try Data(contentsOf: URL(fileURLWithPath: "\(data)\(page).json"))
            let root = try JSONSerialization.jsonObject(with: content) as? [String: Any]
            // DocC collects what comes from protocols on pages of its own.
            let isCollected = page.hasSuffix("-implementations")
            let isModule = (root?["metadata"] as? [String: Any])?["symbolKind"] as? String == "module"
            if isModule || !isCollected && root?["kind"] as? String != "symbol" {
                written.append(page)
            } else {
                symbols.append(page)
            }
        }
    }

    /// All written pages, one of `share` pages of symbols, and those that are asked for.
    func chosen(share: Int, and others: [String]) -> [String] {
        let some = symbols.enumerated().filter { $0.offset % share == 0 || others.contains($0.element) }
        return written + some.map(\.element)
    }
}
