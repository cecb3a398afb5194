// Written by Scripts/generate-overloads.swift: change that instead.

public import ChemBase

extension Join.Builder {
    /// Declares a reaction that updates a state, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable>(
        _ a: A,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, A.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let x = a._take(SoupEntry())
                s0.slot.take()
                site.leave()
                do {
                    try body(&s0.place.pointee, x)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            try body(&s0.place.pointee, x)
                            s0.release()
                        },
                        fail: { _ in false },
                        release: { s0.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone {
                s0.putBack()
            }
        }
    }

    /// Declares a reaction that updates a state, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, A.Input, B.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                site.leave()
                do {
                    try body(&s0.place.pointee, x, y)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            try body(&s0.place.pointee, x, y)
                            s0.release()
                        },
                        fail: { _ in false },
                        release: { s0.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone {
                s0.putBack()
            }
        }
    }

    /// Declares a reaction that updates a state, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, A.Input, B.Input, C.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                s0.slot.take()
                site.leave()
                do {
                    try body(&s0.place.pointee, x, y, z)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        (c, z),
                        again: {
                            try body(&s0.place.pointee, x, y, z)
                            s0.release()
                        },
                        fail: { _ in false },
                        release: { s0.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone {
                s0.putBack()
            }
        }
    }

    /// Declares a reaction that updates several states, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, inout S1, A.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let x = a._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                do {
                    try body(&s0.place.pointee, &s1.place.pointee, x)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            try body(&s0.place.pointee, &s1.place.pointee, x)
                            s0.release()
                            s1.release()
                        },
                        fail: { _ in false },
                        release: {
                            s0.release($0); s1.release($0)
                        }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone {
                s0.putBack()
                s1.putBack()
            }
        }
    }

    /// Declares a reaction that updates several states, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, inout S1, A.Input, B.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                do {
                    try body(&s0.place.pointee, &s1.place.pointee, x, y)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            try body(&s0.place.pointee, &s1.place.pointee, x, y)
                            s0.release()
                            s1.release()
                        },
                        fail: { _ in false },
                        release: {
                            s0.release($0); s1.release($0)
                        }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone {
                s0.putBack()
                s1.putBack()
            }
        }
    }

    /// Declares a reaction that updates several states, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, inout S1, A.Input, B.Input, C.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                do {
                    try body(&s0.place.pointee, &s1.place.pointee, x, y, z)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        (c, z),
                        again: {
                            try body(&s0.place.pointee, &s1.place.pointee, x, y, z)
                            s0.release()
                            s1.release()
                        },
                        fail: { _ in false },
                        release: {
                            s0.release($0); s1.release($0)
                        }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone {
                s0.putBack()
                s1.putBack()
            }
        }
    }

    /// Declares a reaction that reads a state, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable>(
        _ a: A,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, A.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                do {
                    try body(v0, x)
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            try body(v0, x)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that reads a state, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, A.Input, B.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                do {
                    try body(v0, x, y)
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            try body(v0, x, y)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that reads a state, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, A.Input, B.Input, C.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                do {
                    try body(v0, x, y, z)
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        (c, z),
                        again: {
                            try body(v0, x, y, z)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that reads several states, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, A.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                do {
                    try body(v0, v1, x)
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            try body(v0, v1, x)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that reads several states, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, A.Input, B.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                do {
                    try body(v0, v1, x, y)
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            try body(v0, v1, x, y)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that reads several states, with a synchronous body.
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, A.Input, B.Input, C.Input) throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                do {
                    try body(v0, v1, x, y, z)
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        (c, z),
                        again: {
                            try body(v0, v1, x, y, z)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable>(
        _ a: A,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, A.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                s0.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    do {
                        try await body(&v0.value, x)
                        s0.putBack(v0.value)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await body(&v0.value, x)
                                s0.putBack(v0.value)
                            },
                            fail: { _ in false },
                            release: {
                                s0.keep(v0.value); s0.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, A.Input, B.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    do {
                        try await body(&v0.value, x, y)
                        s0.putBack(v0.value)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await body(&v0.value, x, y)
                                s0.putBack(v0.value)
                            },
                            fail: { _ in false },
                            release: {
                                s0.keep(v0.value); s0.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, A.Input, B.Input, C.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                s0.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    do {
                        try await body(&v0.value, x, y, z)
                        s0.putBack(v0.value)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            again: {
                                try await body(&v0.value, x, y, z)
                                s0.putBack(v0.value)
                            },
                            fail: { _ in false },
                            release: {
                                s0.keep(v0.value); s0.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that updates several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, inout S1, A.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    let v1 = s1.draft()
                    do {
                        try await body(&v0.value, &v1.value, x)
                        s0.putBack(v0.value)
                        s1.putBack(v1.value)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await body(&v0.value, &v1.value, x)
                                s0.putBack(v0.value)
                                s1.putBack(v1.value)
                            },
                            fail: { _ in false },
                            release: {
                                s0.keep(v0.value); s0.release($0); s1.keep(v1.value); s1.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that updates several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, inout S1, A.Input, B.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    let v1 = s1.draft()
                    do {
                        try await body(&v0.value, &v1.value, x, y)
                        s0.putBack(v0.value)
                        s1.putBack(v1.value)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await body(&v0.value, &v1.value, x, y)
                                s0.putBack(v0.value)
                                s1.putBack(v1.value)
                            },
                            fail: { _ in false },
                            release: {
                                s0.keep(v0.value); s0.release($0); s1.keep(v1.value); s1.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that updates several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, inout S1, A.Input, B.Input, C.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    let v1 = s1.draft()
                    do {
                        try await body(&v0.value, &v1.value, x, y, z)
                        s0.putBack(v0.value)
                        s1.putBack(v1.value)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            again: {
                                try await body(&v0.value, &v1.value, x, y, z)
                                s0.putBack(v0.value)
                                s1.putBack(v1.value)
                            },
                            fail: { _ in false },
                            release: {
                                s0.keep(v0.value); s0.release($0); s1.keep(v1.value); s1.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that reads a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable>(
        _ a: A,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, A.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        try await body(v0, x)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await body(v0, x)
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

    /// Declares a reaction that reads a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, A.Input, B.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        try await body(v0, x, y)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await body(v0, x, y)
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

    /// Declares a reaction that reads a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, A.Input, B.Input, C.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        try await body(v0, x, y, z)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            again: {
                                try await body(v0, x, y, z)
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

    /// Declares a reaction that reads several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, A.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        try await body(v0, v1, x)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await body(v0, v1, x)
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

    /// Declares a reaction that reads several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, A.Input, B.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        try await body(v0, v1, x, y)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await body(v0, v1, x, y)
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

    /// Declares a reaction that reads several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A,
        _ b: B,
        _ c: C,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, A.Input, B.Input, C.Input) async throws -> Void
    ) -> Reaction {
        let slots = [a._slot.header, b._slot.header, c._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        try await body(v0, v1, x, y, z)
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            again: {
                                try await body(v0, v1, x, y, z)
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
}
