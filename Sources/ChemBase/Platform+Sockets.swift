// Together with Platform.swift the only files that name a platform's C library.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Within `Platform`, these names would be those of its own functions.

private func systemListen(_ descriptor: Int32) -> Bool { listen(descriptor, 128) == 0 }

private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

/// Whoever is too busy to accept at once listens nevertheless.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Bool {
    connect(descriptor, address, size) == 0 || errno == EAGAIN || errno == EINPROGRESS
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}

/// Unix stream sockets, and the folder in which they lie. No call waits but `waitForAny`.
extension Platform {
    /// A descriptor, and what is asked about it.
    package struct Watched {
        package let descriptor: Int32
        /// Whether room for more output is waited for as well.
        package let isFull: Bool
        /// Whether there is input, a client, or an end.
        package fileprivate(set) var isReadable = false
        /// Whether there is room.
        package fileprivate(set) var isWritable = false

        package init(_ descriptor: Int32, isFull: Bool = false) {
            self.descriptor = descriptor
            self.isFull = isFull
        }
    }

    /// Waits until something can be done with one of `descriptors`, or for so long.
    package static func waitForAny(_ descriptors: inout [Watched], milliseconds: Int32? = nil) {
        var polled = descriptors.map {
            // Whoever has not taken its last answer is not listened to.
            pollfd(fd: $0.descriptor, events: Int16($0.isFull ? POLLOUT : POLLIN), revents: 0)
        }
        while poll(&polled, nfds_t(polled.count), milliseconds ?? -1) < 0, errno == EINTR {}
        for (index, result) in polled.enumerated() {
            let hasEnded = result.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            descriptors[index].isReadable = hasEnded || result.revents & Int16(POLLIN) != 0
            descriptors[index].isWritable = result.revents & Int16(POLLOUT) != 0
        }
    }

    /// Makes a socket that listens at `path`. Only this user may connect.
    package static func listen(at path: String) -> Result<Int32, FileError> {
        guard let address = address(path) else { return .failure(FileError(code: ENAMETOOLONG)) }
        guard let descriptor = makeSocket() else { return .failure(FileError(code: errno)) }
        let isBound = withSocketAddress(address) { bind(descriptor, $0, $1) == 0 }
        guard isBound, chmod(path, 0o600) == 0, systemListen(descriptor) else {
            let code = errno
            close(descriptor)
            if isBound { unlink(path) }
            return .failure(FileError(code: code))
        }
        return .success(descriptor)
    }

    /// A socket that is connected with whoever listens at `path`, or nil if nobody does.
    package static func connect(to path: String) -> Int32? {
        guard let address = address(path), let descriptor = makeSocket() else { return nil }
        if withSocketAddress(address, { systemConnect(descriptor, $0, $1) }) { return descriptor }
        close(descriptor)
        return nil
    }

    /// Whether nobody listens at the socket at `path`, as far as that is certain.
    package static func isAbandoned(_ path: String) -> Bool {
        guard let address = address(path), let descriptor = makeSocket() else { return false }
        defer { close(descriptor) }
        return !withSocketAddress(address) { systemConnect(descriptor, $0, $1) } && errno == ECONNREFUSED
    }

    /// Waits until nobody else has locked a folder, and locks it. Closing the descriptor unlocks it. Nil if it can't be
    /// locked.
    package static func lockDirectory(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// The next client of a socket that listens, if there is one.
    package static func accept(from listener: Int32) -> Int32? {
        let descriptor = systemAccept(listener)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        return descriptor
    }

    /// What comes from a socket.
    package enum Received {
        case bytes([UInt8])
        case nothingYet
        case end
    }

    package static func receive(from descriptor: Int32) -> Received {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
            repeat { count = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .nothingYet : .end
    }

    /// Sends as much as there is room for. Returns how many bytes, or nil if nobody is there any more.
    package static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
        while true {
            let count = bytes.withUnsafeBytes { systemSend(descriptor, $0) }
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
            if errno != EINTR { return nil }
        }
    }

    /// Two connected sockets, with which one thread can wake another one.
    package static func makePair() -> Result<(Int32, Int32), FileError> {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamType, 0, &pair) == 0 else { return .failure(FileError(code: errno)) }
        for descriptor in pair { prepare(descriptor) }
        return .success((pair[0], pair[1]))
    }

    package static func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

    package static func removeFile(_ path: String) { unlink(path) }

    /// Makes a folder that only this user may enter, or checks that it is one. Returns why not, or nil.
    package static func makePrivateDirectory(_ path: String) -> FileError? {
        if mkdir(path, 0o700) == 0 { return nil }
        guard errno == EEXIST else { return FileError(code: errno) }
        var status = stat()
        guard lstat(path, &status) == 0 else { return FileError(code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return FileError(code: ENOTDIR) }
        return status.st_uid == getuid() && status.st_mode & 0o077 == 0 ? nil : FileError(code: EPERM)
    }

    /// The number of this user.
    package static var user: UInt32 { getuid() }

    /// The number of this process.
    package static var process: Int32 { getpid() }

    /// How long this thread has had a core, in nanoseconds.
    package static var threadNanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }

    /// What the system says about `error`.
    package static func message(of error: FileError) -> String { String(cString: strerror(error.code)) }

    // MARK: What these share

    #if canImport(Darwin)
        private static let streamType = SOCK_STREAM
    #elseif canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamType = SOCK_STREAM
    #endif

    private static func makeSocket() -> Int32? {
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        return descriptor
    }

    /// Nothing waits, no child process inherits it, and writing to somebody who is gone raises no signal.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Nil if the path is too long for one: about a hundred bytes.
    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let hasRoom = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        return hasRoom ? address : nil
    }

    private static func withSocketAddress<Result>(
        _ address: sockaddr_un,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension Platform.FileError {
    /// Whether a file belongs to somebody else, or is open to others.
    package var isNotOurs: Bool { code == EPERM }

    /// Whether there is something of that name.
    package var isTaken: Bool { code == EADDRINUSE }
}
