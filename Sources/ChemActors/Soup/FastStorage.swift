import Synchronization

/// The memory of a fast molecule: the ways to answer a call in the calling task. Its waiting calls are in its
/// `CallSlot`.
@usableFromInline
struct FastStorage<Argument: Sendable, Answer: Sendable>: ~Copyable {
    /// A way to answer a call without suspending it.
    @usableFromInline
    struct InlineAnswer: ~Copyable {
        @usableFromInline let reaction: Int32
        /// Whether the answer is a single step in the soup, which runs no user code.
        @usableFromInline let isStep: Bool
        /// Takes the other inputs, leaves the soup and runs the body. A step leaves the soup last and doesn't throw.
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
    /// The parts, if there are some, which the slot keeps. Read outside of the soup.
    let sorter = Atomic<UnsafeRawPointer?>(nil)
    /// How many calls wait.
    @usableFromInline var waiting = 0
    @usableFromInline var answers: UnsafeMutablePointer<InlineAnswer>?
    @usableFromInline var answerCount = 0
    /// Whether the soup allows inline answers and neither values nor answers can carry names.
    @usableFromInline let allowsInline: Bool
    /// Whether its definition retries, so that no call can be answered on its caller's thread.
    @usableFromInline var forbidsInline = false

    init(header: consuming SlotHeader, answersNames: Bool) {
        allowsInline = header.soup.memory.pointee.allowsInline && !header.carriesNames && !answersNames
        self.header = header
    }
}

// These are methods of the pointer that touch single fields, for the reason given in `SlowStorage.swift`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Picks an answer that can be given right now, at random among the reactions that lack only this call.
    ///
    /// Returns nil if there is none, or if one of these reactions can't answer in the calling task. The call then
    /// enters the soup, and the worker alone chooses. A call that doesn't wait has to choose `amongAnswers` only.
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
            while answer < pointee.answerCount, pointee.answers.unsafelyUnwrapped[answer].reaction != use.reaction {
                answer &+= 1
            }
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
        if let answers = pointee.answers {
            larger.moveInitialize(from: answers, count: count)
            answers.deallocate()
        }
        (larger + count).initialize(to: answer)
        pointee.answers = larger
        pointee.answerCount = count + 1
    }

    /// Releases the closures of the answers. Called outside of the soup, once nothing can start any more.
    func removeAnswers<Argument: Sendable, Answer: Sendable>() where Pointee == FastStorage<Argument, Answer> {
        let count = pointee.answerCount
        pointee.answerCount = 0
        guard count > 0, let answers = pointee.answers else { return }
        // A closure is released in the same way whatever it takes, and no type is looked up for that.
        UnsafeMutableRawPointer(answers).assumingMemoryBound(to: FastStorage<Void, Void>.InlineAnswer.self)
            .deinitialize(count: count)
    }

    /// Initializes a molecule without answers, which looks the same whatever it takes and answers. See `SlowStorage`.
    func begin<Argument: Sendable, Answer: Sendable>(_ header: consuming SlotHeader, answersNames: Bool)
    where Pointee == FastStorage<Argument, Answer> {
        assert(MemoryLayout<FastStorage<Argument, Answer>>.size == MemoryLayout<FastStorage<Void, Void>>.size)
        let memory = UnsafeMutableRawPointer(self)
        memory.bindMemory(to: FastStorage<Void, Void>.self, capacity: 1)
            .initialize(to: FastStorage<Void, Void>(header: header, answersNames: answersNames))
        memory.bindMemory(to: FastStorage<Argument, Answer>.self, capacity: 1)
    }

    static func make<Argument: Sendable, Answer: Sendable>() -> Self where Pointee == FastStorage<Argument, Answer> {
        UnsafeMutableRawPointer(UnsafeMutablePointer<FastStorage<Void, Void>>.allocate(capacity: 1))
            .assumingMemoryBound(to: FastStorage<Argument, Answer>.self)
    }

    /// Releases the memory, which isn't used any more.
    func end<Argument: Sendable, Answer: Sendable>() where Pointee == FastStorage<Argument, Answer> {
        removeAnswers()
        if let answers = pointee.answers { UnsafeMutableRawPointer(answers).deallocate() }
        UnsafeMutableRawPointer(self).deallocate()
    }
}
