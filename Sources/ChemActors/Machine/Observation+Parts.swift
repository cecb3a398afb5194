import ChemBase

extension Observation {
    /// A molecule that a reaction injects or calls, of whichever definition.
    struct Output: Hashable {
        let slot: Slot.Identity
        let definition: String
        let molecule: String
        let isCall: Bool

        /// Whether both belong to definitions of the same name.
        func looksLike(_ other: Output) -> Bool {
            molecule == other.molecule && definition == other.definition && isCall == other.isCall
        }
    }

    /// A reaction that has injected or called a molecule. It may belong to a definition that is gone.
    struct Source {
        let definition: String
        /// The number of that definition.
        let number: UInt32
        /// Which reaction of it, unless its body wasn't followed.
        let reaction: Reaction?

        struct Reaction: Hashable {
            let text: String
            let location: String
        }

        /// Whether both belong to definitions of the same name.
        func looksLike(_ other: Source) -> Bool { definition == other.definition && reaction == other.reaction }
    }

    /// What is seen of a molecule.
    struct OfMolecule {
        var sources: [Source] = []
    }

    /// What is seen of a reaction.
    struct OfReaction {
        var outputs: [Output] = []
    }

    /// A call that a reaction has taken and not answered yet.
    struct Taken {
        weak var call: WaitingCall?
        let reaction: Int
        /// Which start of it, as events keep it.
        let start: UInt64
    }

    /// Who has made a call.
    struct Caller {
        let location: SourceLocation
        /// Its task, by its address, or zero.
        let task: UInt
    }

    /// Who has taken a copy of a molecule last.
    struct Taking {
        /// The reaction, or -1.
        var reaction: Int32 = -1
        /// Whether it has taken it for a call, whose caller is in `callers`.
        var hasCaller = false
        /// Who has made the call that it took with that copy, as events keep it. Zero if it took none.
        var client: UInt64 = 0
    }
}

extension Slot {
    /// Tells a slot from all others. If its definition is observed, also from those that have gone and whose memory it
    /// has.
    struct Identity: Hashable {
        let slot: ObjectIdentifier
        let definition: UInt32
    }

    var identity: Identity { Identity(slot: ObjectIdentifier(self), definition: observedDefinition) }

    /// As above, as a number that isn't zero. Nil if the definition isn't observed.
    var observedNumber: UInt64? {
        let definition = observedDefinition
        return definition == 0 ? nil : UInt64(definition) << 32 | UInt64(UInt32(bitPattern: number))
    }

    private var observedDefinition: UInt32 { header.pointee.soup.join.observation?.number ?? 0 }
}
