import ChemBase

/// What a machine writes down about its definitions.
///
/// ```swift
/// let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .flight))
/// …
/// print(machine.explainStuck())
/// print(machine.recording())
/// ```
///
/// A machine that records also sees which reactions make which molecules, so
/// ``ChemicalMachine/explainStuck(after:)`` and ``Join/drawing`` can say who should have sent what is missing.
public struct EventRecorder: Sendable, Hashable {
    enum Mode: Hashable { case off, flight, full }

    let mode: Mode
    /// How many events a definition keeps.
    let capacity: Int
    #if canImport(os)
        /// Under which subsystem bodies are shown as signposts, if they are.
        private(set) var subsystem: String?
    #else
        var subsystem: String? { nil }
    #endif

    private init(mode: Mode, capacity: Int) {
        self.mode = mode
        self.capacity = capacity
    }

    /// Nothing is written down, at no cost.
    public static let off = EventRecorder(mode: .off, capacity: 0)

    /// The last 128 starts and ends of reactions, waits of calls, put-backs and drops of each definition: for what
    /// comes after a mishap. A start whose end comes next counts as one with it. Their order within a definition is
    /// exact. Their times are rough, by a few milliseconds: a body that takes less seems to take none. Injections
    /// aren't among them.
    ///
    /// Who makes a molecule is learned from the first injections of it, until 64 have shown nothing new.
    ///
    /// A definition takes another 4 KiB of memory from its first event on.
    public static let flight = EventRecorder(mode: .flight, capacity: 128)

    /// Everything, injections and who makes them included, with exact times, for pictures of a whole run.
    ///
    /// An event takes 32 bytes; a start whose end comes next is one with it. When a definition has recorded so many,
    /// each new event replaces its oldest one. The times of a definition never go back. A worker that does nothing
    /// between two reactions looks at the clock once: the second starts when the first ends.
    ///
    /// Injections are kept apart until the recording is made: to write one down, nobody waits for a reaction of the
    /// definition.
    ///
    /// - Parameter limit: How many injections a definition keeps, and how many other events, from 128 to 2³⁰; other
    ///   numbers are brought into this range. It is rounded up to a power of two.
    /// - Returns: such a recorder.
    public static func full(limit: Int = 1 << 20) -> EventRecorder {
        var capacity = 128
        while capacity < min(limit, 1 << 30) { capacity *= 2 }
        return EventRecorder(mode: .full, capacity: capacity)
    }

    #if canImport(os)
        /// The same recorder, which also shows bodies in Instruments while they run.
        ///
        /// ```swift
        /// let recorder = EventRecorder.flight.signposting(subsystem: "com.example.bank")
        /// ```
        ///
        /// Each body is an interval of an `OSSignposter`, called `body`. Its category is the name of the definition,
        /// and its message lists the molecules that the reaction consumes. It begins when they are taken, so that of
        /// an asynchronous body includes the time in the queue of its executor. While Instruments isn't recording, a
        /// start and an end each only check that.
        ///
        /// Only on Apple's systems. Tested against a stand-in for Apple's module `os`, not on such a system.
        ///
        /// - Parameter subsystem: Under which subsystem Instruments shows them, by custom a name like that of a bundle.
        /// - Returns: such a recorder. One that is off shows nothing.
        public func signposting(subsystem: String) -> EventRecorder {
            var recorder = self
            recorder.subsystem = subsystem
            return recorder
        }
    #endif

    /// What the environment variable `CHEMACTORS_RECORDER` says, one of `off`, `flight` and `full`, when the program
    /// starts. Off if it says nothing.
    public static let ofEnvironment: EventRecorder = {
        switch Platform.environment("CHEMACTORS_RECORDER") {
        case nil, "", "off": return .off
        case "flight": return .flight
        case "full": return .full()
        case let other?:
            Platform.writeToStandardError(
                "ChemActors: CHEMACTORS_RECORDER is '\(other)', which is none of off, flight and full. Nothing is recorded.\n"
            )
            return .off
        }
    }()

    package var isOn: Bool { mode != .off }

    /// As the environment variable says it.
    package var name: String { "\(mode)" }
}
