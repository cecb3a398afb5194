import Synchronization

/// What is done when a cell has got a new value: the only place of a graph that has side effects.
///
/// ```swift
/// let screen = Outlet<String>()
/// message --< (screen, { print($0) })
/// ```
///
/// Its function is called for every event of its cell, in their order, after the wave, by the graph itself: a slow one
/// holds up its graph, and no other. Each outlet is attached once; a second time stops the program. On the main actor:
/// ``MainOutlet``.
///
/// Source: SimpleSwiftFRP.
public final class Outlet<Value: Sendable>: Sendable {
    private let isAttached = Atomic(false)
    private let location: String

    /// An outlet that is not attached yet.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(fileID: StaticString = #fileID, line: UInt = #line) { location = "\(fileID):\(line)" }

    func attach() {
        if isAttached.exchange(true, ordering: .relaxed) {
            fatalError("ChemLibrary: the outlet (\(location)) is attached already: each has one function and one cell")
        }
    }
}

/// An ``Outlet`` whose function runs on the main actor.
///
/// ```swift
/// let title = MainOutlet<String>()
/// message --< (title, { label.text = $0 })
/// ```
///
/// It is called for every event of its cell, in their order and in that of all such outlets of its graph. The graph
/// doesn't wait for it.
public final class MainOutlet<Value: Sendable>: Sendable {
    private let isAttached = Atomic(false)
    private let location: String

    /// An outlet that is not attached yet.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(fileID: StaticString = #fileID, line: UInt = #line) { location = "\(fileID):\(line)" }

    func attach() {
        if isAttached.exchange(true, ordering: .relaxed) {
            fatalError("ChemLibrary: the outlet (\(location)) is attached already: each has one function and one cell")
        }
    }
}
