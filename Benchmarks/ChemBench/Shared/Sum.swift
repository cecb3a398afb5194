import Synchronization

/// A sum that reactions add to at once.
final class Sum: Sendable {
    private let value = Atomic(0)

    func add(_ number: Int) { value.wrappingAdd(number, ordering: .relaxed) }

    var total: Int { value.load(ordering: .relaxed) }
}
