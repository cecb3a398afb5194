import ChemInspector
import NIOCore
import NIOEmbedded
import Testing

/// Lines of a stream, and the folder of the sockets.
struct PartsTests {
    @Test func linesAreCutWhereverTheStreamIs() throws {
        for size in 1...7 {
            let channel = EmbeddedChannel()
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder(limit: 8)))
            var rest = ByteBuffer(string: "one\n\ntwo two\nthree345\nrest")
            while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                try channel.writeInbound(part)
            }
            for line in ["one", "", "two two", "three345"] {
                let read = try channel.readInbound(as: ByteBuffer.self)
                #expect(read == ByteBuffer(string: line))
            }
            let nothing = try channel.readInbound(as: ByteBuffer.self)
            #expect(nothing == nil)
            // What has no end is no answer.
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test(arguments: ["123456789\n", "123456789"]) func aLineThatIsTooLongEndsIt(line: String) throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder(limit: 8)))
        #expect(throws: LineDecoder.LineIsTooLong.self) { try channel.writeInbound(ByteBuffer(string: line)) }
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func theFolderIsTheOneInWhichProgramsPublish() {
        let all = ["CHEM_INSPECTOR_DIR": "a", "XDG_RUNTIME_DIR": "b", "TMPDIR": "c/"]
        #expect(SocketFolder(environment: all).path == "a")
        #expect(
            SocketFolder(environment: ["CHEM_INSPECTOR_DIR": "", "XDG_RUNTIME_DIR": "b"]).path == "b/chem-inspector"
        )
        #expect(SocketFolder(environment: ["TMPDIR": "c/"]).path.wholeMatch(of: /c\/chem-inspector-[0-9]+/) != nil)
    }
}
