import ArgumentParser
import Browsing
import ChemActors
import ChemInspection
import ChemInspector
import Foundation

/// Clicks through the page in a real browser, and keeps pictures of what it saw.
///
///     swift run --package-path Inspector browser-check --pictures PICTURES
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

    func run() async throws {
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
        let (ports, open) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run(endsOnSignals: false) { open.yield($0) } }
        defer { serving.cancel() }
        guard let port = await ports.first(where: { _ in true }) else { return }
        let working = Task {
            while !Task.isCancelled {
                workshop.work()
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        defer { working.cancel() }

        let browser = try await Browser(driver: driver, browser: browser, port: driverPort)
        do {
            let tour = Tour(
                browser: browser,
                address: "http://127.0.0.1:\(port)/",
                token: "\(server.token)",
                program: URL(fileURLWithPath: publication.path).deletingPathExtension().lastPathComponent,
                pictures: pictures
            )
            try await tour.walk { publication.end() }
        } catch {
            if let pictures { try? await browser.screenshot("\(pictures)/failure.png") }
            await browser.quit()
            throw error
        }
        await browser.quit()
        print("The page does what it should.")
    }
}
