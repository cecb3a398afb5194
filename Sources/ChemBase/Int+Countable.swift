extension Int {
    /// As many copies, or as many as can still be added up if those are more than any memory holds.
    @inlinable
    package var countable: Int { Swift.min(self, 1 << 40) }
}
