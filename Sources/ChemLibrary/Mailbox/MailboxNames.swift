import ChemActors

/// The names of an actor's definition that are used outside it.
struct MailboxNames: Exportable {
    /// Where messages arrive.
    enum Mail: Exportable {
        case slow(SlowMolecule<Letter>)
        case bounded(BoundedMolecule<Letter>)

        var exported: Mail {
            switch self {
            case .slow(let molecule): .slow(molecule.exported)
            case .bounded(let molecule): .bounded(molecule.exported)
            }
        }
    }

    let mail: Mail
    let control: SlowMolecule<SentCommand>
    let ask: FastMolecule<AnyAnswerWaiter, Void>
    let ended: FastMolecule<Void, MailboxTermination>

    var exported: MailboxNames {
        MailboxNames(
            mail: mail.exported,
            control: control.exported,
            ask: ask.exported,
            ended: ended.exported
        )
    }
}
