import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// A response that a browser neither keeps, nor shows in a frame, nor hands to another origin.
    static func plain(_ status: HTTPResponse.Status, type: String, _ body: ByteBuffer) -> Response {
        var headers: HTTPFields = [
            .contentType: type,
            .contentLength: "\(body.readableBytes)",
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: policy,
        ]
        headers[.referrerPolicy] = "no-referrer"
        headers[.crossOriginResourcePolicy] = "same-origin"
        headers[.crossOriginOpenerPolicy] = "same-origin"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// JSON that is there already.
    static func json(_ body: ByteBuffer, _ status: HTTPResponse.Status = .ok) -> Response {
        plain(status, type: "application/json", body)
    }

    /// A value as JSON.
    static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        json(ByteBuffer(bytes: try JSONEncoder().encode(value)), status)
    }

    /// `{"error": …}`
    static func error(_ text: String, _ status: HTTPResponse.Status) -> Response {
        let body = (try? JSONEncoder().encode(ErrorAnswer(error: text))) ?? Data("{}".utf8)
        return json(ByteBuffer(bytes: body), status)
    }

    /// Everything comes from this server, and nothing is inline: names from inspected programs can't become scripts.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """
}

extension HTTPField.Name {
    static let referrerPolicy = Self("Referrer-Policy")!
    static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
    static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
}

/// What an answer is that can't be given, here and on the sockets of programs.
struct ErrorAnswer: Codable {
    let error: String
}
