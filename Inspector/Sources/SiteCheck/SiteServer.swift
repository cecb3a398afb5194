import Foundation
import Hummingbird
import Logging

/// Serves a folder to this computer.
struct SiteServer {
    let folder: String

    /// Serves until it is cancelled.
    ///
    /// - Parameters:
    ///   - port: Where; 0 is a free port.
    ///   - onRunning: Is told the port.
    /// - Throws: What keeps it from serving.
    func run(port: Int, onRunning: @escaping @Sendable (Int) async -> Void) async throws {
        var logger = Logger(label: "site")
        // Browsers hang up as they like.
        logger.logLevel = .critical
        let router = Router()
        router.add(middleware: FileMiddleware(folder, searchForIndexHtml: true, logger: logger))
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        try await application.run()
    }
}
