import Synchronization

/// A fast molecule: its memory, with the ways to answer a call at once, and its waiting calls.
@usableFromInline
final class FastSlot<Argument: Sendable, Answer: Sendable>: CallSlot {
    // What `storage` points to is touched in the soup.
    @usableFromInline let storage: UnsafeMutablePointer<FastStorage<Argument, Answer>>

    /// What a recorder writes down of an argument. Never changes once the definition has started.
    private var description: (@Sendable (Argument) -> String)?

    /// What guards and parts want, if there are some. An object for the reason given at `SlowSlot.parts`.
    private var wants: Wants?

    private final class Wants {
        /// What guards see of an argument, in the order of their indexes. They don't change once `isLookedAt` is true.
        var keys: [@Sendable (Argument) -> Feature] = []
        /// The parts, and those lists of parts that were made before, which a caller may still be reading.
        var sorters: [CallSorter<Argument, Answer>] = []
    }

    /// The molecule into whose copies a step of the soup turns the calls. One of several, if no guard looks at them.
    private var target: UnsafeMutablePointer<SlowStorage<Argument>>?

    init(
        name: String,
        location: SourceLocation,
        soup: SoupReference,
        isOldestFirst: Bool,
        carriesNames: Bool,
        answersNames: Bool
    ) {
        storage = .make()
        super.init(
            name: name,
            location: location,
            soup: soup,
            isOldestFirst: isOldestFirst,
            answersNames: answersNames
        )
        storage.begin(
            SlotHeader(
                soup: soup,
                kind: .fast,
                isOldestFirst: isOldestFirst,
                carriesNames: carriesNames,
                slot: self
            ),
            answersNames: answersNames
        )
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
        if soup.memory.pointee.isInterruptible { header.pointee.isInspected.store(true, ordering: .relaxed) }
        waiting = withUnsafeMutablePointer(to: &storage.pointee.waiting) { $0 }
    }

    deinit {
        storage.end()
    }

    private func makeWants() -> Wants {
        let wants = self.wants ?? Wants()
        self.wants = wants
        return wants
    }

    func describe(_ description: @escaping @Sendable (Argument) -> String) {
        self.description = description
        isDescribed = true
    }

    /// What a recorder writes down of `argument`.
    func text(of argument: Argument) -> String? { description?(argument) }

    /// Adds an index to which guards look for calls. Called in the soup, while the definition is being made.
    func attach(
        _ index: GuardIndex,
        as member: Int,
        _ feature: @escaping @Sendable (Argument) -> Feature,
        _ entry: borrowing SoupEntry
    ) -> (table: UnsafeMutablePointer<CopyTable>, attachment: Int) {
        makeWants().keys.append(feature)
        return attach(index, as: member, entry)
    }

    /// Adds a part, behind the others. Called in the soup, while the definition is being made.
    func addPart(_ part: CallSorter<Argument, Answer>.Part, _ entry: borrowing SoupEntry) {
        let wants = makeWants()
        let sorter = CallSorter((wants.sorters.last?.parts ?? []) + [part])
        wants.sorters.append(sorter)
        storage.pointee.sorter.store(Unmanaged.passUnretained(sorter).toOpaque(), ordering: .releasing)
        header.pointee.isInspected.store(true, ordering: .releasing)
    }

    /// Notes that a step turns calls into copies of `item`.
    func turns(into item: UnsafeMutablePointer<SlowStorage<Argument>>) { target = item }

    override var isLookedAtByGuards: Bool { wants?.keys.isEmpty == false }

    /// The molecule into whose copies calls are turned, if guards look at those: they come with what guards see.
    private var guardedTarget: UnsafeMutablePointer<SlowStorage<Argument>>? {
        guard let target, target.pointee.guarded.load(ordering: .acquiring) != nil else { return nil }
        return target
    }

    /// What guards see of `argument`. Only if some look.
    func features(of argument: Argument) -> Features? {
        if let guardedTarget { return guardedTarget.features(of: argument) }
        return wants.map { Features($0.keys[0](argument), $0.keys.dropFirst().map { $0(argument) }) }
    }

    override func beginGuarding() {
        guard isLookedAtByGuards || target?.pointee.header.slot.isLookedAtByGuards == true else { return }
        // A call that is answered in its caller's task never comes to the soup, where guards look for it.
        forbidInline()
        isLookedAt.store(true, ordering: .releasing)
        let entry = header.pointee.soup.enter()
        let early = waitingNow(entry)
        entry.leaveUnchanged()
        for call in early { look(at: call) }
    }

    override func forbidInline() {
        storage.pointee.forbidsInline = true
    }

    override func removeClosures() {
        storage.removeAnswers()
    }
}
