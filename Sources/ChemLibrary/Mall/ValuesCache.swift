public import ChemBase
public import Flow

/// A store that remembers its values: a given number of them, or all.
///
/// For operators it is a store that holds nil until it is written: `cache>?` delivers the latest value. Any code can
/// read the values that it remembers.
///
/// ```swift
/// private let recent = ValuesCache<Int>(limit: 2)
/// // … op { input>!; double; ~>recent } …
/// print(recent.cached)     // the last two
/// ```
///
/// Adding costs constant time, whatever the limit; reading costs time proportional to the number of remembered values.
public final class ValuesCache<Element: Sendable>: MallNode {
    /// The container. Not for use outside of the library.
    public let _store: StoreReference<ValuesCache, Element?>

    /// A cache without values.
    ///
    /// - Parameters:
    ///   - limit: How many values it keeps, at least 1; beyond that it drops the oldest. All by default.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
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

    /// The remembered values, the oldest first: one for each wave that wrote it.
    public var cached: [Element] { _store.store.handle.node.record!.history.compactMap(\.value) }

    /// The latest value, if there is one.
    public var value: Element? { _store.store.value }

    /// A view that others may read and subscribe to.
    public var output: MallOutput<Element?> { _store.store.output }
}
