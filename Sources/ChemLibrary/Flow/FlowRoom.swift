import ChemActors
import Synchronization

/// The semaphore for the waiting values of one source. It belongs to the definition of the graph, so it ends with it.
struct FlowRoom: Exportable {
    /// Takes a place, as soon as there is one for this caller.
    let enter: FastMolecule<Void, Void>
    /// A free place.
    let place: SlowMolecule<Void>

    /// The same room, kept alive by this value.
    var exported: FlowRoom { FlowRoom(enter: enter.exported, place: place.exported) }
}

/// The place of one waiting value. It is left once: when the wave of the value begins, or when the value is dropped.
@usableFromInline
package final class FlowPlace: Sendable {
    private let place: SlowMolecule<Void>?
    private let isLeft = Atomic(false)

    /// - Parameter place: The molecule to inject when the place is left. Nil if there is no capacity.
    init(_ place: SlowMolecule<Void>?) { self.place = place }

    deinit { leave() }

    @usableFromInline
    func leave() {
        guard let place, !isLeft.exchange(true, ordering: .relaxed) else { return }
        place()
    }
}
