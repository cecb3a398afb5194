/// A pointer to memory that several threads share, for values and closures that may go anywhere. What protects the
/// memory, and what keeps it, is said where it is declared: mostly it is that of a molecule, which lives as long as its
/// definition and is touched only in the soup.
@frozen
@usableFromInline
package struct SharedPointer<Pointee: ~Copyable>: Hashable, @unchecked Sendable {
    @usableFromInline package let memory: UnsafeMutablePointer<Pointee>

    @inlinable
    @inline(__always)
    package init(_ memory: UnsafeMutablePointer<Pointee>) {
        self.memory = memory
    }
}
