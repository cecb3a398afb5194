public import ChemActors

/// A switch between senders and molecules: it injects requested molecules while it is on, and refuses them while it is
/// off.
///
/// ```swift
/// let switchboard = Switch(isOn: true)
/// switchboard.request(print, "shown")
/// try await switchboard.off()
/// switchboard.request(print, "not shown") { beep() }
/// ```
///
/// A reaction can't be enabled or disabled, since its chemistry is fixed. But a switch can decide whether its molecule
/// is injected. One switch serves molecules of any type.
///
/// `on` and `off` are fast: when the call has returned, the switch is in its new position, which applies to all later
/// requests. It may apply to earlier requests too, since ``request(_:_:orElse:)`` doesn't wait. Requests are handled
/// one after the other, oldest first, and so are calls of `inject` and `perform`; such a call may overtake requests
/// that were made before it.
///
/// To switch something that isn't a molecule, an `Atomic<Bool>` or the state of an actor is simpler. Prefer this if
/// requests come from synchronous code, or if nothing may slip through after `off` has returned.
///
/// Source: CocoaJoin, Example 4, whose `m_off` replies to `m_on` by a slip.
public struct Switch: Exportable {
    /// Switches on. When the call returns, it is on.
    public let on: FastMolecule<Void, Void>
    /// Switches off. When the call returns, it is off.
    public let off: FastMolecule<Void, Void>
    /// Whether it is on, for asynchronous code. See also ``position``.
    public let isOn: FastMolecule<Void, Bool>
    /// Whether it is on, for any code: the last committed position.
    public let position: StateReader<Bool>
    private let request: SlowMolecule<Request>
    private let ask: FastMolecule<Request, Bool>

    /// A request: the switch calls one of the two closures.
    private struct Request: Sendable {
        let grant: @Sendable () -> Void
        let refuse: (@Sendable () -> Void)?
    }

    /// A switch.
    ///
    /// - Parameters:
    ///   - initial: Whether it is on at first.
    ///   - name: What the switch is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(isOn initial: Bool, name: String = "switch", fileID: StaticString = #fileID, line: UInt = #line) {
        (on, off, isOn, position, request, ask) = Join.define(name, fileID: fileID, line: line) { join in
            let state = join.state("state", initial)
            let on = join.fast("on")
            let off = join.fast("off")
            let isOn = join.fast("isOn", returning: Bool.self)
            let request = join.slow("request", of: Request.self, order: .oldestFirst)
            let ask = join.fast("ask", of: Request.self, returning: Bool.self, order: .oldestFirst)

            join.answer(on, updating: state) { state, _ in state = true }
            join.answer(off, updating: state) { state, _ in state = false }
            join.answer(isOn, reading: state) { state, _ in state }
            // Both have exclusive use of the state, so that the switch can't turn between the check and the injection.
            join.when(request, updating: state) { state, request in
                if state { request.grant() } else { request.refuse?() }
            }
            join.answer(ask, updating: state) { state, request in
                if state { request.grant() } else { request.refuse?() }
                return state
            }

            return (on, off, isOn, state.reader, request, ask)
        }
    }

    /// Asks for `molecule(value)` to be injected, if the switch is on when the request is handled. Never suspends.
    ///
    /// - Parameters:
    ///   - molecule: The molecule to inject.
    ///   - value: The value that the molecule carries.
    ///   - refused: Runs otherwise, in a reaction of the switch, which waits for it: it must be short.
    public func request<Value: Sendable>(
        _ molecule: SlowMolecule<Value>,
        _ value: Value,
        orElse refused: (@Sendable () -> Void)? = nil
    ) {
        request(Self.injecting(molecule, value, refused))
    }

    /// Asks for `molecule()` to be injected, if the switch is on when the request is handled. Never suspends.
    ///
    /// - Parameters:
    ///   - molecule: The molecule to inject.
    ///   - refused: Runs otherwise, in a reaction of the switch, which waits for it: it must be short.
    public func request(_ molecule: SlowMolecule<Void>, orElse refused: (@Sendable () -> Void)? = nil) {
        request(molecule, (), orElse: refused)
    }

    /// Injects `molecule(value)` if the switch is on, and returns whether it was.
    ///
    /// - Parameters:
    ///   - molecule: The molecule to inject.
    ///   - value: The value that the molecule carries.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: whether it was injected.
    /// - Throws: `CancellationError` if the task is cancelled first; then nothing is injected.
    nonisolated(nonsending)
        public func inject<Value: Sendable>(
            _ molecule: SlowMolecule<Value>,
            _ value: Value,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) async throws -> Bool
    {
        try await ask(Self.injecting(molecule, value, nil), fileID: fileID, line: line)
    }

    /// Runs `action` if the switch is on, and returns whether it was.
    ///
    /// The switch can't turn before `action` has ended, and other requests wait for it, so the action must be short.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - action: The action.
    /// - Returns: whether the action ran.
    /// - Throws: `CancellationError` if the task is cancelled first; then the action doesn't run.
    nonisolated(nonsending)
        public func perform(
            fileID: StaticString = #fileID,
            line: UInt = #line,
            _ action: @escaping @Sendable () -> Void
        ) async throws -> Bool
    {
        try await ask(Request(grant: action, refuse: nil), fileID: fileID, line: line)
    }

    private static func injecting<Value: Sendable>(
        _ molecule: SlowMolecule<Value>,
        _ value: Value,
        _ refused: (@Sendable () -> Void)?
    ) -> Request {
        // The closure hides the molecule from the runtime, which would otherwise have exported it.
        let molecule = molecule.exported
        return Request(grant: { molecule(value) }, refuse: refused)
    }

    private init(exporting other: Switch) {
        on = other.on.exported
        off = other.off.exported
        isOn = other.isOn.exported
        position = other.position.exported
        request = other.request.exported
        ask = other.ask.exported
    }

    /// The same switch, kept alive by this value.
    public var exported: Switch { Switch(exporting: self) }
}
