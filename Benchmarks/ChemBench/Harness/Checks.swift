/// A benchmark computed something else than it should.
struct WrongResult: Error, CustomStringConvertible {
    let description: String
}

/// Fails the program unless `result` is what it has to be.
func expect<Value: Equatable>(_ what: String, _ result: Value, is wanted: Value) throws {
    guard result == wanted else { throw WrongResult(description: "\(what): \(result) instead of \(wanted)") }
}

/// Uses `value` in a way that the optimizer can't see through.
@inline(never)
@_optimize(none)
func blackHole(_ value: Int) {}
