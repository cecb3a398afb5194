/// The memory of what is fixed when a chemistry is: one block for the reactions, for what the molecules know about the
/// reactions that consume them, and for what the matching knows about each.
@usableFromInline
struct SealedBlock: ~Copyable {
    /// Nil for a chemistry that isn't fixed yet.
    @usableFromInline let memory: UnsafeMutableRawPointer?

    /// Where everything is in it.
    struct Places {
        let records: UnsafeMutablePointer<ReactionRecord>
        let uses: UnsafeMutablePointer<Matching.Use>
        /// Room for `Matching.seal`.
        let matching: UnsafeMutableRawPointer
    }

    /// No memory.
    init() {
        memory = nil
    }

    /// Memory for so many reactions, and for all that molecules know about them.
    init(reactions: Int, uses: Int) {
        memory = UnsafeMutableRawPointer.allocate(
            byteCount: Self.matchingOffset(reactions, uses) + Matching.byteCount(reactions: reactions),
            alignment: MemoryLayout<ReactionRecord>.alignment
        )
    }

    /// Where everything is, given the numbers for which it was made.
    func places(reactions: Int, uses: Int) -> Places {
        guard let memory else { fatalError("ChemActors: no memory for what is fixed") }
        let behind = memory + Self.usesOffset(reactions)
        return Places(
            records: memory.bindMemory(to: ReactionRecord.self, capacity: reactions),
            uses: behind.bindMemory(to: Matching.Use.self, capacity: uses),
            matching: memory + Self.matchingOffset(reactions, uses)
        )
    }

    // What needs the strictest alignment comes first.
    private static func usesOffset(_ reactions: Int) -> Int { reactions * MemoryLayout<ReactionRecord>.stride }

    private static func matchingOffset(_ reactions: Int, _ uses: Int) -> Int {
        usesOffset(reactions) + uses * MemoryLayout<Matching.Use>.stride
    }

    @inlinable
    deinit {
        memory?.deallocate()
    }
}
