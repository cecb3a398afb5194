public import ChemActors
public import Logging

extension ChemicalMachine {
    /// Logs why calls wait, one line for each.
    ///
    /// ```swift
    /// machine.logStuckCalls(after: .seconds(30), to: logger)
    /// ```
    ///
    /// The metadata has `call`, `location`, `wait` in seconds, and `roots`: what everything comes from.
    ///
    /// - Parameters:
    ///   - duration: Leaves out calls that have been waiting for less.
    ///   - logger: Where to.
    ///   - level: How. A warning by default.
    /// - Returns: how many calls wait.
    /// - Complexity: That of ``ChemActors/ChemicalMachine/explainStuck(after:)``.
    @discardableResult
    public func logStuckCalls(after duration: Duration, to logger: Logger, level: Logger.Level = .warning) -> Int {
        let calls = explainStuck(after: duration).calls
        for call in calls {
            let roots = call.causes.flatMap(\.roots)
            logger.log(
                level: level,
                "\(call.molecule) waits: \(roots.joined(separator: "; "))",
                metadata: [
                    "call": "\(call.molecule)",
                    "location": "\(call.location)",
                    "wait": "\(call.duration / .seconds(1))",
                    "roots": .array(roots.map { "\($0)" }),
                ],
                source: "ChemActors"
            )
        }
        return calls.count
    }
}
