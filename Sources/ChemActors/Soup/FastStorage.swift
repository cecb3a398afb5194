/// The memory of a fast molecule: the answers that can be given in the calling task. Its waiting calls lie in
/// its `FastSlot`, since a call that waits has paid for a suspension already.
@usableFromInline
struct FastStorage<Argument: Sendable, Answer: Sendable>: ~Copyable {
    /// A way to answer a call without suspending it.
    @usableFromInline
    struct InlineAnswer: ~Copyable {
        @usableFromInline let reaction: Int32
        /// Whether it is one step of the soup: no code of users runs.
        @usableFromInline let isStep: Bool
        /// Takes the other inputs, leaves the soup, runs the body. A step leaves when all is done, and doesn't throw.
        @usableFromInline let run: @Sendable (consuming SoupEntry, Argument) throws -> Answer

        init(
            reaction: Int32,
            isStep: Bool,
            run: @escaping @Sendable (consuming SoupEntry, Argument) throws -> Answer
        ) {
            self.reaction = reaction
            self.isStep = isStep
            self.run = run
        }

        @inlinable
        @inline(__always)
        borrowing func callAsFunction(_ entry: consuming SoupEntry, _ argument: Argument) throws -> Answer {
            try run(entry, argument)
        }
    }

    @usableFromInline var header: SlotHeader
    @usableFromInline var waiting = 0
    @usableFromInline var answers = UnsafeMutablePointer<InlineAnswer>.allocate(capacity: 0)
    @usableFromInline var answerCount = 0
    /// Whether neither its values nor its answers may carry names.
    @usableFromInline let allowsInline: Bool
    /// Whether its definition retries, so that no call can be answered in the thread of its caller.
    @usableFromInline var forbidsInline = false

    init(header: SlotHeader, answersNames: Bool) {
        self.header = header
        allowsInline = header.soup.memory.pointee.allowsInline && !header.carriesNames && !answersNames
    }

    @inlinable
    deinit {
        answers.deinitialize(count: answerCount)
        answers.deallocate()
    }

}

// Functions of the pointer that touch single fields, as with `SlowStorage`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// An answer that can be given right now: of the reactions that only lack this call, one at random.
    ///
    /// Nil if there is none, or if one of them can't answer in the calling task: then the call enters the soup, and the
    /// worker's choice is the only one. A call that doesn't wait has to choose `amongAnswers` only.
    @inlinable
    @inline(__always)
    func pickAnswer<Argument: Sendable, Answer: Sendable>(amongAnswers: Bool, _ entry: borrowing SoupEntry) -> Int?
    where Pointee == FastStorage<Argument, Answer> {
        guard pointee.waiting == 0, pointee.answerCount != 0 else { return nil }
        var candidates = 0
        var chosen = -1
        for use in pointee.header.uses
        where use.copies == 1 && entry.contents.matching.readiness[Int(use.reaction)].missing == 1 {
            var answer = 0
            while answer < pointee.answerCount, pointee.answers[answer].reaction != use.reaction { answer &+= 1 }
            if answer == pointee.answerCount {
                if amongAnswers { continue }
                return nil
            }
            candidates &+= 1
            if candidates == 1 || entry.contents.matching.generator.below(candidates) == 0 { chosen = answer }
        }
        return chosen < 0 ? nil : chosen
    }

    /// Adds a way to answer.
    func add<Argument: Sendable, Answer: Sendable>(
        _ answer: consuming FastStorage<Argument, Answer>.InlineAnswer,
        _ entry: borrowing SoupEntry
    )
    where Pointee == FastStorage<Argument, Answer> {
        let count = pointee.answerCount
        let larger = UnsafeMutablePointer<FastStorage<Argument, Answer>.InlineAnswer>.allocate(capacity: count + 1)
        larger.moveInitialize(from: pointee.answers, count: count)
        pointee.answers.deallocate()
        (larger + count).initialize(to: answer)
        pointee.answers = larger
        pointee.answerCount = count + 1
    }

    /// Releases the closures of the answers. When nothing can start any more, outside of the soup.
    func removeAnswers<Argument: Sendable, Answer: Sendable>() where Pointee == FastStorage<Argument, Answer> {
        let count = pointee.answerCount
        pointee.answerCount = 0
        pointee.answers.deinitialize(count: count)
    }
}
