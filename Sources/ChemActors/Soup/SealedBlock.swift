/// The memory of what is fixed when a chemistry is: one block for the reactions, for what the matching knows about each,
/// and for what the molecules know about the reactions that consume them.
@usableFromInline
struct SealedBlock: ~Copyable {
    @usableFromInline let records: UnsafeMutablePointer<ReactionRecord>
    let uses: UnsafeMutablePointer<Matching.Use>
    /// Room for `Matching.seal`.
    let matching: UnsafeMutableRawPointer
    @usableFromInline let isAllocated: Bool

    /// No memory, for a chemistry that isn't fixed yet. Nothing in it is read.
    static var none: SealedBlock { SealedBlock() }

    private init() {
        matching = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
        records = matching.assumingMemoryBound(to: ReactionRecord.self)
        uses = matching.assumingMemoryBound(to: Matching.Use.self)
        isAllocated = false
    }

    init(reactions: Int, uses useCount: Int) {
        // What needs the strictest alignment comes first.
        let usesAt = reactions * MemoryLayout<ReactionRecord>.stride
        let matchingAt = usesAt + useCount * MemoryLayout<Matching.Use>.stride
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: matchingAt + Matching.byteCount(reactions: reactions),
            alignment: MemoryLayout<ReactionRecord>.alignment
        )
        records = block.bindMemory(to: ReactionRecord.self, capacity: reactions)
        uses = (block + usesAt).bindMemory(to: Matching.Use.self, capacity: useCount)
        matching = block + matchingAt
        isAllocated = true
    }

    @inlinable
    deinit {
        if isAllocated { UnsafeMutableRawPointer(records).deallocate() }
    }
}
