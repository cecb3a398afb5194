/// How long callers have had their threads, whose calls are answered in their own tasks and so never suspend.
///
/// Looking at the clock costs a third of such a call. So it is looked at once in a batch of calls, and before each one
/// only where they take long.
struct AnswerPace {
    /// The time of the last look.
    private var lastLook: UInt64 = 0
    /// When the last call was answered. Known only where each one is looked at.
    var lastEnd: UInt64 = 0
    /// For how long there has been no pause.
    private var busy: UInt64 = 0
    /// Zero while each call is looked at, else one less than the size of a batch.
    private(set) var lookMask = 0
    /// Whether somebody has to give way now.
    private(set) var isLong = false

    /// A call begins that is to be looked at.
    mutating func look(at now: UInt64) {
        let duration = now &- lastLook
        let isBatch = lookMask != 0
        let isWithoutPause = isBatch ? duration < UInt64(Pace.batch) * Pace.longBody : now &- lastEnd < Pace.longBody
        lastLook = now
        busy = isWithoutPause ? busy &+ duration : 0
        isLong = busy > Pace.turn
        if isLong { busy = 0 }
        let isQuick = isBatch ? isWithoutPause : duration < Pace.longBody
        lookMask = isQuick ? Pace.batch - 1 : 0
    }
}
