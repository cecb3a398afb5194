/// A reference to what is touched only in the soup, for values and closures that may go anywhere: a molecule, what a
/// reaction does.
///
/// `Object` isn't `Sendable`: it has no lock of its own. Whoever reads it through this either is in the soup or reads
/// what never changes.
@frozen
@usableFromInline
struct InSoup<Object: AnyObject>: @unchecked Sendable {
    @usableFromInline let object: Object

    @inlinable
    @inline(__always)
    init(_ object: Object) {
        self.object = object
    }
}
