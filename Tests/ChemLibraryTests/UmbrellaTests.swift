import ChemLibrary
import Testing

/// A file that imports the library alone.
@Suite("What the library throws can be caught")
struct UmbrellaTests {
    @Test("A channel's refusal, and a time-out, by their names")
    func errors() async throws {
        let channel = JoinChannel<Int>(capacity: 1)
        channel.close()
        await #expect(throws: ChannelClosed.self) { try await channel.send(1) }
        let semaphore = AsyncSemaphore(permits: 0)
        do {
            try await semaphore.acquire(within: .milliseconds(1))
            Issue.record("there is no permit")
        } catch let error as CallError {
            #expect(error.code == .timedOut)
        }
    }
}
