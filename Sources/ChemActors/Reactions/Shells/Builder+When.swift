// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction, with a synchronous body.
    ///
    /// ```swift
    /// join.when(request, permit) { request, _ in handle(request) }
    /// ```
    ///
    /// The reaction consumes one copy of each input, as soon as all are present. A molecule that stands there twice
    /// gives two copies. The body runs in a worker, concurrently with others. It must not block its thread.
    ///
    /// There are overloads for up to twelve inputs. Beyond that, ``all(_:)`` makes one input of many.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: O(inputs) whenever it runs; declaring is O(inputs × reactions).
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        _ a: A, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input) throws -> Void) -> Reaction {
        declare(a, NoState(), fileID, line) { _, v in try body(v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule>(
        _ a: A, _ b: B, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(a, b), NoState(), fileID, line) { _, v in try body(v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule>(
        _ a: A, _ b: B, _ c: C, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), NoState(), fileID, line) { _, v in try body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), c), d), NoState(), fileID, line) { _, v in try body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 5 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(a, b), c), d), e), NoState(), fileID, line) { _, v in try body(v.0.0.0.0, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 6 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(a, b), c), d), e), f), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 7 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0.0, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 8 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0.0.0, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 9 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 10 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule, J: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input, J.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), j), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 11 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule, J: Molecule, K: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, _ k: K,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input, J.Input, K.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), j), k), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 12 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule, J: Molecule, K: Molecule, L: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, _ k: K, _ l: L,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input, J.Input, K.Input, L.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), j), k), l), NoState(), fileID, line) { _, v in try body(v.0.0.0.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction, with an asynchronous body.
    ///
    /// ```swift
    /// join.when(url, permit) { url, _ in
    ///     page(try await fetch(url))
    ///     permit()
    /// }
    /// ```
    ///
    /// As with a synchronous body; but this one runs in a task of its own and may suspend. Deactivating the definition
    /// cancels the task.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - executor: What the task prefers, such as a ``BlockingExecutor``; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        _ a: A, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input) async throws -> Void) -> Reaction {
        declare(a, NoState(), on: executor, fileID, line) { _, v in try await body(v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule>(
        _ a: A, _ b: B, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(a, b), NoState(), on: executor, fileID, line) { _, v in try await body(v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule>(
        _ a: A, _ b: B, _ c: C, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), c), d), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 5 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(a, b), c), d), e), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 6 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(a, b), c), d), e), f), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 7 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0.0, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 8 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 9 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 10 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule, J: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input, J.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), j), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 11 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule, J: Molecule, K: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, _ k: K,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input, J.Input, K.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), j), k), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 12 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule, J: Molecule, K: Molecule, L: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J, _ k: K, _ l: L,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input, J.Input, K.Input, L.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), j), k), l), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction, with a synchronous body on an executor.
    ///
    /// The body runs in a task of its own that prefers `executor`. On a ``BlockingExecutor`` it may block, also by
    /// functions that aren't available in asynchronous code.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - executor: What the task prefers.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        _ a: A, on executor: any TaskExecutor, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input) throws -> Void) -> Reaction {
        declare(a, NoState(), on: executor, fileID, line) { _, v in try body(v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule>(
        _ a: A, _ b: B, on executor: any TaskExecutor, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(a, b), NoState(), on: executor, fileID, line) { _, v in try body(v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule>(
        _ a: A, _ b: B, _ c: C, on executor: any TaskExecutor, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, on executor: any TaskExecutor, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), c), d), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 5 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, on executor: any TaskExecutor, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(a, b), c), d), e), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0.0.0, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 6 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, on executor: any TaskExecutor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(a, b), c), d), e), f), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0.0.0.0, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 7 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, on executor: any TaskExecutor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0.0.0.0.0, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 8 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, on executor: any TaskExecutor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0.0.0.0.0.0, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 9 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, on executor: any TaskExecutor,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), NoState(), on: executor, fileID, line) { _, v in try body(v.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction, with a body on the main actor.
    ///
    /// The body runs in a task of its own, on the main actor, and may suspend.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - actor: `MainActor.self`.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        _ a: A, on actor: MainActor.Type, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input) async throws -> Void) -> Reaction {
        declare(a, NoState(), on: nil, fileID, line) { _, v in try await body(v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule>(
        _ a: A, _ b: B, on actor: MainActor.Type, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(a, b), NoState(), on: nil, fileID, line) { _, v in try await body(v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule>(
        _ a: A, _ b: B, _ c: C, on actor: MainActor.Type, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, on actor: MainActor.Type, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), c), d), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 5 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, on actor: MainActor.Type, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(a, b), c), d), e), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0.0.0, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 6 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, on actor: MainActor.Type, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(a, b), c), d), e), f), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0.0.0.0, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 7 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, on actor: MainActor.Type,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0.0.0.0.0, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 8 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, on actor: MainActor.Type,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 9 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, on actor: MainActor.Type,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), NoState(), on: nil, fileID, line) { _, v in try await body(v.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }
}
