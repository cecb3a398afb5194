import Hummingbird
import Logging
import NIOCore

/// Serves the page, on the loopback interface only.
package struct InspectorServer: Sendable {
    /// What the page needs for its requests.
    package let token = AccessToken()
    private let port: Int
    private let limits: Limits
    private let directory: ProgramDirectory
    private let folder: SocketFolder?

    /// - Parameters:
    ///   - port: Where to serve; zero for any that is free.
    ///   - folder: Where programs publish their machines.
    ///   - sources: What is shown besides.
    ///   - limits: How long programs are waited for, and how much they may say.
    package init(port: Int, folder: SocketFolder?, sources: [Source], limits: Limits = Limits()) {
        self.port = port
        self.limits = limits
        self.folder = folder
        directory = ProgramDirectory(folder: folder, sources: sources, limits: limits)
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - endsOnSignals: Whether `SIGINT` and `SIGTERM` end it too, rather than the program.
    ///   - onRunning: Told the port, once requests are answered.
    /// - Throws: Why it can't serve.
    package func run(endsOnSignals: Bool, onRunning: @escaping @Sendable (Int) async -> Void) async throws {
        var logger = Logger(label: "chem-inspector")
        logger.logLevel = .critical
        let application = Application(
            responder: InspectorResponder(token: token, directory: directory, folder: folder?.path),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        do {
            if endsOnSignals {
                try await application.runService()
            } else {
                try await application.run()
            }
        } catch {
            await directory.close()
            throw error
        }
        await directory.close()
    }
}
