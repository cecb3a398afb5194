import NIOCore
import NIOPosix

/// Listens at a socket as a program does, and gives one answer to everything, or none.
func withStub(at path: String, answering answer: String?, _ body: () async throws -> Void) async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(StubAnswer(text: answer))
            }
        }
        .bind(unixDomainSocketPath: path).get()
    do {
        try await body()
    } catch {
        try? await server.close()
        throw error
    }
    try await server.close()
}

private final class StubAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String?

    init(text: String?) { self.text = text }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let text else { return }
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}
