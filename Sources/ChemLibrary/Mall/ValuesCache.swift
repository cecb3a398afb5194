public import ChemBase
public import Flow

/// A store that remembers its values: a number of them, or all.
///
/// To operators it is a store that holds none until it is written: `cache>?` delivers the latest value. What it
/// remembers is read from anywhere.
///
/// ```swift
/// private let recent = ValuesCache<Int>(limit: 2)
/// // … op { input>!; double; ~>recent } …
/// print(recent.cached)     // the last two
/// ```
///
/// Adding costs constant time, whatever the limit; reading costs time proportional to what is remembered.
public final class ValuesCache<Element: Sendable>: MallNode {
    /// The container. Not for use outside of the library.
    public let _store: StoreReference<Element?>

    /// A cache without values.
    ///
    /// - Parameters:
    ///   - limit: How many values it keeps, at least 1: then the oldest one goes. All by default.
    ///   - fileID: Where it is made, for messages.
    ///   - line: Where it is made, for messages.
    @inlinable
    public init(limit: Int = .max, fileID: StaticString = #fileID, line: UInt = #line) {
        demand(limit >= 1, "a values cache keeps at least 1 value, not \(limit)", fileID, line)
        let node = FlowNode<Element?>(
            .store,
            initial: .some(nil),
            limit: limit,
            isStore: true,
            isOpen: false,
            fileID: fileID,
            line: line
        )
        _store = StoreReference(MallStore(node))
    }

    /// The values that it remembers, the oldest first. One for each wave that wrote it.
    public var cached: [Element] { _store.store.handle.node.record!.history.events.compactMap(\.value) }

    /// The latest value, if there is one.
    public var value: Element? { _store.store.value }

    /// What others may read and subscribe to.
    public var output: MallOutput<Element?> { _store.store.output }
}
