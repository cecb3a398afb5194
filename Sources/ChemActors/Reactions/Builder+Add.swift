import ChemBase
import Synchronization

extension Join.Builder {
    /// Describes a reaction for messages. Stops the program if an input belongs to another definition.
    @usableFromInline
    func describe(_ list: MoleculeList, _ fileID: StaticString, _ line: UInt) -> ReactionDescription {
        let location = SourceLocation(fileID: fileID, line: line)
        let soup = join.soup
        for input in list.slots where input.pointee.soup != soup {
            let slot = input.pointee.slot
            let isOfNamesake = slot.fullName == "\(join.name).\(slot.name)"
            fatalError(
                "ChemActors: definition '\(join.name)' (\(join.location)) has a reaction (\(location)) that consumes "
                    + "'\(slot.fullName)': only the definition that declares a molecule can consume it."
                    + (isOfNamesake ? " What 'Join.make' has returned is made already." : ""),
                file: fileID,
                line: line
            )
        }
        return ReactionDescription(list, location: location, join: join)
    }

    /// Adds a reaction.
    @usableFromInline
    func declare(
        _ description: ReactionDescription,
        _ list: MoleculeList,
        _ course: Course,
        answering slot: CallSlot? = nil,
        fire: @escaping @Sendable (consuming SoupEntry) -> SoupEntry
    ) -> Reaction {
        let observed = description.observed(course, fire)
        let entry = join.soup.enter()
        let index = entry.state.chemistry.reactions.count
        let fire = searching(list, course, index, observed)
        description.notes?.setPlace(
            index,
            isAsynchronous: course == .asynchronous,
            text: join.observation?.showsBodies == true ? description.text : ""
        )
        if course != .step { slot?.isAnsweredByBody.store(true, ordering: .relaxed) }
        if course == .asynchronous { slot?.isAnsweredAsynchronously.store(true, ordering: .relaxed) }
        description.proceeds(course, answering: slot?.header, fire)
        entry.state.chemistry.add(description)
        entry.leaveUnchanged()
        return Reaction(join: join, index: index)
    }

    /// What a reaction does that first has to find inputs that fit together: nothing, if there are none.
    private func searching(
        _ list: MoleculeList,
        _ course: Course,
        _ index: Int,
        _ fire: @escaping @Sendable (consuming SoupEntry) -> SoupEntry
    ) -> @Sendable (consuming SoupEntry) -> SoupEntry {
        guard let search = list.gates.lazy.compactMap({ $0.index as? SearchIndex }).first else { return fire }
        let searchInSoup = InSoup(search)
        return { entry in
            let search = searchInSoup.object
            // It counts as started and running once something is found, since others look meanwhile.
            entry.contents.started &-= 1
            entry.contents.life.bodyEnded()
            entry.contents.life.choreBegan()
            let entry = search.search(entry)
            entry.contents.life.choreEnded()
            if search.hasFound {
                entry.countStart()
                // Calls whose time is up may have counted on what it has found, and may not wait for a long body.
                if entry.contents.overdueCalls != 0 { entry.join.lookAtOverdueCalls() }
                return fire(entry)
            }
            entry.contents.reactions[index].startsNot()
            if search.soup.memory.pointee.isObserved { entry.join.machine.control?.startsNot() }
            // Whoever wanted to fire it ends what is no asynchronous body.
            if course != .asynchronous { entry.contents.life.bodyStarted() }
            return entry
        }
    }

    /// Adds a reaction that can also answer `fast` in the calling task.
    @usableFromInline
    func declareAnswer<Argument, Answer>(
        _ description: ReactionDescription,
        _ fast: FastMolecule<Argument, Answer>,
        _ list: MoleculeList,
        _ course: Course = .synchronous,
        fire: @escaping @Sendable (consuming SoupEntry) -> SoupEntry,
        atOnce: @escaping @Sendable (consuming SoupEntry, Argument) throws -> Answer
    ) -> Reaction {
        // The answer of a step is exported by code of a user if it carries names.
        let isStep = course == .step
        let course = fast.slot.answersNames ? .synchronous : course
        let reaction = declare(description, list, course, answering: isStep ? nil : fast.slot, fire: fire)
        let atOnce = description.observed(fast.slot, atOnce)
        // Inside the soup, because a task that the closure has started may already be calling.
        let entry = join.soup.enter()
        fast.storage.add(FastStorage.InlineAnswer(reaction: Int32(reaction.index), isStep: isStep, run: atOnce), entry)
        entry.leaveUnchanged()
        return reaction
    }
}
