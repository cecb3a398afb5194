public import Flow

/// A place that values pass through, between operators.
///
/// ```swift
/// let even = Stream<Int>()
/// numbers --| (even, { $0 % 2 == 0 }) --^ latest
/// ```
///
/// It keeps no value. It lives as long as its graph, whether somebody holds it or not.
///
/// Foundation has a `Stream` too. Where both are imported, ``EventStream`` is another name of this one; or `import class ChemLibrary.Stream` says which one
/// `Stream` is.
///
/// Source: SimpleSwiftFRP.
public final class Stream<Value: Sendable>: Sendable {
    @usableFromInline let handle: FlowHandle<Value>

    /// A stream that is not connected yet.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    @inlinable
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        handle = FlowHandle(FlowNode(.stream, isStore: false, isOpen: false, fileID: fileID, line: line))
    }
}

/// A ``Stream``, under a name that Foundation has no class for.
///
/// ```swift
/// import ChemLibrary
/// import Foundation
///
/// func even(_ numbers: EventStream<Int>) -> EventStream<Int> { numbers.filter { $0 % 2 == 0 } }
/// ```
public typealias EventStream = Stream
