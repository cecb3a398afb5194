// How a reaction proceeds, whatever its inputs and states are and however its body runs: it takes its inputs, leaves
// the soup, runs the body, and commits the states or does what the definition's failure policy says. `when` and
// `answer` only combine molecules and states, and take their values apart.

extension Join.Builder {
    /// A reaction with a synchronous body.
    ///
    /// `body` gets the places of the states, and the inputs.
    @inlinable
    @inline(__always)
    func declare<Inputs: Molecule, States: StateUse>(
        _ inputs: Inputs,
        _ states: States,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @Sendable (States.Places, Inputs.Input) throws -> Void
    ) -> Reaction {
        let list = list(inputs, states)
        let reaction = describe(list, fileID, line)
        return declare(reaction, list, .synchronous) { entry in
            let soup = entry.soup
            var done: States.Places?
            // The lifetime of the inputs ends with this block: their `deinit` must not run in the soup.
            do {
                let values = inputs._take(entry)
                let places = states.take(entry)
                entry.leave()
                do {
                    try body(places, values)
                    states.look(at: places)
                    done = places
                } catch {
                    let again: @Sendable () throws -> Void = {
                        try body(places, values)
                        states.release(places, soup)
                    }
                    reaction.failed(error, inputs, values, .synchronous(again), caller: .none) {
                        states.giveUp(places, soup, asInitially: $0)
                    }
                }
            }
            // Commits in the entry of the soup that the worker needs anyway.
            let back = soup.enter()
            guard let done else { return back }
            return states.commit(done, back)
        }
    }

    /// A reaction whose body runs in a task of its own.
    ///
    /// `executor` is the task's preferred executor, if there is one; `body` gets drafts of the states, and the inputs.
    @inlinable
    @inline(__always)
    func declare<Inputs: Molecule, States: StateUse>(
        _ inputs: Inputs,
        _ states: States,
        on executor: (any TaskExecutor)?,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @Sendable (States.Drafts, Inputs.Input) async throws -> Void
    ) -> Reaction {
        let list = list(inputs, states)
        let reaction = describe(list, fileID, line)
        return declare(reaction, list, .asynchronous) { entry in
            let soup = entry.soup
            do {
                let values = inputs._take(entry)
                let places = states.take(entry)
                entry.leave()
                soup.startBody(of: reaction, on: executor) {
                    let drafts = states.drafts(of: places)
                    do {
                        try await body(drafts, values)
                        states.commit(drafts, places, soup)
                    } catch {
                        let again: @Sendable () async throws -> Void = {
                            try await body(drafts, values)
                            states.commit(drafts, places, soup)
                        }
                        reaction.failed(error, inputs, values, .asynchronous(again, of: nil), caller: .none) {
                            states.giveUp(drafts, places, soup, asInitially: $0)
                        }
                    }
                }
            }
            return soup.enter()
        }
    }

    /// A reaction that answers `fast` with what its synchronous body returns, in the calling task if it is possible at
    /// once.
    ///
    /// `body` gets the places of the states, the call's argument, and the other inputs.
    @inlinable
    @inline(__always)
    func declare<Argument, Answer, Inputs: Molecule, States: StateUse>(
        answering fast: FastMolecule<Argument, Answer>,
        _ inputs: Inputs,
        _ states: States,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @Sendable (States.Places, Argument, Inputs.Input) throws -> Answer
    ) -> Reaction {
        let list = list(Both(fast, inputs), states)
        let reaction = describe(list, fileID, line)
        let fire = answer(fast, inputs, states, reaction, body)
        return declareAnswer(reaction, fast, list, fire: fire) { entry, argument in
            let soup = entry.soup
            let values = inputs._take(entry)
            let places = states.take(entry)
            entry.leave()
            do {
                let answer = try body(places, argument, values)
                states.release(places, soup)
                return answer
            } catch {
                // Definitions that retry don't answer in the calling task, so there is nothing to try again.
                reaction.failed(error, inputs, values, .synchronous({}), caller: .here) {
                    states.giveUp(places, soup, asInitially: $0)
                }
                throw error
            }
        }
    }

    /// As above, for a call that a guard chooses. It's never possible before the call is in the soup.
    @inlinable
    @inline(__always)
    func declare<Argument, Answer, Inputs: Molecule, States: StateUse>(
        answering chosen: ChosenCall<Argument, Answer>,
        _ inputs: Inputs,
        _ states: States,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @Sendable (States.Places, Argument, Inputs.Input) throws -> Answer
    ) -> Reaction {
        let list = list(Both(chosen, inputs), states)
        let reaction = describe(list, fileID, line)
        let fire = answer(chosen, inputs, states, reaction, body)
        return declare(reaction, list, .synchronous, answering: chosen.fast.slot, fire: fire)
    }

    /// What such a reaction does when the call is in the soup.
    @inlinable
    @inline(__always)
    func answer<Source: CallSource, Inputs: Molecule, States: StateUse>(
        _ source: Source,
        _ inputs: Inputs,
        _ states: States,
        _ reaction: ReactionDescription,
        _ body: @escaping @Sendable (States.Places, Source.Argument, Inputs.Input) throws -> Source.Answer
    ) -> @Sendable (consuming SoupEntry) -> SoupEntry {
        { entry in
            let soup = entry.soup
            do {
                let call = source.takeCall(entry)
                let values = inputs._take(entry)
                let places = states.take(entry)
                entry.leave()
                call.perform {
                    do {
                        // The caller may look at the states: they are committed before it is resumed.
                        let answer = try body(places, call.argument, values)
                        states.release(places, soup)
                        call.finish(returning: answer)
                    } catch {
                        let again: @Sendable () throws -> Void = {
                            try call.performAgain {
                                let answer = try body(places, call.argument, values)
                                states.release(places, soup)
                                call.finish(returning: answer)
                            }
                        }
                        call.renewContext()
                        reaction.failed(error, inputs, values, .synchronous(again), caller: .waiting(call)) {
                            states.giveUp(places, soup, asInitially: $0)
                        }
                    }
                }
            }
            return soup.enter()
        }
    }

    /// A reaction that answers `fast` with the result of a body that runs in a task of its own.
    ///
    /// `executor` is the task's preferred executor, if there is one; `body` gets drafts of the states, the call's
    /// argument, and the other inputs.
    @inlinable
    @inline(__always)
    func declare<Source: CallSource, Inputs: Molecule, States: StateUse>(
        answering source: Source,
        _ inputs: Inputs,
        _ states: States,
        on executor: (any TaskExecutor)?,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @Sendable (States.Drafts, Source.Argument, Inputs.Input) async throws -> Source.Answer
    ) -> Reaction {
        let list = list(Both(source, inputs), states)
        let reaction = describe(list, fileID, line)
        return declare(reaction, list, .asynchronous, answering: source.fast.slot) { entry in
            let soup = entry.soup
            do {
                let call = source.takeCall(entry)
                let values = inputs._take(entry)
                let places = states.take(entry)
                entry.leave()
                call.startBody(of: reaction, on: executor) {
                    let drafts = states.drafts(of: places)
                    // A function, since a closure that may be kept would need memory for each call.
                    @Sendable func attempt() async throws {
                        try await call.finish {
                            try await body(drafts, call.argument, values)
                        } committing: {
                            states.commit(drafts, places, soup)
                        }
                    }
                    do {
                        try await attempt()
                    } catch {
                        call.renewContext()
                        let again = Recovery.Attempt.asynchronous(attempt, of: call)
                        reaction.failed(error, inputs, values, again, caller: .waiting(call)) {
                            states.giveUp(drafts, places, soup, asInitially: $0)
                        }
                    }
                }
            }
            return soup.enter()
        }
    }

    /// What a reaction consumes and updates.
    @inlinable
    func list<Inputs: Molecule, States: StateUse>(_ inputs: Inputs, _ states: States) -> MoleculeList {
        var list = MoleculeList()
        inputs._list(in: &list)
        list.inputCount = list.slots.count
        states.list(in: &list)
        return list
    }
}
