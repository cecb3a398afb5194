// Written by Scripts/generate-overloads.swift: change that instead.

public import ChemBase

extension Join.Builder {
    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, Argument) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                s0.slot.take()
                site.leave()
                do {
                    try call.finish {
                        try body(&s0.place.pointee, call.argument)
                    } committing: {
                        s0.release()
                    }
                } catch {
                    reaction.failed(
                        error,
                        again: {
                            try call.finish {
                                try body(&s0.place.pointee, call.argument)
                            } committing: {
                                s0.release()
                            }
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { s0.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            s0.slot.take()
            site.leave()
            do {
                let answer = try body(&s0.place.pointee, argument)
                s0.release()
                return answer
            } catch {
                reaction.failed(
                    error,
                    again: {},
                    fail: { _ in true },
                    release: { s0.release($0) }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, Argument, A.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                s0.slot.take()
                site.leave()
                do {
                    try call.finish {
                        try body(&s0.place.pointee, call.argument, x)
                    } committing: {
                        s0.release()
                    }
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            try call.finish {
                                try body(&s0.place.pointee, call.argument, x)
                            } committing: {
                                s0.release()
                            }
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { s0.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            s0.slot.take()
            site.leave()
            do {
                let answer = try body(&s0.place.pointee, argument, x)
                s0.release()
                return answer
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    again: {},
                    fail: { _ in true },
                    release: { s0.release($0) }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, Argument, A.Input, B.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                site.leave()
                do {
                    try call.finish {
                        try body(&s0.place.pointee, call.argument, x, y)
                    } committing: {
                        s0.release()
                    }
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            try call.finish {
                                try body(&s0.place.pointee, call.argument, x, y)
                            } committing: {
                                s0.release()
                            }
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { s0.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            let y = b._take(SoupEntry())
            s0.slot.take()
            site.leave()
            do {
                let answer = try body(&s0.place.pointee, argument, x, y)
                s0.release()
                return answer
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    (b, y),
                    again: {},
                    fail: { _ in true },
                    release: { s0.release($0) }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body and updates several states, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, inout S1, Argument) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                s0.slot.take()
                s1.slot.take()
                site.leave()
                do {
                    try call.finish {
                        try body(&s0.place.pointee, &s1.place.pointee, call.argument)
                    } committing: {
                        s0.release()
                        s1.release()
                    }
                } catch {
                    reaction.failed(
                        error,
                        again: {
                            try call.finish {
                                try body(&s0.place.pointee, &s1.place.pointee, call.argument)
                            } committing: {
                                s0.release()
                                s1.release()
                            }
                        },
                        fail: { call.finish(throwing: $0) },
                        release: {
                            s0.release($0); s1.release($0)
                        }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            s0.slot.take()
            s1.slot.take()
            site.leave()
            do {
                let answer = try body(&s0.place.pointee, &s1.place.pointee, argument)
                s0.release()
                s1.release()
                return answer
            } catch {
                reaction.failed(
                    error,
                    again: {},
                    fail: { _ in true },
                    release: {
                        s0.release($0); s1.release($0)
                    }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body and updates several states, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, inout S1, Argument, A.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                do {
                    try call.finish {
                        try body(&s0.place.pointee, &s1.place.pointee, call.argument, x)
                    } committing: {
                        s0.release()
                        s1.release()
                    }
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            try call.finish {
                                try body(&s0.place.pointee, &s1.place.pointee, call.argument, x)
                            } committing: {
                                s0.release()
                                s1.release()
                            }
                        },
                        fail: { call.finish(throwing: $0) },
                        release: {
                            s0.release($0); s1.release($0)
                        }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            s0.slot.take()
            s1.slot.take()
            site.leave()
            do {
                let answer = try body(&s0.place.pointee, &s1.place.pointee, argument, x)
                s0.release()
                s1.release()
                return answer
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    again: {},
                    fail: { _ in true },
                    release: {
                        s0.release($0); s1.release($0)
                    }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body and updates several states, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout S0, inout S1, Argument, A.Input, B.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                do {
                    try call.finish {
                        try body(&s0.place.pointee, &s1.place.pointee, call.argument, x, y)
                    } committing: {
                        s0.release()
                        s1.release()
                    }
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            try call.finish {
                                try body(&s0.place.pointee, &s1.place.pointee, call.argument, x, y)
                            } committing: {
                                s0.release()
                                s1.release()
                            }
                        },
                        fail: { call.finish(throwing: $0) },
                        release: {
                            s0.release($0); s1.release($0)
                        }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let x = a._take(SoupEntry())
            let y = b._take(SoupEntry())
            s0.slot.take()
            s1.slot.take()
            site.leave()
            do {
                let answer = try body(&s0.place.pointee, &s1.place.pointee, argument, x, y)
                s0.release()
                s1.release()
                return answer
            } catch {
                reaction.failed(
                    error,
                    (a, x),
                    (b, y),
                    again: {},
                    fail: { _ in true },
                    release: {
                        s0.release($0); s1.release($0)
                    }
                )
                throw error
            }
        }
    }

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, Argument) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                do {
                    call.finish(returning: try body(v0, call.argument))
                } catch {
                    reaction.failed(
                        error,
                        again: {
                            call.finish(returning: try body(v0, call.argument))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let v0 = s0.slot.pointee.current.pointee
            site.leave()
            do {
                return try body(v0, argument)
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

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, Argument, A.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                do {
                    call.finish(returning: try body(v0, call.argument, x))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            call.finish(returning: try body(v0, call.argument, x))
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
            let v0 = s0.slot.pointee.current.pointee
            site.leave()
            do {
                return try body(v0, argument, x)
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

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, Argument, A.Input, B.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                do {
                    call.finish(returning: try body(v0, call.argument, x, y))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            call.finish(returning: try body(v0, call.argument, x, y))
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
            let v0 = s0.slot.pointee.current.pointee
            site.leave()
            do {
                return try body(v0, argument, x, y)
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

    /// Declares a reaction that answers `fast` with the result of its body and reads several states, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, Argument) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                do {
                    call.finish(returning: try body(v0, v1, call.argument))
                } catch {
                    reaction.failed(
                        error,
                        again: {
                            call.finish(returning: try body(v0, v1, call.argument))
                        },
                        fail: { call.finish(throwing: $0) },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        } atOnce: { argument in
            let site = fast.slot.pointee.header.site
            let v0 = s0.slot.pointee.current.pointee
            let v1 = s1.slot.pointee.current.pointee
            site.leave()
            do {
                return try body(v0, v1, argument)
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

    /// Declares a reaction that answers `fast` with the result of its body and reads several states, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, Argument, A.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                do {
                    call.finish(returning: try body(v0, v1, call.argument, x))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        again: {
                            call.finish(returning: try body(v0, v1, call.argument, x))
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
            let v0 = s0.slot.pointee.current.pointee
            let v1 = s1.slot.pointee.current.pointee
            site.leave()
            do {
                return try body(v0, v1, argument, x)
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

    /// Declares a reaction that answers `fast` with the result of its body and reads several states, with a synchronous body.
    ///
    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, Argument, A.Input, B.Input) throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declareAnswer(reaction, fast, slots) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                do {
                    call.finish(returning: try body(v0, v1, call.argument, x, y))
                } catch {
                    reaction.failed(
                        error,
                        (a, x),
                        (b, y),
                        again: {
                            call.finish(returning: try body(v0, v1, call.argument, x, y))
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
            let v0 = s0.slot.pointee.current.pointee
            let v1 = s1.slot.pointee.current.pointee
            site.leave()
            do {
                return try body(v0, v1, argument, x, y)
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

    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, Argument) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                s0.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    do {
                        try await call.finish {
                            try await body(&v0.value, call.argument)
                        } committing: {
                            s0.putBack(v0.value)
                        }
                    } catch {
                        reaction.failed(
                            error,
                            again: {
                                try await call.finish {
                                    try await body(&v0.value, call.argument)
                                } committing: {
                                    s0.putBack(v0.value)
                                }
                            },
                            fail: { call.finish(throwing: $0) },
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

    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, Argument, A.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                s0.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    do {
                        try await call.finish {
                            try await body(&v0.value, call.argument, x)
                        } committing: {
                            s0.putBack(v0.value)
                        }
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await call.finish {
                                    try await body(&v0.value, call.argument, x)
                                } committing: {
                                    s0.putBack(v0.value)
                                }
                            },
                            fail: { call.finish(throwing: $0) },
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

    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, Argument, A.Input, B.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    do {
                        try await call.finish {
                            try await body(&v0.value, call.argument, x, y)
                        } committing: {
                            s0.putBack(v0.value)
                        }
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await call.finish {
                                    try await body(&v0.value, call.argument, x, y)
                                } committing: {
                                    s0.putBack(v0.value)
                                }
                            },
                            fail: { call.finish(throwing: $0) },
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

    /// Declares a reaction that answers `fast` with the result of its body and updates several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, inout S1, Argument) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                s0.slot.take()
                s1.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    let v1 = s1.draft()
                    do {
                        try await call.finish {
                            try await body(&v0.value, &v1.value, call.argument)
                        } committing: {
                            s0.putBack(v0.value)
                            s1.putBack(v1.value)
                        }
                    } catch {
                        reaction.failed(
                            error,
                            again: {
                                try await call.finish {
                                    try await body(&v0.value, &v1.value, call.argument)
                                } committing: {
                                    s0.putBack(v0.value)
                                    s1.putBack(v1.value)
                                }
                            },
                            fail: { call.finish(throwing: $0) },
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

    /// Declares a reaction that answers `fast` with the result of its body and updates several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, inout S1, Argument, A.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    let v1 = s1.draft()
                    do {
                        try await call.finish {
                            try await body(&v0.value, &v1.value, call.argument, x)
                        } committing: {
                            s0.putBack(v0.value)
                            s1.putBack(v1.value)
                        }
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                try await call.finish {
                                    try await body(&v0.value, &v1.value, call.argument, x)
                                } committing: {
                                    s0.putBack(v0.value)
                                    s1.putBack(v1.value)
                                }
                            },
                            fail: { call.finish(throwing: $0) },
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

    /// Declares a reaction that answers `fast` with the result of its body and updates several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        updating s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout S0, inout S1, Argument, A.Input, B.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                s0.slot.take()
                s1.slot.take()
                site.leave()
                site.startBody {
                    let v0 = s0.draft()
                    let v1 = s1.draft()
                    do {
                        try await call.finish {
                            try await body(&v0.value, &v1.value, call.argument, x, y)
                        } committing: {
                            s0.putBack(v0.value)
                            s1.putBack(v1.value)
                        }
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                try await call.finish {
                                    try await body(&v0.value, &v1.value, call.argument, x, y)
                                } committing: {
                                    s0.putBack(v0.value)
                                    s1.putBack(v1.value)
                                }
                            },
                            fail: { call.finish(throwing: $0) },
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

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, Argument) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(v0, call.argument))
                    } catch {
                        reaction.failed(
                            error,
                            again: {
                                call.finish(returning: try await body(v0, call.argument))
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

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, Argument, A.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(v0, call.argument, x))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                call.finish(returning: try await body(v0, call.argument, x))
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

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, Argument, A.Input, B.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(v0, call.argument, x, y))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                call.finish(returning: try await body(v0, call.argument, x, y))
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

    /// Declares a reaction that answers `fast` with the result of its body and reads several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, Argument) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(v0, v1, call.argument))
                    } catch {
                        reaction.failed(
                            error,
                            again: {
                                call.finish(returning: try await body(v0, v1, call.argument))
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

    /// Declares a reaction that answers `fast` with the result of its body and reads several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, Argument, A.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(v0, v1, call.argument, x))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            again: {
                                call.finish(returning: try await body(v0, v1, call.argument, x))
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

    /// Declares a reaction that answers `fast` with the result of its body and reads several states, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// If it throws, the caller gets its error.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        _ b: B,
        reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, Argument, A.Input, B.Input) async throws -> Answer
    ) -> Reaction {
        let slots = [fast._slot.header, a._slot.header, b._slot.header, s0.header, s1.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let call = fast.takeCall()
                let x = a._take(SoupEntry())
                let y = b._take(SoupEntry())
                let v0 = s0.slot.pointee.current.pointee
                let v1 = s1.slot.pointee.current.pointee
                site.leave()
                site.startBody {
                    do {
                        call.finish(returning: try await body(v0, v1, call.argument, x, y))
                    } catch {
                        reaction.failed(
                            error,
                            (a, x),
                            (b, y),
                            again: {
                                call.finish(returning: try await body(v0, v1, call.argument, x, y))
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
}
