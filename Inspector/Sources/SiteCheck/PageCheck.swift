import Browsing
import Foundation

/// Looks at one page after the other: in a wide and in a narrow window, in the light and in the dark.
final class PageCheck {
    struct Setting {
        let name: String
        let width: Int
        let isDark: Bool

        /// Where a line that has to be scrolled is a flaw: on a telephone it can't be helped.
        var isWide: Bool { width > 1_000 }
    }

    static let settings = [
        Setting(name: "wide-light", width: 1_280, isDark: false),
        Setting(name: "wide-dark", width: 1_280, isDark: true),
        Setting(name: "narrow-dark", width: 390, isDark: true),
        Setting(name: "narrow-light", width: 390, isDark: false),
    ]

    let browser: Browser
    let address: String
    let pages: SitePages
    let pictures: String?
    private(set) var findings: [String] = []
    /// The elements that have a name, for each page that has been looked at, and the headings that links lead to.
    private var names: [String: Set<String>] = [:]
    private var headings: [(from: String, page: String, name: String)] = []

    init(browser: Browser, address: String, pages: SitePages, pictures: String?) {
        self.browser = browser
        self.address = address
        self.pages = pages
        self.pictures = pictures
    }

    /// The first page is drawn for the first setting.
    func begin() async throws { try await choose(Self.settings[0]) }

    func look(at page: String, keepingPictures: Bool) async throws {
        try await browser.open(address + page.escaped)
        try await browser.wait(for: Script.isDrawn)
        if try await browser.value(Script.isMissing) as? Bool == true {
            findings.append("\(page): the browser shows that there is no such page")
            return
        }
        var found: [String: [String]] = [:]
        for setting in Self.settings {
            try await choose(setting)
            let flaws = try await browser.value(Script.flaws(withScrolling: setting.isWide)) as? [String] ?? []
            for flaw in flaws { found[flaw, default: []].append(setting.name) }
            if keepingPictures, let pictures {
                let name = page.split(separator: "/").dropFirst().joined(separator: "-")
                try await choose(setting, height: 3_000)
                try await browser.screenshot("\(pictures)/\(name.isEmpty ? "landing" : name)-\(setting.name).png")
            }
        }
        try await choose(Self.settings[0])
        for (flaw, settings) in found.sorted(by: { $0.key < $1.key }) {
            findings.append("\(page): \(flaw) [\(settings.joined(separator: ", "))]")
        }
        try await follow(page)
        for complaint in try await browser.complaints() { findings.append("\(page): the console says \(complaint)") }
    }

    /// What can be said when all pages have been looked at.
    func end() {
        for (from, page, name) in headings {
            if let known = names[page], !known.contains(name) {
                findings.append("\(from): there is no '\(name)' on \(page)")
            }
        }
    }

    private func choose(_ setting: Setting, height: Int = 1_000) async throws {
        try await browser.command(
            "Emulation.setDeviceMetricsOverride",
            ["width": setting.width, "height": height, "deviceScaleFactor": 1, "mobile": false]
        )
        let scheme = ["name": "prefers-color-scheme", "value": setting.isDark ? "dark" : "light"]
        try await browser.command("Emulation.setEmulatedMedia", ["features": [scheme]])
        try await browser.wait(for: Script.isSettled(width: setting.width, isDark: setting.isDark))
    }

    /// Compares the links of a page with the pages that are there.
    private func follow(_ page: String) async throws {
        names[page] = Set(try await browser.value(Script.names) as? [String] ?? [])
        for link in try await browser.value(Script.links) as? [String] ?? [] {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            var target = (parts[0].removingPercentEncoding ?? parts[0]).lowercased()
            if target.count > 1, target.hasSuffix("/") { target.removeLast() }
            if !pages.all.contains(target) {
                findings.append("\(page): the link to \(link) leads nowhere")
            } else if parts.count > 1, !parts[1].isEmpty {
                headings.append((page, target, parts[1].removingPercentEncoding ?? parts[1]))
            }
        }
    }
}

extension String {
    /// Fit for an address: names of functions have parentheses and colons.
    fileprivate var escaped: String { addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self }
}
