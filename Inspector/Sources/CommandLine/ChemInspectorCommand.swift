import ArgumentParser
import ChemInspector
import Foundation

@main
struct ChemInspectorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chem-inspector",
        abstract: "Shows what the chemistry of running programs does, and why it is stuck.",
        discussion: """
            Programs publish a machine with machine.publish(). The page is served to this computer only; its address \
            has a token in it, without which nothing is told.
            """
    )

    @Option(help: "The port of the page; 0 for any that is free.")
    var port = 0

    @Option(
        help: """
            The folder in which programs publish. (default: $CHEM_INSPECTOR_DIR, or else \
            $XDG_RUNTIME_DIR/chem-inspector, or else $TMPDIR/chem-inspector-UID)
            """
    )
    var directory: String?

    @Argument(help: "Recordings, or sockets of programs, to look at besides.")
    var files: [String] = []

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("\(port) is no port: they go from 0 to 65535.") }
    }

    func run() async throws {
        let folder =
            directory.map { SocketFolder(path: $0) }
            ?? SocketFolder(environment: ProcessInfo.processInfo.environment)
        if directory != nil, !folder.isFolder { throw fail("\(folder.path) is no folder") }
        var sources: [Source] = []
        for file in files {
            do throws(Source.Failure) {
                sources.append(try Source(path: file))
            } catch {
                throw fail(error.description)
            }
        }
        let server = InspectorServer(port: port, folder: folder, sources: sources)
        do {
            try await server.run(endsOnSignals: true) { port in
                Self.write("http://127.0.0.1:\(port)/#\(server.token)\n", .standardOutput)
            }
        } catch {
            throw fail("port \(port) can't be opened: \(error)")
        }
    }

    private func fail(_ reason: String) -> ExitCode {
        Self.write("chem-inspector: \(reason)\n", .standardError)
        return ExitCode(2)
    }

    /// Unlike `print`, at once: whoever has started us through a pipe waits for the address.
    private static func write(_ text: String, _ file: FileHandle) { file.write(Data(text.utf8)) }
}
