/// Why a call of a fast molecule ended without an answer.
///
/// An error that a reaction's body throws, or gives to ``Reply/fail(_:)``, reaches the caller as it is. A cancelled
/// call throws `CancellationError`. This error is for the rest.
///
/// Two errors are equal if they have the same code and molecule: what explains them is for people.
public struct CallError: Error, Hashable, Sendable {
    /// The reasons, as a type that can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String {
            case timedOut, unanswered, dissolved, deactivated, cleared, neverAnswerable, revoked, deadlock
        }

        let value: Value

        /// The time given by `within:` passed before a reaction took the call, so it was withdrawn; or, if it covers
        /// the body, before the body ended.
        public static let timedOut = Code(value: .timedOut)
        /// The reaction that took the call has ended, and every copy of its ``Reply`` is gone.
        public static let unanswered = Code(value: .unanswered)
        /// The definition has dissolved: no name leads to it, so nothing can react any more.
        public static let dissolved = Code(value: .dissolved)

        /// The definition is deactivated, or was deactivated while the call waited.
        public static let deactivated = Code(value: .deactivated)
        /// The definition was cleared while the call waited.
        public static let cleared = Code(value: .cleared)
        /// The scope's closure has returned, and everything that still runs in the scope waits for calls like this one.
        public static let neverAnswerable = Code(value: .neverAnswerable)
        /// The caller is a body, and the call waits for a state or an answer of a body that waits in a call in its
        /// turn, and so on, round to the caller.
        public static let deadlock = Code(value: .deadlock)
        /// The scope of the machine ended before anybody answered the ``Reply``.
        public static let revoked = Code(value: .revoked)

        /// The name of the reason.
        public var description: String { value.rawValue }
    }

    /// The reason.
    public let code: Code
    /// The molecule that was called, as `definition.name`.
    public let molecule: String
    /// If the call is part of a ``Code/deadlock``, who waits for what, held by whom, with their lines. If it is
    /// ``Code/unanswered``, the reactions that get replies of the molecule, with their lines. If it is
    /// ``Code/timedOut`` although it was given time, what the reactions that take it lacked, or that one has taken it.
    /// Otherwise empty.
    public let explanation: String

    init(_ code: Code, _ slot: CallSlot, _ explanation: String = "") {
        self.code = code
        molecule = slot.fullName
        self.explanation = explanation
    }

    /// Creates an error, for code that answers calls in place of another definition and has to say why it can't.
    ///
    /// - Parameters:
    ///   - code: The reason.
    ///   - molecule: The molecule that was called, as `definition.name`.
    public init(_ code: Code, molecule: String) {
        self.code = code
        self.molecule = molecule
        explanation = ""
    }

    /// Whether both have the same code and molecule.
    public static func == (first: CallError, second: CallError) -> Bool {
        first.code == second.code && first.molecule == second.molecule
    }

    /// Hashes the code and the molecule.
    ///
    /// - Parameter hasher: Takes them in.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(molecule)
    }
}

extension CallError: CustomStringConvertible {
    /// A sentence that names the molecule and the reason.
    public var description: String {
        switch code.value {
        case .timedOut:
            "The call of '\(molecule)' timed out before a reaction answered it\(explanation.isEmpty ? "" : ": \(explanation)")."
        case .unanswered:
            "The reaction that took the call of '\(molecule)' ended without answering it\(explanation.isEmpty ? "" : ": \(explanation)")."
        case .deactivated: "The call of '\(molecule)' can't be answered: its definition is deactivated."
        case .cleared: "The call of '\(molecule)' was dropped: its definition was cleared."
        case .neverAnswerable:
            "The call of '\(molecule)' can never be answered: everything else in its scope has ended."
        case .deadlock: "The call of '\(molecule)' would never be answered: \(explanation)."
        case .revoked: "The call of '\(molecule)' was not answered before the scope of its machine ended."
        case .dissolved: "The call of '\(molecule)' can't be answered: its definition has dissolved."
        }
    }
}
