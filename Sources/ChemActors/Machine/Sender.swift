import ChemBase
import Synchronization

/// Who injects or calls, if that is observed.
enum Sender {
    /// The body of a reaction, and the number of its start.
    case body(ReactionDescription, UInt32)
    /// The closure of `define`.
    case definition(Join)
    /// Code that belongs to no definition.
    case nobody

    /// Who runs in this task.
    static var current: Sender {
        if let soup = ThreadMark.current {
            if let reaction = ThreadMark.currentReaction, reaction.join.soup == soup {
                return .body(reaction, ThreadMark.currentStart)
            }
            return .definition(soup.join)
        }
        return ofTask
    }

    /// Who runs in this task, whatever its thread is marked as. Callers are asynchronous.
    static var ofTask: Sender {
        BodyScope.current.map { .body($0.reaction, $0.start) } ?? .nobody
    }

    var join: Join? {
        switch self {
        case .body(let reaction, _): reaction.join
        case .definition(let join): join
        case .nobody: nil
        }
    }

    /// The number of the start of `reaction`, if this is its body. Otherwise zero.
    func start(of reaction: ReactionDescription) -> UInt32 {
        if case .body(let mine, let start) = self, mine === reaction { start } else { 0 }
    }

    /// As events keep it.
    var packed: UInt64 {
        guard case .body(let reaction, let start) = self else { return 0 }
        return UInt64(reaction.observation?.number ?? 0) << 32 | UInt64(start)
    }
}

extension ThreadMark {
    /// The reaction whose synchronous body a thread runs, if that is observed, and the number of its start.
    struct Body: BitwiseCopyable, Sendable {
        /// Whoever runs the body keeps it.
        var reaction: Unmanaged<ReactionDescription>?
        var start: UInt32 = 0
    }

    private static let body = ThreadValue(Body())

    static var currentReaction: ReactionDescription? {
        body.existing?.pointee.reaction?.takeUnretainedValue()
    }

    static var currentStart: UInt32 { body.existing?.pointee.start ?? 0 }

    /// Marks this thread as running a body of `description`. Returns what it ran before.
    static func mark(_ description: ReactionDescription, _ number: UInt32) -> Outer {
        let place = body.pointer
        let outer = Outer(place: place, body: place.pointee)
        place.pointee = Body(reaction: .passUnretained(description), start: number)
        return outer
    }

    /// Marks this thread as running what it ran before.
    static func mark(_ outer: Outer) { outer.place.pointee = outer.body }

    struct Outer {
        fileprivate let place: UnsafeMutablePointer<Body>
        fileprivate let body: Body
    }
}

/// The first few molecules that a reaction is known to inject, so that later injections of them cost no lock.
final class KnownOutputs: Sendable {
    private let first = Atomic<UInt64>(0)
    private let second = Atomic<UInt64>(0)
    private let third = Atomic<UInt64>(0)
    private let fourth = Atomic<UInt64>(0)

    /// Whether `slot` wasn't known yet, or there is no room to know it.
    func isNew(_ slot: Slot) -> Bool {
        guard let value = slot.observedNumber else { return true }
        if let isNew = take(first, value) { return isNew }
        if let isNew = take(second, value) { return isNew }
        if let isNew = take(third, value) { return isNew }
        return take(fourth, value) ?? true
    }

    @inline(__always)
    private func take(_ place: borrowing Atomic<UInt64>, _ value: UInt64) -> Bool? {
        var found = place.load(ordering: .relaxed)
        if found == 0 {
            let (isMine, original) = place.compareExchange(expected: 0, desired: value, ordering: .relaxed)
            if isMine { return true }
            found = original
        }
        return found == value ? false : nil
    }
}
