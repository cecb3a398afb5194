import ChemActors

/// The two ends of a value that will be there: one reaction injects it, one caller waits for it.
///
///     value & result(x) → x, the answer
enum Collector<Value: Sendable> {
    static func define() -> (result: SlowMolecule<Value>, value: FastMolecule<Void, Value>) {
        let (result, value) = Join.define("collector") { join in
            let result = join.slow("result", of: Value.self)
            let value = join.fast("value", returning: Value.self)
            join.answer(value, with: result) { _, x in x }
            return (result, value)
        }
        return (result, value)
    }
}
