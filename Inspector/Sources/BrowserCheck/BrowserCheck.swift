import ArgumentParser
import Browsing
import ChemActors
import ChemInspection
import ChemInspector
import Foundation

/// Clicks through the page in a real browser, and keeps pictures of what it saw.
///
///     swift run -c release --package-path Inspector browser-check --pictures PICTURES
///
/// Beside `chem-examples --inspect`, it makes the pictures of the guide:
///
///     swift run -c release --package-path Inspector browser-check --guide Sources/ChemActors/ChemActors.docc/Resources
@main
struct BrowserCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser-check",
        abstract: "Clicks through the inspector's page in headless Chromium."
    )

    @Option(help: "The browser.")
    var browser = Browser.usualPath

    @Option(help: "Its driver.")
    var driver = Browser.usualDriver

    @Option(help: "The port of the driver.")
    var driverPort = 19_515

    @Option(help: "The folder for pictures. Without it, none are kept.")
    var pictures: String?

    @Option(help: "Makes the pictures of the guide in this folder, of the program that is published now.")
    var guide: String?

    func run() async throws {
        if let guide { try await illustrate(guide) } else { try await check() }
    }

    private func illustrate(_ guide: String) async throws {
        let folder = SocketFolder(environment: ProcessInfo.processInfo.environment)
        let server = InspectorServer(port: 0, folder: folder, sources: [])
        try await withPage(of: server) { browser, address in
            try await GuidePictures(browser: browser, address: address, token: "\(server.token)", folder: guide).take()
        }
        print("The pictures are in \(guide).")
    }

    /// Serves the page, and opens the browser.
    private func withPage(
        of server: InspectorServer,
        _ look: (Browser, _ address: String) async throws -> Void
    ) async throws {
        let (ports, open) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run(endsOnSignals: false) { open.yield($0) } }
        defer { serving.cancel() }
        guard let port = await ports.first(where: { _ in true }) else {
            throw Browser.Failure(description: "the page isn't served")
        }
        let browser = try await Browser(driver: driver, browser: browser, port: driverPort)
        do {
            try await look(browser, "http://127.0.0.1:\(port)/")
        } catch {
            if let pictures { try? await browser.screenshot("\(pictures)/failure.png") }
            await browser.quit()
            throw error
        }
        await browser.quit()
    }

    private func check() async throws {
        let folder = NSTemporaryDirectory() + "/browser-check-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let pictures { try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true) }

        let workshop = Workshop()
        let publication = try workshop.machine.publish(as: "workshop", in: folder)
        let recording = "\(folder)/workshop.chemrec"
        workshop.work()
        try workshop.machine.recording().write(to: recording)
        let server = InspectorServer(
            port: 0,
            folder: SocketFolder(path: folder),
            sources: [try Source(path: recording)]
        )
        let working = Task {
            while !Task.isCancelled {
                workshop.work()
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        defer { working.cancel() }
        try await withPage(of: server) { browser, address in
            let tour = Tour(
                browser: browser,
                address: address,
                token: "\(server.token)",
                program: URL(fileURLWithPath: publication.path).deletingPathExtension().lastPathComponent,
                pictures: pictures
            )
            try await tour.walk { publication.end() }
        }
        print("The page does what it should.")
    }
}
