/// A fast molecule: its memory, with the ways to answer a call at once, and its waiting calls.
@usableFromInline
final class FastSlot<Argument: Sendable, Answer: Sendable>: CallSlot, @unchecked Sendable {
    // Checked by hand: what `storage` points to is touched in the soup.
    @usableFromInline let storage: UnsafeMutablePointer<FastStorage<Argument, Answer>>

    init(name: String, location: SourceLocation, soup: SoupReference, isOldestFirst: Bool) {
        storage = .allocate(capacity: 1)
        let answersNames = Exports.mayBeNames(Answer.self)
        super.init(
            name: name,
            location: location,
            soup: soup,
            isOldestFirst: isOldestFirst,
            answersNames: answersNames
        )
        storage.initialize(
            to: FastStorage(
                header: SlotHeader(
                    soup: soup,
                    isOldestFirst: isOldestFirst,
                    carriesNames: Exports.mayBeNames(Argument.self),
                    slot: self
                ),
                answersNames: answersNames
            )
        )
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
        waiting = withUnsafeMutablePointer(to: &storage.pointee.waiting) { $0 }
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    override func forbidInline() {
        storage.pointee.forbidsInline = true
    }

    override func removeClosures() {
        storage.removeAnswers()
    }
}
