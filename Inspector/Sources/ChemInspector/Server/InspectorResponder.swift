import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers the requests of the page.
struct InspectorResponder: HTTPResponder {
    typealias Context = InspectorContext

    /// What `GET /api/programs` says.
    private struct List: Encodable {
        let directory: String?
        let programs: [ProgramDirectory.Entry]
    }

    let token: AccessToken
    let directory: ProgramDirectory
    /// Where programs are looked for, for the page to say so.
    let folder: String?

    func respond(to request: Request, context: InspectorContext) async throws -> Response {
        // A name that somebody else has made to lead here would give its page access.
        // Browsers leave the port out if it's that of HTTP.
        let ports = context.port == 80 ? [":80", ""] : [":\(context.port)"]
        let names = ports.flatMap { ["127.0.0.1\($0)", "localhost\($0)"] }
        guard let authority = request.head.authority, names.contains(authority) else {
            return .error("this server answers only as 127.0.0.1:\(context.port)", .forbidden)
        }
        guard request.method == .get else { return .error("only GET is answered", .methodNotAllowed) }
        if let file = PageFile.all[request.uri.path] {
            return .plain(.ok, type: file.type, ByteBuffer(bytes: file.bytes))
        }
        let path = request.uri.path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        guard path.first == "api" else { return .error("there is nothing at \(request.uri.path)", .notFound) }
        guard token.isShown(by: request.headers[.authorization]) else {
            var response = Response.error("the token is missing or wrong", .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer"
            return response
        }
        if path == ["api", "programs"] {
            return try .json(List(directory: folder, programs: await directory.list()))
        }
        guard path.count >= 4, path[1] == "programs" else {
            return .error("there is nothing at \(request.uri.path)", .notFound)
        }
        switch await directory.program(path[2]) {
        case nil: return .error("there is no program \(path[2])", .notFound)
        case .published(let program): return await relay(Array(path[3...]), to: program)
        case .recorded(let recording):
            return try recording.response(to: Array(path[3...]), request.uri.queryParameters)
        }
    }

    private func relay(_ path: [String], to program: PublishedProgram) async -> Response {
        guard let line = ProgramRequest(path)?.line else {
            return .error("there is nothing at /\(path.joined(separator: "/"))", .notFound)
        }
        do throws(ProgramError) {
            let answer = try await program.ask(line)
            return .json(answer, answer.isError ? .notFound : .ok)
        } catch {
            return switch error {
            case .isGone: .error("the program has ended", .gone)
            case .isSilent: .error("the program doesn't answer", .gatewayTimeout)
            case .isTooLong(let limit): .error("an answer has more than \(limit) bytes", .badGateway)
            case .isGarbage: .error("the program has answered something that is no JSON object", .badGateway)
            case .isUnreachable(let reason): .error("the program can't be reached: \(reason)", .badGateway)
            }
        }
    }
}

extension ByteBuffer {
    /// Whether this is `{"error": …}`. Answers that say more are longer: a name in an error is one that was asked for,
    /// in at most 16 KB, of which a character may take six.
    fileprivate var isError: Bool {
        readableBytes < 128 << 10
            && (try? JSONDecoder().decode(ErrorAnswer.self, from: Data(readableBytesView))) != nil
    }
}
