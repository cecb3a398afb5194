import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// What a server has answered.
struct Answer: Sendable {
    let status: Int
    fileprivate let headers: HTTPHeaders
    let body: Data

    func header(_ name: String) -> String? { headers.first(name: name) }

    func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// What is wrong, if the body says so.
    var error: String? {
        struct Body: Decodable {
            struct Error: Decodable { let message: String }
            let error: Error
        }
        return try? decoded(as: Body.self).error.message
    }
}

/// Why there is no answer.
enum NoAnswer: Error {
    /// The server doesn't listen.
    case refused
    /// The connection has ended before the first byte of the answer.
    case ended
    /// The connection has ended in the middle of the answer.
    case isCut
}

/// A connection over TCP, which is kept alive from one question to the next.
struct Connection {
    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private var inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

    /// Connects, and closes the connection at the end of `body`.
    static func open<Result>(_ port: Int, _ body: (inout Connection) async throws -> Result) async throws -> Result {
        let channel: Channel
        do {
            channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Channel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw NoAnswer.refused
        }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = Connection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&connection)
        }
    }

    mutating func ask(_ path: String, post body: String? = nil) async throws -> Answer {
        // The server may have closed the connection, and yet there may be an answer to read.
        do {
            try await sendHead(path, post: body)
            try await sendRest(body ?? "")
        } catch is CancellationError {
            throw CancellationError()
        } catch {}
        return try await answer()
    }

    /// Sends the beginning of a question.
    func sendHead(_ path: String, post body: String? = nil) async throws {
        let headers: HTTPHeaders = ["Host": "127.0.0.1", "Content-Length": "\(body?.utf8.count ?? 0)"]
        try await outbound.write(
            .head(HTTPRequestHead(version: .http1_1, method: body == nil ? .GET : .POST, uri: path, headers: headers))
        )
    }

    func sendRest(_ body: String) async throws {
        try await outbound.write(.body(.byteBuffer(ByteBuffer(string: body))))
        try await outbound.write(.end(nil))
    }

    mutating func answer() async throws -> Answer {
        var head: HTTPResponseHead?
        var body = Data()
        do {
            while let part = try await inbound.next(isolation: nil) {
                switch part {
                case .head(let new): head = new
                case .body(let more): body.append(contentsOf: more.readableBytesView)
                case .end:
                    guard let head else { throw NoAnswer.isCut }
                    return Answer(status: Int(head.status.code), headers: head.headers, body: body)
                }
            }
        } catch  where !(error is CancellationError) {
            throw head == nil ? NoAnswer.ended : NoAnswer.isCut
        }
        try Task.checkCancellation()
        throw head == nil ? NoAnswer.ended : NoAnswer.isCut
    }
}
