import Exploring
public import Testing

/// Runs a test under many schedules: `@Test(.explored(…))`.
public struct ExploredTrait: TestTrait, TestScoping {
    let strategy: Strategy
    let timeMayPass: Bool

    /// Runs the body of `test` once for each schedule.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Exploration(strategy, timeMayPass: timeMayPass, muting: mute) { _ in try await function() }
                .report(at: test.sourceLocation)
        }
    }
}

extension Trait where Self == ExploredTrait {
    /// Runs the test under many schedules, as ``explore(_:timeMayPass:sourceLocation:_:)`` does with a body.
    ///
    /// ```swift
    /// @Test(.explored(.random(500))) func nobodyIsForgotten() async throws {
    ///     let (put, take) = Join.define("box") { join in … }
    ///     …
    /// }
    /// ```
    ///
    /// The body has to make its definitions by `Join.define`, which belong to the machine of the run then.
    ///
    /// - Parameters:
    ///   - strategy: Which schedules.
    ///   - timeMayPass: Whether a deadline may come at any step.
    /// - Returns: the trait.
    public static func explored(_ strategy: Strategy = .deviations(), timeMayPass: Bool = false) -> Self {
        ExploredTrait(strategy: strategy, timeMayPass: timeMayPass)
    }
}
