/// The waiting calls at whose arguments guards look.
final class GuardedCalls {
    let table: UnsafeMutablePointer<CopyTable>
    private var calls: [Unmanaged<Call>?] = []

    init() {
        table = .allocate(capacity: 1)
        // A reaction that doesn't look at values takes one of the calls as the molecule keeps them.
        table.initialize(to: CopyTable(.none))
    }

    deinit {
        table.deinitialize(count: 1)
        table.deallocate()
    }

    /// The call with this number.
    func call(_ copy: CopyTable.Copy) -> Call? { calls[Int(copy)]?.takeUnretainedValue() }

    /// Adds a call that waits, unless nobody has looked at it yet: its caller is about to.
    func put(_ call: Call, _ entry: borrowing SoupEntry) {
        guard call.copy < 0, let features = call.features else { return }
        let copy = table.pointee.add()
        while calls.count <= Int(copy) { calls.append(nil) }
        // The molecule keeps the calls that wait.
        calls[Int(copy)] = .passUnretained(call)
        call.copy = copy
        table.pointee.index(copy, features.features, entry)
    }

    /// Whether `reaction`, which is possible or for which a search may be under way, may take `call`. One at which
    /// nobody has looked yet may be taken by what is possible.
    func mayBeTaken(
        _ call: Call,
        by reaction: Int,
        duringSearch: Bool,
        _ entry: borrowing SoupEntry
    ) -> Bool {
        guard call.copy >= 0, let features = call.features else { return !duringSearch }
        return table.pointee.mayBeTaken(
            call.copy,
            features.features,
            by: reaction,
            duringSearch: duringSearch,
            entry
        )
    }

    /// What `index` sees of the argument of `call`, if it looks.
    func feature(of call: Call, for index: GuardIndex) -> Feature? {
        guard call.copy >= 0, let features = call.features else { return nil }
        return table.pointee.feature(features.features, for: index)
    }

    func remove(_ call: Call, _ entry: borrowing SoupEntry) {
        guard call.copy >= 0 else { return }
        table.pointee.unindex(call.copy, entry)
        table.pointee.remove(call.copy)
        calls[Int(call.copy)] = nil
        call.copy = -1
        if table.pointee.isOversized {
            table.pointee.giveBack()
            calls = []
        }
    }
}

/// What guards see of the argument of a call. An object, because most calls have none.
@usableFromInline
final class FeaturesOfCall: Sendable {
    @usableFromInline let features: Features

    @usableFromInline
    init(_ features: Features) {
        self.features = features
    }
}
