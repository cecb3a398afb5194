public import Flow

/// A place that values pass through, between operators.
///
/// ```swift
/// let even = EventStream<Int>()
/// numbers --| (even, { $0 % 2 == 0 }) --^ latest
/// ```
///
/// It keeps no value. It lives as long as its graph, whether or not anything else holds it.
///
/// Source: SimpleSwiftFRP.
public final class EventStream<Value: Sendable>: Sendable {
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
