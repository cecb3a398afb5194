import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// What an idle actor costs.
@Suite("Memory of mailbox actors", .endsInTime)
struct MailboxMemoryTests {
    /// In a process of its own, where nobody else allocates. Sanitizers have memory of their own for each block.
    @Test(.enabled(if: !isSanitized && MailboxMemoryTests.resident() > 0))
    func anIdleActorTakesLessThanElevenKilobytes() async throws {
        let exit = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            func make() -> MailboxActor<Int> { MailboxActor(state: 0) { (sum, n: Int) in sum += n }.start() }
            var actors = (0..<1_000).map { _ in make() }
            try await ChemicalMachine.shared.quiescence()
            let before = MailboxMemoryTests.resident()
            // Idle ones: on one core, their workers come when this task waits.
            for _ in 0..<20 {
                actors += (0..<100).map { _ in make() }
                try await ChemicalMachine.shared.quiescence()
            }
            let each = (MailboxMemoryTests.resident() - before) / 2_000
            withExtendedLifetime(actors) {}
            print("an idle actor takes", each, "bytes")
        }
        let output = String(decoding: try #require(exit).standardOutputContent, as: UTF8.self)
        let bytes = try #require(output.split(separator: " ").lazy.compactMap { Int($0) }.first)
        #expect(bytes < 11_000)
    }

    /// The memory that this process occupies, or 0 where that can't be asked in this way.
    private static func resident() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * 4096
    }

    private static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
        dlsym(dlopen(nil, RTLD_NOW), name) != nil
    }
}
