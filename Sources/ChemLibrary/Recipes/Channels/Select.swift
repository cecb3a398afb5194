import ChemActors

/// Receives from several channels: one value at a time, from the channel that has one first.
///
/// ```swift
/// enum Input { case key(Character), tick }
/// let inputs = Select(.from(keys) { Input.key($0) }, .from(ticks) { _ in Input.tick })
/// while let input = try await inputs.receive() { … }    // ends when all channels are closed and empty
/// ```
///
/// Each receive takes exactly one value, from one channel; the others keep theirs. If several channels have a value,
/// one of them is chosen at random, so none starves. A waiting select has no place in the queues of the channels:
/// receivers that wait there are served first. If it is cancelled, nothing was taken.
///
/// With several channels, it waits in child tasks. So a scope doesn't see that a reaction's body that waits here waits
/// in calls that nothing can answer, and doesn't end these: close the channels.
///
/// A channel that is closed and empty is left out. To merge channels for good, prefer to let all senders use one
/// channel where they can. `merge` of swift-async-algorithms reads ahead from all its sequences, so what it has read
/// and not delivered is lost on cancellation.
///
/// - Complexity: O(number of channels) for each value, and a child task for each channel if it has to wait.
public struct Select<Result: Sendable>: Sendable {
    /// One of the channels, and the transformation of its values.
    public struct Case: Sendable {
        fileprivate let poll: @Sendable () -> Poll<Result>
        fileprivate let ready: FastMolecule<Void, Void>

        /// Receives from `channel`.
        ///
        /// - Parameters:
        ///   - channel: Where to receive from.
        ///   - transform: Transforms a value. Runs in the receiving task, and should be quick.
        /// - Returns: the case.
        public static func from<Element>(
            _ channel: JoinChannel<Element>,
            _ transform: @escaping @Sendable (Element) -> Result
        ) -> Case {
            Case(
                poll: {
                    switch try? channel.chemistry.receive.tryCall() {
                    case nil: .nothing
                    case .some(nil): .closed
                    case .some(let value?): .value(transform(value))
                    }
                },
                ready: channel.chemistry.ready
            )
        }

        /// Receives from `channel`.
        ///
        /// - Parameter channel: Where to receive from.
        /// - Returns: the case.
        public static func from(_ channel: JoinChannel<Result>) -> Case { from(channel) { $0 } }
    }

    private let cases: [Case]
    private let choices = RandomChoices()

    /// Receives from any of `cases`. Without cases, it is at its end.
    ///
    /// - Parameter cases: The channels, each with the transformation of its values.
    public init(_ cases: Case...) {
        self.cases = cases
    }

    /// Receives from any of `cases`. Without cases, it is at its end.
    ///
    /// - Parameter cases: The channels, each with the transformation of its values.
    public init(_ cases: [Case]) {
        self.cases = cases
    }

    /// Takes one value, as soon as one of the channels has one.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the transformed value, or nil if all channels are closed and empty.
    /// - Throws: `CancellationError`, or a `CallError` as soon as the machine of one of the channels is deactivated;
    ///   then nothing was taken.
    nonisolated(nonsending) public func receive(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Result? {
        var open = cases
        while true {
            try Task.checkCancellation()
            if let result = takeOne(of: &open) { return result }
            if open.isEmpty { return nil }
            try await Self.waitForOne(of: open, fileID, line)
        }
    }

    /// Takes one value if one of the channels has one now. Works in synchronous code.
    ///
    /// - Returns: the transformed value, or nil if there is none.
    public func tryReceive() -> Result? {
        var open = cases
        return takeOne(of: &open)
    }

    /// Tries the channels in random order, and leaves out those that are closed.
    private func takeOne(of cases: inout [Case]) -> Result? {
        var closed: Set<Int> = []
        defer { cases = cases.indices.filter { !closed.contains($0) }.map { cases[$0] } }
        // Those that have nothing don't matter.
        var rest = choices.candidates(cases.count) { (try? cases[$0].ready.tryCall()) != nil }
        while !rest.isEmpty {
            rest.swapAt(choices.choose(rest.count), rest.count - 1)
            let index = rest.removeLast()
            switch cases[index].poll() {
            case .value(let result): return result
            case .closed: closed.insert(index)
            case .nothing: continue
            }
        }
        return nil
    }

    /// Waits until one of the channels may have something.
    nonisolated(nonsending) private static func waitForOne(
        of cases: [Case],
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        if cases.count == 1 { return try await cases[0].ready(fileID: fileID, line: line) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in cases { group.addTask { try await one.ready(fileID: fileID, line: line) } }
            defer {
                ChemicalMachine.tellOfCancellation(.cancels)
                group.cancelAll()
            }
            try await group.next()
        }
    }
}

/// The result of polling a channel.
private enum Poll<Result> {
    case value(Result), nothing, closed
}
