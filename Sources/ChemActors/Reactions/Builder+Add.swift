import ChemBase

extension Join.Builder {
    /// What a reaction will be called in messages. Stops the program if an input belongs to another definition.
    @usableFromInline
    func describe(_ list: MoleculeList, _ fileID: StaticString, _ line: UInt) -> ReactionDescription {
        let location = SourceLocation(fileID: fileID, line: line)
        for input in list.slots where input.pointee.site != join.site {
            fatalError(
                "ChemActors: definition '\(join.name)' (\(join.location)) has a reaction (\(location)) that consumes "
                    + "'\(input.pointee.description.fullName)': only the definition that declares a molecule can consume it.",
                file: fileID,
                line: line
            )
        }
        return ReactionDescription(
            inputs: list.slots.map(\.pointee.description.name),
            location: location,
            join: join
        )
    }

    /// Adds a reaction.
    @usableFromInline
    func declare(
        _ description: ReactionDescription,
        _ list: MoleculeList,
        isAsynchronous: Bool,
        fire: @escaping @Sendable (SitePointer) -> Void
    ) -> Reaction {
        join.site.pointee.lock.lock()
        let index = join.site.pointee.chemistry.reactions.count
        join.site.pointee.chemistry.add(
            Chemistry.Declaration(
                description: description,
                inputs: list.slots.map(\.pointee.description),
                isAsynchronous: isAsynchronous,
                fire: fire
            )
        )
        join.site.pointee.lock.unlock()
        return Reaction(join: join, index: index)
    }

    /// Adds a reaction that can also answer `fast` in the calling task.
    @usableFromInline
    func declareAnswer<Argument, Answer>(
        _ description: ReactionDescription,
        _ fast: FastMolecule<Argument, Answer>,
        _ list: MoleculeList,
        isStep: Bool = false,
        fire: @escaping @Sendable (SitePointer) -> Void,
        atOnce: @escaping @Sendable (Argument) throws -> Answer
    ) -> Reaction {
        let reaction = declare(description, list, isAsynchronous: false, fire: fire)
        // Under the lock, since a task that the closure has started may be calling already.
        join.site.pointee.lock.lock()
        fast.slot.add(FastSlot.InlineAnswer(reaction: Int32(reaction.index), isStep: isStep, run: atOnce))
        join.site.pointee.lock.unlock()
        return reaction
    }
}
