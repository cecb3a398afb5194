import ChemActors
import ChemLibrary
import ChemTesting
import Testing

/// What a recipe runs in a task of its own belongs to the run as well.
@Suite("Fetches in explored tests")
struct FetchTests {
    @Test("A fetch has the clock of the run, also for its time limits")
    func clock() async throws {
        try await explore(.random(50)) { _ in
            let refresh = SharedRefresh<Int> {
                try await withTimeout(.seconds(5)) {
                    try await Task.sleep(for: .seconds(1))
                    try await MachineClock.machine.sleep(for: .seconds(1))
                    return 1
                }
            }
            async let other = refresh.value()
            let values = [try await refresh.value(), try await other]
            #expect(values == [1, 1])
        }
    }
}
