/// What somebody has to do with a definition, besides injecting. What else objects of the library keep counts as part
/// of their definitions.
@usableFromInline
package enum Touch: Sendable {
    /// What happens depends on all that it holds: it is asked for it, or for what it lacks.
    case looks
    /// It depends on one molecule, by its place among the others: what it holds is read, or withdrawn.
    case looksAt(Int)
    /// It depends on whether a call of one molecule can be answered now.
    case tries(Int)
    /// It depends on what the definition may do.
    case obeys
    /// It decides what the definition may do from now on: pauses, resumes, clears, deactivates or activates it.
    case controls
}
