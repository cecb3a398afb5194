import ChemBase
import Synchronization

/// Whose children the actors of the process are.
///
/// An actor that ends waits for its children, so one that is below itself would never end. Whoever is to become a child
/// is looked for above its parent, in one step with becoming one: otherwise two actors could become each other's
/// children at the same time. So there is one lock for all. It is held for moments, and nothing is locked under it.
///
/// Actors are known by their numbers here, which keep nobody alive.
enum MailboxFamily {
    /// The parent of each actor that has had one and still exists.
    private static let parents = Guarded<[UInt64: UInt64]>([:])

    /// Makes `child` a child of `parent`, unless it is `parent` itself or above it.
    ///
    /// - Returns: whether it has become one.
    static func adopt(_ child: MailboxCore, by parent: MailboxCore) -> Bool {
        parents.withLock { parents in
            // One that has had no children is above nobody, so new actors cost the same in a family of any depth.
            if child.hasHadChildren.load(ordering: .relaxed) || child === parent {
                var above: UInt64? = parent.number
                while let number = above {
                    if number == child.number { return false }
                    above = parents[number]
                }
            }
            parents[child.number] = parent.number
            parent.hasHadChildren.store(true, ordering: .relaxed)
            return true
        }
    }

    /// The actor is gone.
    static func forget(_ core: MailboxCore) {
        let number = core.number
        parents.withLock { parents in parents[number] = nil }
    }
}
