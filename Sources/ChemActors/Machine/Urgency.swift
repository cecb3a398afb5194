/// A task's priority, or none, as a number.
///
/// `TaskPriority` and `ContinuousClock.Instant` aren't frozen: whoever stores one asks its metadata for its size, and
/// so does whoever makes an object that has one. What is stored for each call is plain numbers therefore.
struct Urgency: Comparable {
    private let number: UInt8

    static var none: Urgency { Urgency(number: 0) }

    private init(number: UInt8) {
        self.number = number
    }

    init(_ priority: TaskPriority) {
        number = priority.rawValue
    }

    /// What tasks get for it. Nil for none.
    var priority: TaskPriority? { number == 0 ? nil : TaskPriority(rawValue: number) }

    static func < (first: Urgency, second: Urgency) -> Bool { first.number < second.number }
}
