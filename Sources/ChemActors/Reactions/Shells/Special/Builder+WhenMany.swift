// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction that consumes `count` copies of one molecule, with a synchronous body.
    ///
    /// ```swift
    /// join.when(4, of: vote, updating: result) { result, votes in result.add(votes) }
    /// ```
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread. An array of molecules is an
    /// input like any other, so it can stand beside others, too.
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, oldest first if the molecule is.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        _ count: Int, of molecule: A, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable ([A.Input]) throws -> Void) -> Reaction {
        declare(copies(count, of: molecule, fileID: fileID, line: line), NoState(), fileID, line) { _, v in try body(v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful>(
        _ count: Int, of molecule: A, updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, [A.Input]) throws -> Void) -> Reaction {
        declare(copies(count, of: molecule, fileID: fileID, line: line), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ count: Int, of molecule: A, updating s0: U0, _ s1: U1, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, [A.Input]) throws -> Void) -> Reaction {
        declare(copies(count, of: molecule, fileID: fileID, line: line), UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, v) }
    }

    /// Declares a reaction that consumes one copy of each molecule of an array, with a synchronous body.
    ///
    /// ```swift
    /// join.when(all: parts) { parts in whole(parts.reduce(Data(), +)) }
    /// ```
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread. An array of molecules is an
    /// input like any other, so it can stand beside others, too.
    ///
    /// - Parameters:
    ///   - molecules: Molecules of this definition, at least 1. One that stands there twice gives two copies.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, in the order of the array.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        all molecules: [A], fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable ([A.Input]) throws -> Void) -> Reaction {
        declare(nonEmpty(molecules, fileID, line), NoState(), fileID, line) { _, v in try body(v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful>(
        all molecules: [A], updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, [A.Input]) throws -> Void) -> Reaction {
        declare(nonEmpty(molecules, fileID, line), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        all molecules: [A], updating s0: U0, _ s1: U1, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, [A.Input]) throws -> Void) -> Reaction {
        declare(nonEmpty(molecules, fileID, line), UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, v) }
    }

    /// Declares a reaction that consumes `count` copies of one molecule, with an asynchronous body.
    ///
    /// ```swift
    /// join.when(4, of: vote, updating: result) { result, votes in result.add(votes) }
    /// ```
    ///
    /// The body runs in a task of its own and may suspend. An array of molecules is an input like any other, so it can
    /// stand beside others, too.
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, oldest first if the molecule is.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        _ count: Int, of molecule: A, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable ([A.Input]) async throws -> Void) -> Reaction {
        declare(copies(count, of: molecule, fileID: fileID, line: line), NoState(), on: executor, fileID, line) { _, v in try await body(v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful>(
        _ count: Int, of molecule: A, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, [A.Input]) async throws -> Void) -> Reaction {
        declare(copies(count, of: molecule, fileID: fileID, line: line), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ count: Int, of molecule: A, updating s0: U0, _ s1: U1, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, [A.Input]) async throws -> Void) -> Reaction {
        declare(copies(count, of: molecule, fileID: fileID, line: line), UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, v in try await body(&s.0.value, &s.1.value, v) }
    }

    /// Declares a reaction that consumes one copy of each molecule of an array, with an asynchronous body.
    ///
    /// ```swift
    /// join.when(all: parts) { parts in whole(parts.reduce(Data(), +)) }
    /// ```
    ///
    /// The body runs in a task of its own and may suspend. An array of molecules is an input like any other, so it can
    /// stand beside others, too.
    ///
    /// - Parameters:
    ///   - molecules: Molecules of this definition, at least 1. One that stands there twice gives two copies.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, in the order of the array.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule>(
        all molecules: [A], on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable ([A.Input]) async throws -> Void) -> Reaction {
        declare(nonEmpty(molecules, fileID, line), NoState(), on: executor, fileID, line) { _, v in try await body(v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful>(
        all molecules: [A], updating s0: U0, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, [A.Input]) async throws -> Void) -> Reaction {
        declare(nonEmpty(molecules, fileID, line), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        all molecules: [A], updating s0: U0, _ s1: U1, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, [A.Input]) async throws -> Void) -> Reaction {
        declare(nonEmpty(molecules, fileID, line), UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, v in try await body(&s.0.value, &s.1.value, v) }
    }
}
