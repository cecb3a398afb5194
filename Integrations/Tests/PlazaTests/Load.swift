import NIOConcurrencyHelpers

@testable import Plaza

/// Clients that go on until the service is shut down, and what they have been told.
final class Load: Sendable {
    private struct Told {
        var accepted: [Int] = []
        var acknowledged: [Message] = []
        var heard: [[Message]] = []
        var cut = 0
    }

    // Not a `Mutex`, in which ThreadSanitizer doesn't see everything.
    private let told = NIOLockedValueBox(Told())

    /// The jobs that were accepted.
    var accepted: [Int] { told.withLockedValue { $0.accepted } }
    /// The messages that were acknowledged.
    var acknowledged: [Message] { told.withLockedValue { $0.acknowledged } }
    /// What each listener has heard.
    var heard: [[Message]] { told.withLockedValue { $0.heard } }
    /// How many answers have ended in the middle.
    var cut: Int { told.withLockedValue { $0.cut } }

    /// Orders one job after the other.
    func order(_ client: Int, _ served: Served) async throws {
        var number = client * 1_000_000
        try await untilShutDown(served) { connection in
            number += 1
            let answer = try await connection.ask("/jobs", post: #"{"below":\#(number)}"#)
            if answer.status == 202 { self.told.withLockedValue { [number] in $0.accepted.append(number) } }
            return answer
        }
    }

    /// Says one thing after the other.
    func talk(_ client: Int, _ served: Served) async throws {
        var number = 0
        try await untilShutDown(served) { connection in
            number += 1
            let body = #"{"author":"\#(client)","text":"\#(number)"}"#
            let answer = try await connection.ask("/rooms/tea/messages", post: body)
            if answer.status == 201 {
                let message: Message = try answer.decoded()
                self.told.withLockedValue { $0.acknowledged.append(message) }
            }
            return answer
        }
    }

    /// Listens to what is said.
    func listen(_ served: Served) async throws {
        var (heard, next) = ([Message](), 1)
        try await untilShutDown(served) { connection in
            let answer = try await connection.ask("/rooms/tea/messages?from=\(next)&wait=60")
            let messages: Messages = try answer.decoded()
            heard += messages.messages
            next = messages.next
            return answer
        }
        told.withLockedValue { [heard] in $0.heard.append(heard) }
    }

    /// Asks again and again, over one connection as long as the server keeps it, until nobody listens any more.
    private func untilShutDown(_ served: Served, _ ask: (inout Connection) async throws -> Answer) async throws {
        while true {
            do {
                try await Connection.open(served.port) { connection in
                    while try await ask(&connection).header("Connection") != "close" {}
                }
            } catch NoAnswer.refused {
                return
            } catch NoAnswer.ended {
                continue  // the server has ended a connection on which it has answered everything
            } catch NoAnswer.isCut {
                told.withLockedValue { $0.cut += 1 }
            }
        }
    }
}
