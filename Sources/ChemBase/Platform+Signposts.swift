#if canImport(os)
    import os

    /// Shows bodies as intervals in Instruments.
    package struct Signposts: Sendable {
        private let signposter: OSSignposter?

        /// - Parameters:
        ///   - subsystem: Under which subsystem they stand, or nil for none at all.
        ///   - category: Under which category.
        package init(subsystem: String?, category: String) {
            signposter = subsystem.map { OSSignposter(subsystem: $0, category: category) }
        }

        /// Whether somebody may see them.
        package var areOn: Bool { signposter != nil }

        /// A body begins.
        ///
        /// - Parameters:
        ///   - number: Tells it from all others of the process. Neither zero nor the greatest one.
        ///   - text: What it is called. Not asked for unless somebody looks on.
        package func begins(_ number: UInt64, _ text: @autoclosure () -> String) {
            guard let signposter, signposter.isEnabled else { return }
            let text = text()
            _ = signposter.beginInterval("body", id: OSSignpostID(number), "\(text, privacy: .public)")
        }

        /// The body with this number has ended.
        package func ends(_ number: UInt64) {
            guard let signposter, signposter.isEnabled else { return }
            signposter.endInterval("body", OSSignpostIntervalState.beginState(id: OSSignpostID(number)))
        }
    }
#else
    /// Where the system has no signposts: nothing, which takes no memory and no time.
    @frozen
    @usableFromInline
    package struct Signposts: Sendable {
        @inlinable
        package init(subsystem: String?, category: String) {}

        @inlinable package var areOn: Bool { false }

        @inlinable
        package func begins(_ number: UInt64, _ text: @autoclosure () -> String) {}

        @inlinable
        package func ends(_ number: UInt64) {}
    }
#endif
