/// Measures the streams and the mall of ChemLibrary against OpenCombine, swift-async-algorithms and `AsyncStream`.
@main
struct ChemPeers {
    static func main() async { await Command.run(CommandLine.arguments.dropFirst()) }
}
