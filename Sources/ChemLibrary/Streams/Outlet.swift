import Synchronization

/// A function to call when a cell has a new value: the only place in a graph for side effects.
///
/// ```swift
/// let screen = Outlet<String>()
/// message --< (screen, { print($0) })
/// ```
///
/// The graph itself calls the function for every event of the cell, in order, after the wave. So a slow function holds
/// up its own graph, and no other. Each outlet is attached once; attaching it again stops the program. For the main
/// actor, use ``MainOutlet``.
///
/// The graph keeps the function, and the function what it captures. One that sends back into its own graph keeps that
/// alive for ever, unless it captures the source weakly: `[weak source]`.
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
/// Its function is called for every event of its cell, in order, and in the order of all main outlets of its graph. The
/// graph doesn't wait for it.
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
