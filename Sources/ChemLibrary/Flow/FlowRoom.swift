import ChemActors
import Synchronization

/// The room for values of one source that wait: a semaphore in the definition of the graph, so that it ends with it.
struct FlowRoom: Exportable {
    /// Takes a place, as soon as there is one for this caller.
    let enter: FastMolecule<Void, Void>
    /// A place that is free.
    let place: SlowMolecule<Void>

    /// The same room, kept alive by this value.
    var exported: FlowRoom { FlowRoom(enter: enter.exported, place: place.exported) }
}

/// The place of one value among those that wait. It is left once: when the wave of the value begins, or when the value
/// is dropped.
@usableFromInline
package final class FlowPlace: Sendable {
    private let place: SlowMolecule<Void>?
    private let isLeft = Atomic(false)

    /// - Parameter place: What is injected when it is left. Nil where there is room for any number.
    init(_ place: SlowMolecule<Void>?) { self.place = place }

    deinit { leave() }

    @usableFromInline
    func leave() {
        guard let place, !isLeft.exchange(true, ordering: .relaxed) else { return }
        place()
    }
}
