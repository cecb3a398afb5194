// Written by Scripts/generate-overloads.swift: change that instead.

public import ChemBase

extension Join.Builder {
    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                site.leave()
                do {
                    call.finish(returning: try body(call.argument))
                } catch {
                    reaction.failed(
                        error,
                        again: {
                            call.finish(returning: try body(call.argument))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            site.leave()
            do {
                return try body(argument)
            } catch {
                reaction.failed(
                    error,
                    again: {},
                    fail: { _ in true },
                    release: { _ in }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                site.leave()
                do {
                    call.finish(returning: try body(call.argument, x))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            call.finish(returning: try body(call.argument, x))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            site.leave()
            do {
                return try body(argument, x)
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    again: {},
                    fail: { _ in true },
                    release: { _ in }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                site.leave()
                do {
                    call.finish(returning: try body(call.argument, x, y))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            call.finish(returning: try body(call.argument, x, y))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            let y = b._take(SoupEntry())
            site.leave()
            do {
                return try body(argument, x, y)
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    (b, y),
                    again: {},
                    fail: { _ in true },
                    release: { _ in }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        _ c: C,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, c._slot.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                site.leave()
                do {
                    call.finish(returning: try body(call.argument, x, y, z))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        (c, z),
                        again: {
                            call.finish(returning: try body(call.argument, x, y, z))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            let y = b._take(SoupEntry())
            let z = c._take(SoupEntry())
            site.leave()
            do {
                return try body(argument, x, y, z)
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    (b, y),
                    (c, z),
                    again: {},
                    fail: { _ in true },
                    release: { _ in }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, c._slot.header, d._slot.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let w = d._take(SoupEntry())
                site.leave()
                do {
                    call.finish(returning: try body(call.argument, x, y, z, w))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        (c, z),
                        (d, w),
                        again: {
                            call.finish(returning: try body(call.argument, x, y, z, w))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            let y = b._take(SoupEntry())
            let z = c._take(SoupEntry())
            let w = d._take(SoupEntry())
            site.leave()
            do {
                return try body(argument, x, y, z, w)
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    (b, y),
                    (c, z),
                    (d, w),
                    again: {},
                    fail: { _ in true },
                    release: { _ in }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @discardableResult
    public func answer<Argument, Answer, each M: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with molecules: repeat each M,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, repeat (each M).Input) throws -> Answer
    ) -> Reaction {
        var slots: [SlotPointer] = [fast._slot.header]
        for molecule in repeat each molecules { slots.append(molecule._slot.header) }
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let inputs = (repeat (each molecules)._take(SoupEntry()))
                site.leave()
                do {
                    call.finish(returning: try body(call.argument, repeat each inputs))
                } catch {
                    reaction.failed(
                        error,
                        repeat (each molecules, each inputs),
                        again: { call.finish(returning: try body(call.argument, repeat each inputs)) },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let inputs = (repeat (each molecules)._take(SoupEntry()))
            site.leave()
            do {
                return try body(argument, repeat each inputs)
            } catch {
                reaction.failed(
                    error,
                    repeat (each molecules, each inputs),
                    again: {},
                    fail: { _ in true },
                    release: { _ in }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(call.argument))
                    } catch {
                        reaction.failed(
                            error,
                            again: {
                                call.finish(returning: try await body(call.argument))
                            },
                            fail: { call.finish(throwing: $0) },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(call.argument, x))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                call.finish(returning: try await body(call.argument, x))
                            },
                            fail: { call.finish(throwing: $0) },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(call.argument, x, y))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                call.finish(returning: try await body(call.argument, x, y))
                            },
                            fail: { call.finish(throwing: $0) },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        _ c: C,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, c._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(call.argument, x, y, z))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            again: {
                                call.finish(returning: try await body(call.argument, x, y, z))
                            },
                            fail: { call.finish(throwing: $0) },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, c._slot.header, d._slot.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let z = c._take(SoupEntry())
                let w = d._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(call.argument, x, y, z, w))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            (c, z),
                            (d, w),
                            again: {
                                call.finish(returning: try await body(call.argument, x, y, z, w))
                            },
                            fail: { call.finish(throwing: $0) },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @discardableResult
    public func answer<Argument, Answer, each M: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        with molecules: repeat each M,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, repeat (each M).Input) async throws -> Answer
    ) -> Reaction {
        var slots: [SlotPointer] = [fast._slot.header]
        for molecule in repeat each molecules { slots.append(molecule._slot.header) }
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let inputs = (repeat (each molecules)._take(SoupEntry()))
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(call.argument, repeat each inputs))
                    } catch {
                        reaction.failed(
                            error,
                            repeat (each molecules, each inputs),
                            again: { call.finish(returning: try await body(call.argument, repeat each inputs)) },
                            fail: { call.finish(throwing: $0) },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }
}
