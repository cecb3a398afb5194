import Exploring
public import Testing

/// Runs a test under many schedules: `@Test(.explored(…))`, `@Test(.chemistry(seed: 1...200))`, `@Test(.replay("…"))`.
/// Of a suite, it runs each test so, but for those that have such a trait of their own.
///
/// The body has to make its definitions by `Join.define`, which belong to the machine of the run then.
public struct ExploredTrait: TestTrait, SuiteTrait, TestScoping {
    private let strategy: Result<Strategy, InvalidSchedule>
    private let timeMayPass: Bool
    private let allowance: Allowance
    /// Tells it from others.
    private let identity = Identity()

    private final class Identity: Sendable {}

    fileprivate init(
        _ strategy: Result<Strategy, InvalidSchedule>,
        timeMayPass: Bool,
        allowing allowance: Allowance
    ) {
        self.strategy = strategy
        self.timeMayPass = timeMayPass
        self.allowance = allowance
    }

    /// Whether the tests of a suite have the trait of the suite. They do.
    public var isRecursive: Bool { true }

    /// Itself, if it is the innermost trait of its kind that `test` has, for each case. Otherwise nil.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its arguments, or nil if it isn't about one of its cases.
    /// - Returns: what runs the body.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ExploredTrait? {
        guard !test.isSuite, testCase != nil else { return nil }
        let innermost = test.traits.lazy.compactMap { $0 as? ExploredTrait }.last
        return innermost?.identity === identity ? self : nil
    }

    /// Runs the body of `test` once for each schedule.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its arguments.
    ///   - function: The body.
    /// - Throws: ``InvalidSchedule`` if there is nothing to replay.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let strategy = try strategy.get()
        try await withoutActuallyEscaping(function) { function in
            let body = BorrowedBody(function)
            let references = body.references
            defer { body.letGo(downTo: references) }
            try await explore(strategy, at: test.sourceLocation, function)
        }
    }

    private func explore(
        _ strategy: Strategy,
        at location: SourceLocation,
        _ function: @escaping @concurrent @Sendable () async throws -> Void
    ) async throws {
        let exploration = Exploration(
            strategy,
            timeMayPass: timeMayPass,
            allowing: allowance,
            muting: mute,
            { _ in try await function() }
        )
        try await exploration.report(at: location)
    }
}

extension Trait where Self == ExploredTrait {
    /// Runs the test under many schedules, as ``explore(_:timeMayPass:allowing:sourceLocation:_:)`` does with a body.
    ///
    /// ```swift
    /// @Test(.explored(.random(500))) func nobodyIsForgotten() async throws {
    ///     let (put, take) = Join.define("box") { join in … }
    ///     …
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - strategy: Which schedules.
    ///   - timeMayPass: Whether a deadline may come at any step.
    ///   - allowance: What the test may leave behind.
    /// - Returns: the trait.
    public static func explored(
        _ strategy: Strategy = .mixed(),
        timeMayPass: Bool = false,
        allowing allowance: Allowance = []
    ) -> Self {
        ExploredTrait(.success(strategy), timeMayPass: timeMayPass, allowing: allowance)
    }

    /// Explains what is missing.
    @available(*, unavailable, message: "write '.explored()'")
    @_documentation(visibility: internal)
    public static var explored: Self { .explored() }

    /// Runs the test once for each seed, on a machine that makes all choices by it.
    ///
    /// ```swift
    /// @Test(.chemistry(seed: 1...200)) func nobodyIsForgotten() async throws { … }
    /// ```
    ///
    /// - Parameters:
    ///   - seed: The seeds. What is chosen depends on them and on nothing else.
    ///   - timeMayPass: Whether a deadline may come at any step.
    ///   - allowance: What the test may leave behind.
    /// - Returns: the trait.
    public static func chemistry(
        seed: ClosedRange<Int>,
        timeMayPass: Bool = false,
        allowing allowance: Allowance = []
    ) -> Self {
        ExploredTrait(.success(.seeds(seed)), timeMayPass: timeMayPass, allowing: allowance)
    }

    /// Runs the test once, under the schedule that a failure has printed.
    ///
    /// ```swift
    /// @Test(.replay("chem1:7f3a:12.1,40.2")) func nobodyIsForgotten() async throws { … }
    /// ```
    ///
    /// The test fails with ``InvalidSchedule`` if `token` isn't one.
    ///
    /// - Parameters:
    ///   - token: What the failure has printed.
    ///   - timeMayPass: What it was under which it failed.
    ///   - allowance: What it was under which it failed.
    /// - Returns: the trait.
    public static func replay(_ token: String, timeMayPass: Bool = false, allowing allowance: Allowance = []) -> Self {
        let strategy = Result { () throws(InvalidSchedule) in try Strategy.replay(token) }
        return ExploredTrait(strategy, timeMayPass: timeMayPass, allowing: allowance)
    }
}
