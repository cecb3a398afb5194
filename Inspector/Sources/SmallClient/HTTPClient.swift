package import NIOCore
package import NIOHTTP1
import NIOPosix

/// What a server on this computer has answered.
package struct HTTPAnswer: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: ByteBuffer
}

/// Asks servers on this computer, over a connection for each question: for tests and for `browser-check`.
package enum HTTPClient {
    package struct NoAnswer: Error {}

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Asks, and waits for the whole answer.
    package static func ask(
        _ method: HTTPMethod = .GET,
        port: Int,
        _ path: String,
        headers: HTTPHeaders = [:],
        body: String? = nil
    ) async throws -> HTTPAnswer {
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        var headers = headers
        if headers["Host"].isEmpty { headers.add(name: "Host", value: "127.0.0.1:\(port)") }
        headers.add(name: "Content-Length", value: "\(body?.utf8.count ?? 0)")
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(.head(head))
            if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(string: body)))) }
            try await outbound.write(.end(nil))
            var answer: HTTPResponseHead?
            var bytes = ByteBuffer()
            for try await part in inbound {
                switch part {
                case .head(let head): answer = head
                case .body(var more): bytes.writeBuffer(&more)
                case .end:
                    guard let answer else { throw NoAnswer() }
                    return HTTPAnswer(status: Int(answer.status.code), headers: answer.headers, body: bytes)
                }
            }
            throw NoAnswer()
        }
    }
}
