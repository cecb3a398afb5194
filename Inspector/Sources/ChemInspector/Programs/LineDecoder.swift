package import NIOCore

/// Cuts a stream of bytes into lines.
package struct LineDecoder: ByteToMessageDecoder {
    package typealias InboundOut = ByteBuffer

    /// A line was longer than the limit.
    package struct LineIsTooLong: Error {}

    private let limit: Int
    /// How many bytes of the buffer are known to hold no end of a line, so that each is looked at once.
    private var searched = 0

    /// - Parameter limit: How many bytes a line has at most.
    package init(limit: Int) { self.limit = limit }

    package mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let rest = buffer.readableBytesView.dropFirst(searched)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.readableBytes
            guard searched <= limit else { throw LineIsTooLong() }
            return .needMoreData
        }
        searched = 0
        guard end - buffer.readerIndex <= limit, let line = buffer.readSlice(length: end - buffer.readerIndex) else {
            throw LineIsTooLong()
        }
        buffer.moveReaderIndex(forwardBy: 1)
        context.fireChannelRead(Self.wrapInboundOut(line))
        return .continue
    }

    package mutating func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        // What comes before the end of the stream without the end of a line is no answer.
        buffer.moveReaderIndex(to: buffer.writerIndex)
        return .needMoreData
    }
}
