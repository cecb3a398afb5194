// Together with Platform+Sockets.swift the only file that names a platform's C library.

#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

#if !canImport(Darwin)
    import Dispatch
    import Foundation
#endif

/// What the rest of the package needs from the operating system.
@usableFromInline
package enum Platform {
    // MARK: Threads

    /// Lets another thread have this one's core.
    @inlinable
    package static func yieldThread() {
        sched_yield()
    }

    /// Puts this thread to sleep.
    @inlinable
    package static func sleepThread(microseconds: UInt32) {
        usleep(microseconds)
    }

    /// Identifies this thread as long as it exists.
    package static var threadIdentity: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    /// Where the variable or function of that name is, or nil if no library of the process has one.
    package static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(dlopen(nil, RTLD_LAZY), name) }

    /// Whether a debugger watches this process.
    package static var isBeingDebugged: Bool {
        #if canImport(Darwin)
            var info = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.stride
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
            let result = unsafe sysctl(&name, UInt32(name.count), &info, &size, nil, 0)
            return result == 0 && info.kp_proc.p_flag & P_TRACED != 0
        #else
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            return status?.contains("TracerPid:\t") == true && status?.contains("TracerPid:\t0\n") == false
        #endif
    }

    @usableFromInline
    package typealias ThreadKey = pthread_key_t

    /// Makes a key under which every thread keeps a pointer of its own, nil at first. Keys are few, and never freed.
    ///
    /// With `isOwner`, the memory that a thread has there is freed when the thread ends: it comes from `allocate`, and
    /// nothing in it has to be released.
    package static func makeThreadKey(isOwner: Bool = false) -> ThreadKey {
        var key = pthread_key_t()
        guard pthread_key_create(&key, isOwner ? { free($0) } : nil) == 0 else {
            fatalError("ChemActors: the system has no thread-local key left")
        }
        return key
    }

    @inlinable
    @inline(__always)
    package static func threadValue(of key: ThreadKey) -> UnsafeMutableRawPointer? {
        pthread_getspecific(key)
    }

    @inlinable
    @inline(__always)
    package static func setThreadValue(of key: ThreadKey, to value: UnsafeRawPointer?) {
        pthread_setspecific(key, value)
    }

    /// Whether this thread runs the main actor's code.
    ///
    /// On Apple platforms that is the main thread. On Linux the main thread ends once the main task has suspended, and
    /// other threads serve the main queue: from then on, the queue tells. Foundation knows the main thread, and nothing
    /// smaller in the toolchain does.
    package static var isOnMainThread: Bool {
        #if canImport(Darwin)
            pthread_main_np() != 0
        #else
            Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) != nil
        #endif
    }

    #if !canImport(Darwin)
        private static let mainQueueKey: DispatchSpecificKey<Void> = {
            let key = DispatchSpecificKey<Void>()
            DispatchQueue.main.setSpecific(key: key, value: ())
            return key
        }()
    #endif

    // MARK: Time

    /// The time of the clock that never goes back, in nanoseconds since some moment before the process began.
    package static var monotonicNanoseconds: UInt64 { nanoseconds(CLOCK_MONOTONIC) }

    /// The same in seconds.
    package static var monotonicSeconds: Double { Double(monotonicNanoseconds) / 1e9 }

    /// As `monotonicNanoseconds`, but only as exact as the timer interrupt where that makes reading it faster.
    package static var coarseNanoseconds: UInt64 {
        #if os(Linux)
            nanoseconds(CLOCK_MONOTONIC_COARSE)
        #else
            monotonicNanoseconds
        #endif
    }

    /// The wall-clock time, in nanoseconds since the beginning of 1970, UTC. It may be set back.
    package static var wallNanoseconds: UInt64 { nanoseconds(CLOCK_REALTIME) }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }

    // MARK: The rest

    /// Resizes a block as `realloc` does. The allocator may extend a large block without copying it. Nil if there is no
    /// memory.
    package static func resize(_ block: UnsafeMutableRawPointer?, to bytes: Int) -> UnsafeMutableRawPointer? {
        realloc(block, bytes)
    }

    /// A block to be written from its beginning to its end. Where the system has large pages that have to be asked for,
    /// a large block takes them: each costs one interruption, where five hundred small ones cost as many.
    package static func allocateLog(bytes: Int, alignment: Int) -> UnsafeMutableRawPointer {
        #if os(Linux)
            let largePage = 2 << 20
            guard bytes >= largePage, bytes.isMultiple(of: largePage) else {
                return .allocate(byteCount: bytes, alignment: alignment)
            }
            let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: largePage)
            // A system that has none says so, and all is as before.
            _ = madvise(block, bytes, Int32(MADV_HUGEPAGE))
            return block
        #else
            return .allocate(byteCount: bytes, alignment: alignment)
        #endif
    }

    /// The value of an environment variable.
    package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// How many cores are online, at least 1.
    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Why the system refuses something.
    package struct FileError: Error {
        /// Its error number.
        package let code: Int32
    }

    /// Writes a file, which is made or replaced. Returns why that isn't possible, or nil.
    package static func writeFile(_ bytes: [UInt8], to path: String) -> FileError? {
        guard let file = fopen(path, "wb") else { return FileError(code: errno) }
        let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        let code = errno
        let isClosed = fclose(file) == 0
        if written < bytes.count { return FileError(code: code) }
        return isClosed ? nil : FileError(code: errno)
    }

    /// Reads a file. Of one that doesn't begin with `magic` only the beginning, since it may have no end.
    package static func readFile(_ path: String, beginningWith magic: [UInt8]) -> Result<[UInt8], FileError> {
        guard let file = fopen(path, "rb") else { return .failure(FileError(code: errno)) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        let size = 1 << 16
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                count = fread(buffer.baseAddress, 1, size, file)
                initialized = count
            }
            bytes += chunk
            if count < size || !bytes.starts(with: magic) {
                return ferror(file) == 0 ? .success(bytes) : .failure(FileError(code: errno))
            }
        }
    }

    /// Writes `text` to standard error in one call, so that lines from several threads don't mix.
    package static func writeToStandardError(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
