import ChemActors
import Synchronization
import Testing

@testable import Plaza

@Suite(.timeLimit(.minutes(20)))
struct RoomTests {
    @Test func messagesAreReadAgain() async throws {
        try await Served.run { served in
            let answer = try await served.say("hello", in: "tea")
            #expect(answer.status == 201)
            #expect(answer.header("Location") == "/rooms/tea/messages?from=1")
            #expect(try answer.decoded() == Message(number: 1, author: "Ada", text: "hello"))
            #expect(try await served.say("again", in: "tea").decoded(as: Message.self).number == 2)

            let all = try await served.ask("/rooms/tea/messages")
            #expect(all.status == 200)
            #expect(try all.decoded(as: Messages.self).messages.map(\.text) == ["hello", "again"])
            let rest: Messages = try await served.ask("/rooms/tea/messages?from=2").decoded()
            #expect(rest.messages.map(\.text) == ["again"])
            #expect(rest.next == 3)
            #expect(try await served.ask("/rooms/cellar/messages").decoded(as: Messages.self).messages.isEmpty)
        }
    }

    @Test func readersWaitForWhatIsPostedLater() async throws {
        try await Served.run { served in
            async let one = served.ask("/rooms/tea/messages?from=1&wait=60")
            async let other = served.ask("/rooms/tea/messages?wait=60")
            async let third = served.ask("/rooms/tea/messages?from=2&wait=60")
            try await served.waitingCalls(3)
            _ = try await served.say("first", in: "tea")
            #expect(try await one.decoded(as: Messages.self).messages.map(\.text) == ["first"])
            #expect(try await other.decoded(as: Messages.self).messages.map(\.text) == ["first"])
            try await served.waitingCalls(1)
            _ = try await served.say("second", in: "tea")
            #expect(try await third.decoded(as: Messages.self).messages.map(\.text) == ["second"])
        }
    }

    @Test func aReaderGivesUpInTime() async throws {
        try await Served.run { served in
            let answer = try await served.ask("/rooms/tea/messages?from=7&wait=1")
            #expect(answer.status == 200)
            #expect(answer.header("Connection") == "close")
            let messages: Messages = try answer.decoded()
            #expect(messages.messages.isEmpty)
            #expect(messages.next == 7)
        }
    }

    @Test func aReaderThatIsGoneIsWithdrawn() async throws {
        try await Served.run { served in
            let readers = (1...5).map { _ in Task { try await served.ask("/rooms/tea/messages?wait=60") } }
            try await served.waitingCalls(5)
            for reader in readers.dropFirst() { reader.cancel() }
            try await served.waitingCalls(1)
            _ = try await served.say("hello", in: "tea")
            #expect(try await readers[0].value.status == 200)
            for reader in readers.dropFirst() {
                await #expect(throws: CancellationError.self) { try await reader.value }
            }
        }
    }

    @Test func aRoomKeepsItsLastMessages() async throws {
        var limits = Limits()
        limits.messagesInRoom = 3
        try await Served.run(limits: limits) { served in
            for number in 1...5 { _ = try await served.say("\(number)", in: "tea") }
            let messages: Messages = try await served.ask("/rooms/tea/messages?from=1").decoded()
            #expect(messages.messages.map(\.number) == [3, 4, 5])
            #expect(messages.next == 6)
        }
    }

    /// As long as somebody is there, a room stays. A room that has been empty for long goes when another one is made.
    @Test func emptyRoomsGo() async throws {
        var limits = Limits()
        limits.rooms = 2
        let time = ManualTime()
        try await Served.run(limits: limits, now: { time.now }) { served in
            let reader = Task { try await served.ask("/rooms/used/messages?wait=60") }
            try await served.waitingCalls(1)
            _ = try await served.say("anybody here?", in: "empty")
            let refused = try await served.say("hello", in: "third")
            #expect(refused.status == 503)
            #expect(refused.error == "there are too many rooms")

            // Who has left, has left soon.
            try await until {
                time.advance(by: served.plaza.limits.emptyRoom)
                return try await served.say("hello", in: "third").status == 201
            }
            #expect(try await served.ask("/rooms/used/messages").status == 200)
            #expect(try await served.say("hello", in: "empty").status == 503)
            try await until { served.plaza.machine.rooms == 2 }
            _ = try await served.say("hello", in: "used")
            #expect(try await reader.value.decoded(as: Messages.self).messages.map(\.text) == ["hello"])
        }
    }
}

/// A time that passes when it is told to.
final class ManualTime: Sendable {
    private let time = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { time.withLock(\.self) }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

extension ChemicalMachine {
    /// How many rooms there are.
    fileprivate var rooms: Int {
        census().groups.filter { $0.name == "Room" }.reduce(0) { $0 + $1.definitions }
    }
}
