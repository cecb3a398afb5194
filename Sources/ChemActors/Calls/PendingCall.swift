/// A call with what it carries: its argument and, once it is answered, its answer.
@usableFromInline
final class PendingCall<Argument: Sendable, Answer: Sendable>: Call, @unchecked Sendable {
    // Checked by hand: `argument` never changes, and whoever has claimed the call writes the answer before the call is
    // settled.
    @usableFromInline let argument: Argument
    /// Room for a small answer, or for the address of a large one.
    ///
    /// Not an optional: `deinit` isn't specialised, and would look up its metadata, which takes as long as the rest.
    @exclusivity(unchecked) @usableFromInline var room: (UInt64, UInt64) = (0, 0)
    @exclusivity(unchecked) @usableFromInline var hasAnswer = false

    @inlinable
    init(_ argument: Argument, _ slot: CallSlot, _ location: SourceLocation, anchor: AnyObject) {
        self.argument = argument
        super.init(slot, location, anchor: anchor)
    }

    override func findFeatures() -> FeaturesOfCall? {
        // The slot of a molecule knows the type of its calls.
        unsafeDowncast(slot, to: FastSlot<Argument, Answer>.self).features(of: argument)
            .map { FeaturesOfCall($0) }
    }

    override var mayReleaseValues: Bool { !_isPOD(Argument.self) }

    override var text: String? {
        // The slot of a molecule knows the type of its calls.
        unsafeDowncast(slot, to: FastSlot<Argument, Answer>.self).text(of: argument)
    }

    /// Ends the call with `answer`. Does nothing and returns false if it was answered before.
    @inlinable
    @discardableResult
    func finish(returning answer: Answer) -> Bool {
        guard claim() else { return false }
        keep(slot.answersNames ? Exports.outward(answer) : answer)
        settle()
        return true
    }

    @inlinable static var isSmall: Bool { MemoryLayout<Answer>.size <= 16 && MemoryLayout<Answer>.alignment <= 8 }

    @inlinable
    func keep(_ answer: Answer) {
        withUnsafeMutableBytes(of: &room) { room in
            if Self.isSmall {
                room.baseAddress.unsafelyUnwrapped.initializeMemory(as: Answer.self, to: answer)
            } else {
                let large = UnsafeMutablePointer<Answer>.allocate(capacity: 1)
                large.initialize(to: answer)
                room.storeBytes(of: large, as: UnsafeMutablePointer<Answer>.self)
            }
        }
        hasAnswer = true
    }

    /// Takes the answer out. There must be one.
    @inlinable
    func takeAnswer() -> Answer {
        hasAnswer = false
        return withUnsafeMutableBytes(of: &room) { room in
            if Self.isSmall { return room.assumingMemoryBound(to: Answer.self).baseAddress.unsafelyUnwrapped.move() }
            let large = room.load(as: UnsafeMutablePointer<Answer>.self)
            defer { large.deallocate() }
            return large.move()
        }
    }

    deinit {
        // The caller has gone without it, or the call was answered after the caller had given up.
        if hasAnswer { _ = takeAnswer() }
    }

    // The body is passed as a closure: Swift 6.3.1 crashes compiling for ThreadSanitizer where an asynchronous function
    // itself holds its result.

    /// Ends the call with the result of an asynchronous body, once its states are committed.
    @usableFromInline
    nonisolated(nonsending)
        func finish(_ body: nonisolated(nonsending) () async throws -> Answer, committing commit: () -> Void)
        async rethrows
    {
        let answer = try await body()
        commit()
        finish(returning: answer)
    }

    /// How the call ended. Called by the caller, once it is settled.
    @inlinable
    func outcome() throws -> Answer {
        endContext()
        if !hasAnswer { try throwError() }
        return takeAnswer()
    }
}
