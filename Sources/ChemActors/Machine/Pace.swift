import ChemBase

/// How long is long, in nanoseconds.
enum Pace {
    /// A body that takes longer is long: nothing may wait for it.
    static let longBody: UInt64 = 20_000
    /// A worker that has run for longer lets other tasks have its thread.
    static let turn: UInt64 = 2_000_000
    /// How many reactions run between two looks at the inbox while the soup offers more.
    static let batch = 64
    /// How many reactions a caller runs for others before it waits.
    static let aheadOfWorker = 8

    static var now: UInt64 { Interleaving.time ?? Platform.monotonicNanoseconds }
}
