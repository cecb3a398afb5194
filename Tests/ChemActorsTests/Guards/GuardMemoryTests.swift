import ChemActors
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// What guards leave behind.
@Suite(.endsInTime)
struct GuardMemoryTests {
    @Test("Keys that come and go leave nothing behind")
    func memory() async throws {
        // In a process of its own, where nobody else takes memory.
        await #expect(processExitsWith: .success) {
            #if canImport(Glibc)
                // `mallopt(M_MMAP_THRESHOLD, …)`: otherwise the allocator keeps blocks that are as large as the largest
                // that was given back.
                if let mallopt = dlsym(nil, "mallopt") {
                    _ = unsafeBitCast(mallopt, to: (@convention(c) (CInt, CInt) -> CInt).self)(-3, 128 << 10)
                }
            #endif
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
