public import Observation

/// The value of a ``Cell`` for views: it changes on the main actor, and notifies the views that have read it.
///
/// ```swift
/// struct TotalView: View {
///     @State private var total: ObservedCell<Int>
///     init(_ cell: Cell<Int>) { _total = State(initialValue: ObservedCell(cell)) }
///     var body: some View { Text("\(total.value)") }
/// }
/// ```
///
/// If the cell changes faster than the main actor can follow, only its last value is shown. The graph never waits for
/// the main actor. An observed cell ends with the cell's graph, and follows the cell as long as it is held.
///
/// The alternative is an ``Outlet`` on the main actor, ``MainOutlet``, which is called for each event.
@MainActor
public final class ObservedCell<Value: Sendable>: Observable {
    private let registrar = ObservationRegistrar()
    private var shown: Value
    private var following: Task<Void, Never>?

    /// Follows `cell`. Seals its graph, if it isn't a constant.
    ///
    /// - Parameters:
    ///   - cell: The cell to follow.
    ///   - name: What the sequence of values that it takes from the cell is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(_ cell: Cell<Value>, name: String = "values", fileID: StaticString = #fileID, line: UInt = #line) {
        guard !cell.handle.node.isConstant else {
            shown = cell.value
            return
        }
        // With the current value, when the sequence begins: what was sent before is perhaps still on its way.
        let values = cell.values(.latest(1), name: name, fileID: fileID, line: line)
        shown = cell.value
        following = Task { [weak self] in
            for await value in values {
                guard let self else { return }
                self.show(value)
            }
        }
    }

    deinit { following?.cancel() }

    /// The value of the cell when the main actor last looked.
    public var value: Value {
        registrar.access(self, keyPath: \.value)
        return shown
    }

    private func show(_ value: Value) { registrar.withMutation(of: self, keyPath: \.value) { shown = value } }
}
