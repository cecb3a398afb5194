import ChemActors
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// What guards leave behind.
@Suite(.endsInTime)
struct GuardMemoryTests {
    /// Has the allocator give back large blocks. In a process of its own, where nobody else takes memory.
    private static func giveBackMemory() {
        #if canImport(Glibc)
            // `mallopt(M_MMAP_THRESHOLD, …)`: otherwise the allocator keeps blocks that are as large as the largest
            // that was given back.
            if let mallopt = dlsym(nil, "mallopt") {
                _ = unsafeBitCast(mallopt, to: (@convention(c) (CInt, CInt) -> CInt).self)(-3, 128 << 10)
            }
        #endif
    }

    @Test("What comes and goes untried, since a state doesn't allow a search, leaves nothing behind")
    func untried() async throws {
        await #expect(processExitsWith: .success) {
            Self.giveBackMemory()
            let (a, b, take) = Join.define("closed") { join in
                let a = join.slow("a", of: Int.self)
                let b = join.slow("b", of: Int.self)
                let take = join.fast("take")
                let isOpen = join.state("open", false)
                join.when(a, b, where: <, updating: isOpen.while(\.self)) { _, _, _ in }
                join.answer(take, with: a) { _, _ in }
                return (a, b, take)
            }
            b(1)
            func run(_ count: Int) async throws {
                for number in 0..<count {
                    a(number)
                    try await take()
                }
            }
            try await run(1000)
            let before = residentBytes()
            try await run(heavy(1_000_000, debug: 200_000))
            let left = residentBytes() - before
            precondition(left < heavy(8_000_000, debug: 2_000_000), "\(left) bytes are left")
        }
    }

    @Test("Keys that come and go leave nothing behind")
    func memory() async throws {
        await #expect(processExitsWith: .success) {
            Self.giveBackMemory()
            let (order, payment, definition) = Join.define("shop") { join in
                let order = join.slow("order", of: (id: Int, item: String).self)
                let payment = join.slow("payment", of: (orderID: Int, amount: Int).self)
                join.when(order, payment, matching: \.id, \.orderID) { _, _ in }
                return (order, payment, join.definition)
            }
            func run(_ count: Int) async throws {
                for id in 0..<count { order((id, "")) }
                try await definition.quiescence()
                for id in 0..<count { payment((id, id)) }
                try await definition.quiescence()
            }
            try await run(1000)
            let before = residentBytes()
            try await run(heavy(1_000_000, debug: 50_000))
            precondition(definition.snapshot().molecules.isEmpty)
            let left = residentBytes() - before
            precondition(left < heavy(30_000_000, debug: 15_000_000), "\(left) bytes are left")
        }
    }
}
