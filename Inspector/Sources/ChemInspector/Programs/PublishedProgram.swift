import Foundation
import NIOCore

/// A machine that a program has published: a socket, and the connection to it, which tells at once if the program ends.
actor PublishedProgram {
    /// What doesn't change while a connection lasts.
    struct Identity: Codable, Sendable {
        let program: String
        let process: Int
        let machine: String
    }

    let path: String
    private let limits: Limits
    private var connection: Task<ProgramConnection, any Error>?
    private var identity: Identity?

    init(path: String, limits: Limits) {
        self.path = path
        self.limits = limits
    }

    /// Asks, and returns the answer as it came.
    func ask(_ request: String, within timeout: TimeAmount? = nil) async throws(ProgramError) -> ByteBuffer {
        let answer = try await connected().ask(request, within: timeout ?? limits.timeout)
        guard answer.isObject else { throw .isGarbage }
        return answer
    }

    /// Who it is. An unknown program is waited for as long as `timeout` says.
    func identity(within timeout: TimeAmount) async throws(ProgramError) -> Identity {
        let connection = try await connected()
        if let identity { return identity }
        let answer = try await connection.ask(#"{"get":"overview"}"#, within: timeout)
        guard let identity = try? JSONDecoder().decode(Identity.self, from: Data(answer.readableBytesView)) else {
            throw .isGarbage
        }
        self.identity = identity
        return identity
    }

    func close() async {
        let last = connection
        connection = nil
        try? await last?.value.close()
    }

    private func connected() async throws(ProgramError) -> ProgramConnection {
        if let connection {
            // Several may wait for the same attempt.
            if let known = try? await connection.value, known.isOpen { return known }
            if self.connection == connection { self.connection = nil }
        }
        let attempt: Task<ProgramConnection, any Error>
        if let connection {
            attempt = connection
        } else {
            identity = nil
            let (path, limits) = (path, limits)
            attempt = Task {
                try await ProgramConnection(path: path, limit: limits.answer, timeout: limits.timeout)
            }
            connection = attempt
        }
        do {
            return try await attempt.value
        } catch {
            throw error as? ProgramError ?? .isGone
        }
    }
}

extension ByteBuffer {
    /// Whether this looks like a JSON object. The page reads all of it anyway.
    fileprivate var isObject: Bool {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
        return readableBytesView.first { !blanks.contains($0) } == UInt8(ascii: "{")
            && readableBytesView.last { !blanks.contains($0) } == UInt8(ascii: "}")
    }
}
