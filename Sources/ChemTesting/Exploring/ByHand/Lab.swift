public import ChemActors

/// A machine whose reactions happen when a test says so, one after the other, and by name.
///
/// ```swift
/// try await withLab { lab in
///     let account = Account()
///     account.pay(30)
///     async let deposited: Void = account.deposit(50)
///     try await lab.perform("pay")
///     #expect(await lab.possible() == ["deposit & amount", "balance & amount"])
///     try await lab.perform("balance & amount")
///     try await lab.perform("deposit & amount")
///     await lab.run()
///     try await deposited
/// }
/// ```
///
/// Between reactions, tasks go on until none of them can. Time stands still but for ``advance(by:)``. What the test
/// itself awaits has to be there: if it waits for a reaction that nobody performs, it fails, and says which are
/// possible.
public final class Lab: Sendable {
    /// The machine. `Join.define` makes definitions on it, too.
    public let machine: ChemicalMachine
    private let control: Control

    init(_ machine: ChemicalMachine, _ control: Control) {
        self.machine = machine
        self.control = control
    }

    /// The reactions that are possible when no task can go on, each by its inputs: `withdraw & funds`. One with a
    /// condition, `where:`, counts as possible until its copies have been tried.
    ///
    /// - Returns: the reactions, in the order in which ``step()`` would take them.
    nonisolated(nonsending) public func possible() async -> [String] { await control.ask(.possible).names }

    /// Has a reaction happen, and lets tasks go on until none can.
    ///
    /// - Parameter reaction: Its inputs, as in `withdraw & funds`, or with the name of its definition, as in
    ///   `account: withdraw & funds`.
    /// - Throws: ``NotPossible`` if it isn't possible, or if that might mean several.
    nonisolated(nonsending) public func perform(_ reaction: String) async throws(NotPossible) {
        let answer = await control.ask(.perform(reaction))
        if answer.isRefused { throw NotPossible(reaction: reaction, possible: answer.names) }
    }

    /// Has the reaction happen that has been possible for longest, and lets tasks go on until none can.
    ///
    /// - Returns: the reaction, with the name of its definition, or nil if none is possible.
    @discardableResult
    nonisolated(nonsending) public func step() async -> String? { await control.ask(.step).names.first }

    /// Has reactions happen until none is possible and no task can go on.
    ///
    /// - Returns: the reactions in their order, each with the name of its definition.
    @discardableResult
    nonisolated(nonsending) public func run() async -> [String] { await control.ask(.run).names }

    /// Lets time pass. Whatever is due meanwhile happens at its time, and tasks go on; reactions have to be performed.
    ///
    /// - Parameter duration: How much, zero or more.
    nonisolated(nonsending) public func advance(by duration: Duration) async {
        if duration < .zero { fatalError("ChemTesting: time doesn't go back by \(duration)") }
        _ = await control.ask(.advance(until: control.now + duration))
    }
}

/// A reaction that ``Lab/perform(_:)`` can't perform.
public struct NotPossible: Error, CustomStringConvertible {
    let reaction: String
    let possible: [String]

    /// What is wrong, and what would be possible.
    public var description: String {
        let others =
            possible.isEmpty ? "nothing is possible" : "possible: \(possible.map { "'\($0)'" }.joined(separator: ", "))"
        let same = possible.count { label in
            let name = label.replacing(/\s#\d+$/, with: "")
            return name == reaction || name.hasSuffix(": \(reaction)")
        }
        return same > 1 ? "'\(reaction)' may mean several; \(others)" : "'\(reaction)' isn't possible now; \(others)"
    }
}
