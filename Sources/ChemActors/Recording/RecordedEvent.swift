/// Something that has happened in a definition, as its ring keeps it: 32 bytes.
struct RecordedEvent {
    /// In nanoseconds of the monotonic clock.
    var stamp: UInt64
    /// The number of a start or of a call.
    var number: UInt32
    /// How many copies.
    var count: UInt32
    /// Who sends: the number of a start, in the lower half, and of its definition in the upper one. Zero for code that
    /// belongs to no reaction.
    var sender: UInt64
    /// The molecule or the reaction.
    var subject: UInt32
    var kind: Recording.Kind
}
