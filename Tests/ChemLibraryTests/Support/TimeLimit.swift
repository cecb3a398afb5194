import Testing

extension Trait where Self == TimeLimitTrait {
    /// The test fails if it takes so long that something must be waiting for what never comes: also beside others, and
    /// under a sanitizer.
    static var endsInTime: Self { .timeLimit(.minutes(20)) }
}
