/// A member of a heap of deadlines, which knows its place there.
@usableFromInline
package protocol DeadlineHeapMember: AnyObject {
    /// Its index in the heap, or -1. Written by the heap only.
    var place: Int { get set }

    /// Whether its turn comes before that of `other`.
    func isBefore(_ other: Self) -> Bool
}

/// A binary heap: the member whose turn comes first is on top, and any member can be taken out.
///
/// No member comes before its parent, the one at `(place - 1) / 2`.
@usableFromInline
package struct DeadlineHeap<Member: DeadlineHeapMember> {
    @usableFromInline var members: [Member] = []

    @inlinable
    package init() {}

    @inlinable package var count: Int { members.count }

    /// The member whose turn comes first.
    @inlinable package var first: Member? { members.first }

    /// - Complexity: O(log n).
    @inlinable
    package mutating func insert(_ member: Member) {
        member.place = members.count
        members.append(member)
        moveUp(member)
    }

    /// Takes out `member`, which must be in the heap.
    ///
    /// - Complexity: O(log n).
    @inlinable
    package mutating func remove(_ member: Member) {
        let place = member.place
        member.place = -1
        let last = members.removeLast()
        guard last !== member else { return }
        put(last, at: place)
        moveUp(last)
        moveDown(last)
    }

    @inlinable
    mutating func put(_ member: Member, at place: Int) {
        members[place] = member
        member.place = place
    }

    @inlinable
    mutating func moveUp(_ member: Member) {
        var place = member.place
        while place > 0 {
            let parent = members[(place - 1) / 2]
            guard member.isBefore(parent) else { break }
            let above = parent.place
            put(parent, at: place)
            place = above
        }
        put(member, at: place)
    }

    @inlinable
    mutating func moveDown(_ member: Member) {
        var place = member.place
        while true {
            var child = 2 * place + 1
            guard child < members.count else { break }
            if child + 1 < members.count, members[child + 1].isBefore(members[child]) { child += 1 }
            guard members[child].isBefore(member) else { break }
            put(members[child], at: place)
            place = child
        }
        put(member, at: place)
    }
}
