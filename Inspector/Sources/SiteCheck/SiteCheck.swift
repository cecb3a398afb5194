import ArgumentParser
import Browsing
import Foundation

/// Looks at the site of the documentation in a real browser.
///
///     Scripts/build-site
///     swift run --package-path Inspector site-check .build-site --pictures .build-pictures
@main
struct SiteCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "site-check",
        abstract: "Looks at the documentation's pages in headless Chromium: dead links, what is cut off, complaints."
    )

    @Argument(help: "The folder that Scripts/build-site has made.")
    var site: String

    @Option(help: "The browser.")
    var browser = Browser.usualPath

    @Option(help: "Its driver.")
    var driver = Browser.usualDriver

    @Option(help: "The port of the driver.")
    var driverPort = 19_516

    @Option(help: "The folder for pictures. Without it, none are kept.")
    var pictures: String?

    @Option(help: "A page to keep pictures of; may be repeated.")
    var picture = [
        "/documentation", "/documentation/project", "/documentation/project/architecture",
        "/documentation/chemactors/thinking-in-chemistry",
        "/documentation/chemactors/definitions-as-types", "/documentation/chemactors/join/builder",
        "/documentation/chemlibrary/passing-values",
    ]

    @Option(help: "Every page that is written is looked at, and one of so many that are made from declarations.")
    var share = 40

    @Flag(help: "Only serves the folder, for a browser of your own.")
    var serve = false

    @Option(help: "The port to serve at; 0 is a free one.")
    var port = 0

    func validate() throws {
        guard share > 0 else { throw ValidationError("--share is at least 1.") }
    }

    func run() async throws {
        let server = SiteServer(folder: site)
        if serve { return try await server.run(port: port) { print("http://127.0.0.1:\($0)/") } }
        let pages = try SitePages(folder: site)
        guard !pages.all.isEmpty else { throw ValidationError("\(site) has no pages: Scripts/build-site makes them.") }
        if let pictures { try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true) }
        let (ports, open) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { [port] in try await server.run(port: port) { open.yield($0) } }
        defer { serving.cancel() }
        guard let port = await ports.first(where: { _ in true }) else { return }

        let browser = try await Browser(driver: driver, browser: browser, port: driverPort)
        let check = PageCheck(
            browser: browser,
            address: "http://127.0.0.1:\(port)",
            pages: pages,
            pictures: pictures
        )
        let chosen = pages.chosen(share: share, and: picture)
        do {
            try await check.begin()
            for page in chosen { try await check.look(at: page, keepingPictures: picture.contains(page)) }
        } catch {
            await browser.quit()
            throw error
        }
        await browser.quit()
        check.end()
        for finding in check.findings { print(finding) }
        print("\(chosen.count) of \(pages.all.count) pages looked at, \(check.findings.count) findings")
        if !check.findings.isEmpty { throw ExitCode.failure }
    }
}
