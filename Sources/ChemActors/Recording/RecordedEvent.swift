/// Something that has happened in a definition, as its ring keeps it: 32 bytes.
struct RecordedEvent {
    /// In nanoseconds of the monotonic clock.
    var stamp: UInt64
    /// The number of a start or of a call; of an injection, that of its text.
    var number: UInt32
    /// How many copies; of a call, the number of its text; or, if the end is part of this event, how many
    /// nanoseconds the body took.
    private var amount: UInt32
    /// Who sends: the number of a start, in the lower half, and of its definition in the upper one. Zero for code that
    /// belongs to no reaction.
    var sender: UInt64
    /// The molecule or the reaction.
    var subject: UInt32
    var kind: Recording.Kind
    /// Whether this is the start of a body and its end.
    var hasEnded = false

    init(stamp: UInt64, number: UInt32, count: UInt32, sender: UInt64, subject: UInt32, kind: Recording.Kind) {
        self.stamp = stamp
        self.number = number
        amount = count
        self.sender = sender
        self.subject = subject
        self.kind = kind
    }

    /// How many copies.
    var count: UInt32 { hasEnded ? 0 : amount }

    /// The number of what is to be said of its value, or zero.
    var text: UInt32 {
        switch kind {
        case .injected: number
        case .called: amount
        default: 0
        }
    }

    /// How long the body took, if it has ended.
    var duration: UInt32 {
        get { amount }
        set { amount = newValue }
    }

    /// The start alone.
    var withoutEnd: RecordedEvent {
        RecordedEvent(stamp: stamp, number: number, count: count, sender: sender, subject: subject, kind: kind)
    }

    /// The end alone.
    var end: RecordedEvent? {
        guard hasEnded else { return nil }
        return RecordedEvent(
            stamp: stamp + UInt64(duration),
            number: number,
            count: 0,
            sender: 0,
            subject: subject,
            kind: .ended
        )
    }
}
