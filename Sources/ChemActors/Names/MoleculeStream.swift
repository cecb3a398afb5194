/// The copies of a slow molecule as an asynchronous sequence, oldest first.
///
/// ```swift
/// let (send, lines) = Join.define("lines") { join in
///     let line = join.slow("line", of: String.self, order: .oldestFirst)
///     return (line, join.stream(of: line))
/// }
/// for await line in lines { … }
/// ```
///
/// Several consumers share the copies: each copy goes to one of them. Cancellation is exact: a consumer whose task is
/// cancelled either gets the next copy or leaves it in the soup. The sequence ends for a consumer when its task is
/// cancelled, and for all consumers when the definition is deactivated or dissolves.
public struct MoleculeStream<Element: Sendable>: AsyncSequence, Exportable {
    /// Waiting for a copy doesn't fail: the sequence ends instead.
    public typealias Failure = Never

    private let take: FastMolecule<Void, Element>

    init(_ take: FastMolecule<Void, Element>) {
        self.take = take
    }

    /// One consumer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Waiting for a copy doesn't fail: the sequence ends instead.
        public typealias Failure = Never

        let take: FastMolecule<Void, Element>

        /// The next copy, or nil at the end.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        /// The next copy, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                do {
                    return try await take()
                } catch let error as CallError where error.code == .cleared {
                    // Clearing has dropped what was waiting, but more may come.
                    continue
                } catch {
                    return nil
                }
            }
        }
    }

    /// A new consumer, which shares the copies with the others.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(take: take) }

    /// The same sequence, holding a lease on its definition.
    public var exported: MoleculeStream { MoleculeStream(take.exported) }
}

extension Join.Builder {
    /// Declares that the copies of `molecule` are consumed as an asynchronous sequence.
    ///
    /// This is a reaction like any other: if the molecule has other reactions, they compete with it for the copies.
    ///
    /// - Parameters:
    ///   - molecule: A slow molecule of this definition, declared oldest-first.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the sequence.
    public func stream<Value: Sendable>(
        of molecule: SlowMolecule<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> MoleculeStream<Value> {
        let name = molecule.storage.pointee.header.slot.name
        guard molecule.storage.pointee.header.isOldestFirst else {
            fatalError(
                "ChemActors: definition '\(join.name)': molecule '\(name)' becomes a stream (\(fileID):\(line)) "
                    + "and has to be declared with order: .oldestFirst",
                file: fileID,
                line: line
            )
        }
        let take = fast(unused("\(name).next"), returning: Value.self, order: .oldestFirst, fileID: fileID, line: line)
        answer(take, with: molecule, fileID: fileID, line: line) { _, value in value }
        return MoleculeStream(take)
    }

    /// `name`, with a number behind it if a molecule has it already: somebody makes several streams of one.
    private func unused(_ name: String) -> String {
        let entry = join.soup.enter()
        let taken = Set(entry.contents.slots.map(\.name))
        entry.leaveUnchanged()
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }
}

extension SlowMolecule {
    /// Injects a copy for each element of `sequence`, as they come, and returns when it ends.
    ///
    /// ```swift
    /// try await received.inject(contentsOf: connection.messages)
    /// ```
    ///
    /// - Throws: the error of the sequence. Elements that came before the error are injected.
    nonisolated(nonsending) public func inject<Values: AsyncSequence>(
        contentsOf sequence: Values
    ) async throws(Values.Failure) where Values.Element == Value {
        var iterator = sequence.makeAsyncIterator()
        while let value = try await iterator.next(isolation: #isolation) { self(value) }
    }
}

// An iterator belongs to one consumer; others get their own from the stream.
@available(*, unavailable)
extension MoleculeStream.AsyncIterator: Sendable {}
