import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The memory that this process occupies now.
func residentBytes() -> Int {
    #if os(Linux)
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var (size, resident) = (0, 0)
        withUnsafeMutablePointer(to: &size) { size in
            withUnsafeMutablePointer(to: &resident) { resident in
                _ = withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) }
            }
        }
        return resident * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
        return 0
    #endif
}

/// How many payloads there are.
final class Living: Sendable {
    private let atomic = Atomic<Int>(0)
    var count: Int { atomic.load(ordering: .acquiring) }
    func change(by difference: Int) { atomic.add(difference, ordering: .acquiringAndReleasing) }

    /// Waits until there is none, for a while.
    func areGone(sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = ContinuousClock.now + .seconds(600)
        while count > 0 && ContinuousClock.now < end { await Task.yield() }
        #expect(count == 0, sourceLocation: sourceLocation)
    }
}

/// Something whose end is counted.
final class Payload: Sendable {
    private let living: Living
    private let end: @Sendable () -> Void

    init(_ living: Living, atEnd end: @escaping @Sendable () -> Void = {}) {
        self.living = living
        self.end = end
        living.change(by: 1)
    }

    deinit {
        end()
        living.change(by: -1)
    }
}
