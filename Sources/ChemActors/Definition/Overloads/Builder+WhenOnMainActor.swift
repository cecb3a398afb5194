// Written by Scripts/generate-overloads.swift: change that instead.

public import ChemBase

extension Join.Builder {
    /// Declares a reaction, with a body on the main actor.
    ///
    /// The body runs in a task of its own, on the main actor.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule>(
        _ a: A,
        on actor: MainActor.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        try await body(x)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await body(x)
                            },
                            fail: { _ in false },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction, with a body on the main actor.
    ///
    /// The body runs in a task of its own, on the main actor.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule>(
        _ a: A,
        _ b: B,
        on actor: MainActor.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        try await body(x, y)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await body(x, y)
                            },
                            fail: { _ in false },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction, with a body on the main actor.
    ///
    /// The body runs in a task of its own, on the main actor.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule>(
        _ a: A,
        _ b: B,
        _ c: C,
        on actor: MainActor.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        try await body(x, y, z)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            again: {
                                try await body(x, y, z)
                            },
                            fail: { _ in false },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction, with a body on the main actor.
    ///
    /// The body runs in a task of its own, on the main actor.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        on actor: MainActor.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (A.Input, B.Input, C.Input, D.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, d._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let w = d._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        try await body(x, y, z, w)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            (d, w),
                            again: {
                                try await body(x, y, z, w)
                            },
                            fail: { _ in false },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction, with a body on the main actor.
    ///
    /// The body runs in a task of its own, on the main actor.
    @discardableResult
    public func when<each M: Molecule>(
        _ molecules: repeat each M,
        on actor: MainActor.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @MainActor @Sendable (repeat (each M).Input) async throws -> Void
    ) -> Reaction {
        var slots: [SlotPointer] = []
        for molecule in repeat each molecules { slots.append(molecule._slot.header) }
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let inputs = (repeat (each molecules)._take(SoupEntry()))
                site.leave()
                site.startBody {
                    do {
                        try await body(repeat each inputs)
                    } catch {
                        reaction.failed(
                            error,
                            repeat (each molecules, each inputs),
                            again: { try await body(repeat each inputs) },
                            fail: { _ in false },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }
}
