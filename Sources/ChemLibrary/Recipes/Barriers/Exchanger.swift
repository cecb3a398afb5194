public import ChemActors

/// A place where two tasks meet and swap values.
///
/// ```swift
/// let buffers = Exchanger<[UInt8]>()
/// // the one who fills:
/// full = try await buffers.exchange(full)    // gets an empty one for it
/// // the one who empties:
/// empty = try await buffers.exchange(empty)
/// ```
///
/// One reaction consumes two calls and answers each with the value of the other; it takes the two that have waited
/// longest. A call that is cancelled or times out while it waits is withdrawn, and its value goes nowhere.
///
/// If values go in one direction only, use a ``JoinChannel`` with a capacity of 0.
///
/// Source: `Exchanger` of java.util.concurrent; C. Fournet and G. Gonthier's rendezvous.
public struct Exchanger<Value: Sendable>: Exportable {
    /// Gives a value, and waits for the value of another task.
    ///
    /// `try await exchanger.exchange(x)` waits; `try await exchanger.exchange(x, within: .seconds(1))` waits for at
    /// most a second. It throws `CancellationError` if the task is cancelled, and `CallError` if the time is up. In
    /// both cases no other task has got the value.
    public let exchange: FastMolecule<Value, Value>

    /// An exchanger for any number of pairs.
    ///
    /// - Parameters:
    ///   - name: What the exchanger is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(name: String = "exchanger", fileID: StaticString = #fileID, line: UInt = #line) {
        exchange = Join.define(name, fileID: fileID, line: line) { join in
            let exchange = join.fast("exchange", of: Value.self, returning: Value.self, order: .oldestFirst)
            join.when(exchange, exchange) { one, other in
                one(other.value)
                other(one.value)
            }
            return exchange
        }
    }

    private init(_ exchange: FastMolecule<Value, Value>) {
        self.exchange = exchange
    }

    /// The same exchanger, kept alive by this value.
    public var exported: Exchanger { Exchanger(exchange.exported) }
}
