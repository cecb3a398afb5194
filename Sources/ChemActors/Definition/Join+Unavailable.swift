// What `define` and `make` can't do, declared so that the compiler says what to do instead.
//
// Without the first group, taking apart names that the closure doesn't return gets only "failed to produce diagnostic".
// The price is a second error behind that for a name which is returned and unknown.

extension Join {
    /// Unavailable.
    @available(*, unavailable, message: "the closure returns no names: its last line has to be 'return (…)'")
    public static func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Builder) throws -> Void
    ) rethrows -> (Never, Never) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "the closure returns no names: its last line has to be 'return (…)'")
    public static func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Builder) throws -> Void
    ) rethrows -> (Never, Never, Never) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "the closure returns no names: its last line has to be 'return (…)'")
    public static func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Builder) throws -> Void
    ) rethrows -> (Never, Never, Never, Never) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a closure is for 'define': 'make' takes a structure, a 'JoinDefinition'")
    public static func make<Names>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Builder) throws -> Names
    ) rethrows -> Names {
        fatalError("unavailable")
    }
}

extension ChemicalMachine {
    /// Unavailable.
    @available(*, unavailable, message: "the closure returns no names: its last line has to be 'return (…)'")
    public func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Join.Builder) throws -> Void
    ) rethrows -> (Never, Never) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "the closure returns no names: its last line has to be 'return (…)'")
    public func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Join.Builder) throws -> Void
    ) rethrows -> (Never, Never, Never) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "the closure returns no names: its last line has to be 'return (…)'")
    public func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Join.Builder) throws -> Void
    ) rethrows -> (Never, Never, Never, Never) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a closure is for 'define': 'make' takes a structure, a 'JoinDefinition'")
    public func make<Names>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        _ chemistry: (inout Join.Builder) throws -> Names
    ) rethrows -> Names {
        fatalError("unavailable")
    }
}
