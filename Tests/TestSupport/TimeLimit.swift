package import Testing

extension Trait where Self == TimeLimitTrait {
    /// The test fails if it takes so long that something must be waiting for what never comes.
    ///
    /// All tests run at once on the threads of the machine, so that each may take about as long as all of them
    /// together: also on a slow machine, beside others, and under a sanitizer.
    package static var endsInTime: Self { .timeLimit(.minutes(20)) }
}
