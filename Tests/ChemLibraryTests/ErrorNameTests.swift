import ChemLibrary
import TestSupport
import Testing

/// Whoever reads an error in a log sees which of many channels, promises and time limits it is of.
@Suite("Errors name what they are of", .endsInTime)
struct ErrorNameTests {
    private func text(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [0, 3, nil])
    func channel(capacity: Int?) async throws {
        let channel = capacity.map { JoinChannel<Int>(capacity: $0, name: "orders") } ?? .unbounded(name: "orders")
        channel.close()
        #expect(await text { try await channel.send(1) } == "'orders' is closed: nothing can be sent.")
    }

    @Test func senderThatWaits() async throws {
        let channel = JoinChannel<Int>(capacity: 0, name: "orders")
        let sender = Task { await text { try await channel.send(1) } }
        let receiver = Task { try await channel.receive() }
        #expect(await sender.value == "no error")
        #expect(try await receiver.value == 1)
        let late = Task { await text { try await channel.send(2) } }
        await yield(20)
        channel.close()
        #expect(await late.value == "'orders' is closed: nothing can be sent.")
        #expect(ChannelClosed("orders") != ChannelClosed() && ChannelClosed().channel == "channel")
    }

    @Test func pipeline() async throws {
        let pipeline = Pipeline { (number: Int) in number + 1 }.start(name: "thumbnails")
        try await pipeline.finish()
        #expect(await text { try await pipeline.send(1) } == "'thumbnails' is finished: nothing can be sent.")
    }

    @Test func promise() async throws {
        let future = JoinPromise<Int>(name: "login").future
        #expect(
            await text { _ = try await future.value() } == "The last copy of 'login' is gone, and nothing was set."
        )
    }

    @Test(arguments: [Duration.zero, .milliseconds(2)])
    func timeLimit(limit: Duration) async throws {
        let line = UInt(#line + 2)
        let message = await text {
            try await withTimeout(limit) { try await Task.sleep(for: .seconds(3_600)) }
        }
        let what = "after \(limit) the body of withTimeout (\(#fileID):\(line)) hadn't ended"
        #expect(message == "The time was up: \(what).")
    }
}
