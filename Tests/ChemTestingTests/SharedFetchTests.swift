import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization
import TestSupport
import Testing

/// Callers who share a fetch and wait for it no longer than they want, in virtual time.
@Suite("A shared fetch with time limits", .endsInTime)
struct SharedFetchTests {
    @Test("Whoever's time is up leaves the others, and the last one to leave cancels the fetch")
    func leaving() async throws {
        try await explore(.random(200)) { _ in
            let cancelled = Mutex(0)
            let clock = MachineClock()  // of the run: the fetch has a task of its own
            let refresh = SharedRefresh<Int> {
                do { try await clock.sleep(for: .seconds(60)) } catch {
                    cancelled.withLock { $0 += 1 }
                    throw error
                }
                return 1
            }
            async let patient = refresh.value(within: .seconds(61))
            for limit in [Duration.seconds(59), .zero, .seconds(-1)] {
                let error = await #expect(throws: CallError.self) { try await refresh.value(within: limit) }
                #expect(error?.code == .timedOut)
            }
            #expect(try await patient == 1)
            #expect(cancelled.withLock { $0 } == 0)

            await #expect(throws: CallError.self) { try await refresh.value(within: .seconds(1)) }
            try await clock.sleep(for: .seconds(1))
            #expect(cancelled.withLock { $0 } == 1)
        }
    }
}
