/// A pointer to memory that several threads share, for values and closures that may go anywhere. What protects the
/// memory, and what keeps it, is said where it is declared: mostly it is that of a molecule, which lives as long as its
/// definition and is touched only in the soup.
@frozen
@usableFromInline
struct SharedPointer<Pointee: ~Copyable>: Hashable, @unchecked Sendable {
    @usableFromInline let memory: UnsafeMutablePointer<Pointee>

    @inlinable
    init(_ memory: UnsafeMutablePointer<Pointee>) {
        self.memory = memory
    }
}
