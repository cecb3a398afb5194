import ChemBase
import Synchronization

/// How long callers have kept their threads with calls that are answered in their own tasks and so never suspend.
///
/// Reading the clock costs a third of such a call. So it is read once per batch of calls, and before each call only
/// where calls take long.
struct AnswerPace {
    /// The time of the last look.
    private var lastLook: UInt64 = 0
    /// When the last call was answered. Known only while each call is looked at.
    var lastEnd: UInt64 = 0
    /// How long there has been no pause.
    private var busy: UInt64 = 0
    /// Zero while each call is looked at, otherwise one less than the size of a batch.
    private(set) var lookMask = 0
    /// Whether a caller has to give way now.
    private(set) var isLong = false

    /// Looks at a call that begins at `now`.
    mutating func look(at now: UInt64) {
        let duration = now &- lastLook
        let isBatch = lookMask != 0
        // What a caller does between two calls is no pause as long as it is little beside the calls: it has its thread
        // all the time.
        let isWithoutPause =
            isBatch
            ? duration < UInt64(Pace.batch) * Pace.longBody
            : now &- lastEnd < max(Pace.longBody, duration / 8)
        lastLook = now
        busy = isWithoutPause ? busy &+ duration : 0
        isLong = busy > Pace.turn
        if isLong { busy = 0 }
        let isQuick = isBatch ? isWithoutPause : duration < Pace.longBody
        lookMask = isQuick ? Pace.batch - 1 : 0
    }
}

extension SoupEntry {
    /// Whether calls have been answered in their callers' tasks for so long that the next one has to give way.
    @usableFromInline
    @inline(never)
    func hasAnsweredForLong() -> Bool {
        state.answering.look(at: Pace.now)
        // Calls whose time is up wait for whoever looks, which is each call as long as there are some.
        contents.lookMask = contents.overdueCalls == 0 ? state.answering.lookMask : 0
        if state.answering.isLong { soup.memory.pointee.isWayDue.store(true, ordering: .relaxed) }
        return state.answering.isLong
    }

    /// Whether the next call has to wait, so that its caller gives up the thread.
    var mustGiveWay: Bool { contents.started & contents.lookMask == 0 && hasAnsweredForLong() }

    /// Notes when an answered call has ended, because the next call will be looked at.
    @usableFromInline
    @inline(never)
    consuming func notingAnswerEnd() -> SoupEntry {
        state.answering.lastEnd = Pace.now
        return withdrawingOverdueCalls()
    }
}

extension SoupReference {
    /// Records that an `answer` body has ended in its caller's thread, whose mark was `outer` before.
    @inlinable
    @inline(__always)
    func endAnswer(_ outer: UnsafeMutableRawPointer?) {
        mark(outer)
        var entry = enter()
        if entry.contents.lookMask == 0 { entry = entry.notingAnswerEnd() }
        entry.contents.life.bodyEnded()
        entry.leaveAfterEnd()
    }
}
