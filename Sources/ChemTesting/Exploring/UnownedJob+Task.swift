import ChemBase

extension UnownedJob {
    /// Where it is. Only compared with that of one that exists.
    var address: UInt { unsafe unsafeBitCast(self, to: UInt.self) }

    /// What names its task for as long as that exists. Nil if it stands for no task: if one has yielded, or if an actor
    /// goes on with those who wait for it.
    var task: String? {
        let name = description
        return name.hasSuffix("nil)") ? nil : name
    }

    /// Whether it is a task that is cancelled. False if it stands for no task.
    ///
    /// The tasks that are ready aren't running, so nobody can be asked but Swift's runtime, by what its binary
    /// interface says: a job begins with an object's header and two words, and then says of which kind it is. Without
    /// the function, no task is known to be cancelled.
    var isOfCancelledTask: Bool {
        guard let isCancelled = Self.isCancelled, let job = UnsafeRawPointer(bitPattern: address) else { return false }
        let kind = job.load(fromByteOffset: 4 * MemoryLayout<UInt>.size, as: UInt8.self)
        return kind == 0 && isCancelled(job)
    }

    private typealias IsCancelled = @convention(thin) (UnsafeRawPointer) -> Bool

    private static let isCancelled = Platform.symbol("swift_task_isCancelled").map {
        unsafeBitCast($0, to: IsCancelled.self)
    }
}
