#if canImport(os)
    import os
#endif

/// Shows bodies as intervals in Instruments, where the system has signposts. Elsewhere it does nothing, and takes no
/// memory.
package struct Signposts: Sendable {
    #if canImport(os)
        private let signposter: OSSignposter?
    #endif

    /// - Parameters:
    ///   - subsystem: Under which subsystem they stand, or nil for none at all.
    ///   - category: Under which category.
    package init(subsystem: String?, category: String) {
        #if canImport(os)
            signposter = subsystem.map { OSSignposter(subsystem: $0, category: category) }
        #endif
    }

    /// Whether somebody may see them.
    package var areOn: Bool {
        #if canImport(os)
            signposter != nil
        #else
            false
        #endif
    }

    /// A body begins.
    ///
    /// - Parameters:
    ///   - number: Tells it from all others of the process. Neither zero nor the greatest one.
    ///   - text: What it is called. Not asked for unless somebody looks on.
    @inline(__always)
    package func begins(_ number: UInt64, _ text: @autoclosure () -> String) {
        #if canImport(os)
            guard let signposter, signposter.isEnabled else { return }
            let text = text()
            _ = signposter.beginInterval("body", id: OSSignpostID(number), "\(text, privacy: .public)")
        #endif
    }

    /// The body with this number has ended.
    @inline(__always)
    package func ends(_ number: UInt64) {
        #if canImport(os)
            guard let signposter, signposter.isEnabled else { return }
            signposter.endInterval("body", OSSignpostIntervalState.beginState(id: OSSignpostID(number)))
        #endif
    }
}
