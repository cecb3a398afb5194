import Foundation

/// A number of rounds that a debug build, and with it ThreadSanitizer, shortens.
package func heavy(_ release: Int, debug: Int) -> Int {
    #if DEBUG
        debug
    #else
        release
    #endif
}

/// How much the tests do that try many seeds.
///
/// Environment: `CHEMACTORS_SOAK=1` for the whole size; `CHEMACTORS_SEED=17` for one seed only, such as the one that
/// has failed.
package enum Soak {
    private static let environment = ProcessInfo.processInfo.environment

    package static let isOn = environment["CHEMACTORS_SOAK"] == "1"

    /// The seeds to try: so many, or `soak` in a soak test.
    package static func seeds(_ count: Int, soak: Int) -> Range<UInt64> {
        if let seed = environment["CHEMACTORS_SEED"].flatMap(UInt64.init) { return seed..<(seed + 1) }
        return 1..<UInt64((isOn ? soak : count) + 1)
    }
}
