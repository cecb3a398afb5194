// Forms of `define` that don't exist, declared so that the compiler says what a closure can return. Several values need
// forms of their own: of a pack, it says only that an element could not be inferred.

extension ChemicalMachine {
    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public func define<Other>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> Other
    ) rethrows -> Other {
        fatalError("unavailable")
    }

    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public func define<A, B>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> (A, B)
    ) rethrows -> (A, B) {
        fatalError("unavailable")
    }

    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public func define<A, B, C>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> (A, B, C)
    ) rethrows -> (A, B, C) {
        fatalError("unavailable")
    }

    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public func define<A, B, C, D>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> (A, B, C, D)
    ) rethrows -> (A, B, C, D) {
        fatalError("unavailable")
    }
}

extension Join {
    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public static func define<Other>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> Other
    ) rethrows -> Other {
        fatalError("unavailable")
    }

    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public static func define<A, B>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> (A, B)
    ) rethrows -> (A, B) {
        fatalError("unavailable")
    }

    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public static func define<A, B, C>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> (A, B, C)
    ) rethrows -> (A, B, C) {
        fatalError("unavailable")
    }

    /// Unavailable. Its message says what `define` can return.
    @available(
        *,
        unavailable,
        message:
            "'define' can return names, the control handle, arrays, optionals and sets of them, and types that conform to Exportable"
    )
    public static func define<A, B, C, D>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> (A, B, C, D)
    ) rethrows -> (A, B, C, D) {
        fatalError("unavailable")
    }
}
