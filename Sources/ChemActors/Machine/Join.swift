import Synchronization

/// A join definition: an actor that holds a soup of molecules and decides which of its reactions run.
///
/// ```swift
/// let (increment, value) = Join.define("counter") { join in
///     let count = join.state("count", 0)
///     let increment = join.slow("increment")
///     let value = join.fast("value", returning: Int.self)
///
///     join.when(increment, updating: count) { n, _ in n += 1 }
///     join.answer(value, reading: count) { n, _ in n }
///
///     return (increment, value)
/// }
/// increment()
/// print(try await value())    // 0 or 1: await quiescence first for 1
/// ```
///
/// Make one with `Join.define`. You never need the actor itself to use its chemistry. It is the *control handle*: get
/// it from `join.definition` inside the closure of `define` to watch and control the definition. Holding it doesn't
/// keep the chemistry running. Exported names do.
///
/// The soup has a lock of its own, because injecting is synchronous. No body, no continuation and no `deinit` of a
/// value ever runs under it. The only locks that are taken under it are those of its inbox, of its scope, of the
/// deadlines, of the tally of what has dissolved, and of what a recorder keeps elsewhere; under these none is taken.
/// Isolated methods that an extension adds may therefore inject and call freely.
public actor Join {
    /// Its soup. Names point into it, and it is released with the actor.
    nonisolated let soup: SoupReference
    /// Its name in messages, descriptions and reports.
    nonisolated public let name: String
    nonisolated let location: SourceLocation
    nonisolated let machine: ChemicalMachine
    /// The definition in whose closure it was made, whose names it may use. That lets go of this one when it dissolves.
    nonisolated let home: Join?
    /// Whether bodies run on the pool, without an executor or a priority of their own.
    nonisolated let isPlain: Bool

    /// The neighbours in the registry of the machine, under its lock.
    struct Links {
        unowned(unsafe) var next: Join?
        unowned(unsafe) var previous: Join?
    }
    nonisolated(unsafe) var links = Links()
    /// Whether it waits for its turn in an injection that is running bodies on the main actor.
    @MainActor var mainRunWaits = false

    /// What is seen of it, if its machine records.
    nonisolated let observation: Observation?

    /// Whether an asynchronous body of it has begun. Whoever runs in one began later.
    nonisolated let hasBegunBodies = Atomic(false)

    /// What happens when a body throws. Set in the closure of `define`, and read after that has returned.
    nonisolated(unsafe) var policy = FailurePolicy.drop

    init(name: String, location: SourceLocation, machine: ChemicalMachine, isOnMain: Bool, at place: Birthplace) {
        self.name = name
        self.location = location
        self.machine = machine
        home = place.home
        isPlain = machine.isPlain && !isOnMain
        soup = .make(
            Soup(
                seed: machine.nextSeed(),
                chooser: machine.chooser.map { .passUnretained($0) },
                workerLimit: machine.configuration.workerLimit,
                allowsInline: machine.isTimed && !isOnMain,
                isOnMain: isOnMain,
                isScoped: machine.scope != nil,
                isObserved: machine.isObserved,
                isInterruptible: machine.control?.interrupts ?? false,
                threadMark: ThreadMark.soup
            ),
            JoinState(parent: place.parent)
        )
        observation = machine.makeObservation(of: name)
        soup.memory.pointee.owner = self
        machine.add(self)
        guard let home else { return }
        let entry = home.soup.enter()
        entry.state.inner.append(self)
        entry.leaveUnchanged()
    }

    deinit {
        soup.end()
    }

    /// Hands an event of this kind to the reporter of the machine.
    nonisolated func report(
        _ kind: ChemicalEvent.Kind,
        isKnownToCaller: Bool = false,
        dropping dropped: [String] = []
    ) {
        var event = ChemicalEvent(
            definition: name,
            kind: kind,
            isKnownToCaller: isKnownToCaller,
            droppedInputs: dropped,
            lastEvents: isKnownToCaller ? nil : lastEvents
        )
        event.wasCancelled = Task.isCancelled
        machine.configuration.reporter(event)
    }

    /// Reports an error that code of a user has thrown in a reaction of the library, which goes on.
    nonisolated package func reportFailure(
        of reaction: String,
        _ error: any Error,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        report(.failedReaction(reaction: reaction, location: "\(fileID):\(line)", error: error))
        machine.control?.fails(reaction: "\(name): \(reaction) (\(fileID):\(line))", error)
    }

    /// Reports that nothing takes what is sent to an input of the library that was made there.
    nonisolated package func reportLeadingNowhere(_ fileID: StaticString, _ line: UInt) {
        report(.leadsNowhere(location: "\(fileID):\(line)"))
    }
}

extension Join: CustomStringConvertible {
    /// The name of the definition.
    nonisolated public var description: String { name }
}

extension Join: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    nonisolated public var customMirror: Mirror { Mirror(self, children: []) }
}
