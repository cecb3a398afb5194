/// What an object does that is used by one client at a time: the specification with which
/// ``expectLinearizable(_:from:sourceLocation:)`` compares a history.
///
/// The value is the state. A queue that holds two elements at most, say:
///
/// ```swift
/// struct ShortQueue: SequentialModel {
///     enum Operation { case add(Int), take }
///     var elements: [Int] = []
///
///     mutating func apply(_ operation: Operation) -> Int?? {
///         switch operation {
///         case .add(let element):
///             if elements.count == 2 { return nil }  // it has to wait
///             elements.append(element)
///             return .some(nil)
///         case .take: return elements.isEmpty ? nil : elements.removeFirst()
///         }
///     }
/// }
/// ```
public protocol SequentialModel: Hashable, Sendable {
    /// What a client asks for.
    associatedtype Operation: Sendable
    /// What it gets.
    associatedtype Result: Equatable, Sendable

    /// Does what the client asks for.
    ///
    /// - Parameter operation: What the client asks for.
    /// - Returns: what it gets, or nil if it has to wait until another operation has changed the state.
    mutating func apply(_ operation: Operation) -> Result?
}
