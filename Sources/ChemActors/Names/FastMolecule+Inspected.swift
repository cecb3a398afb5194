// Calls of molecules at which somebody looks: they have parts, or a control may interrupt their callers.

extension FastMolecule {
    /// What comes first in a call of a molecule at which somebody looks: the part to which it belongs, if there is one,
    /// and otherwise the place at which a control may interrupt the caller.
    @usableFromInline
    func begin(with argument: Argument) -> FastMolecule? {
        if let part = part(for: argument) { return part }
        storage.pointee.header.soup.mayBeInterrupted()
        return nil
    }

    /// Does what `tryCall` does, for molecules at which somebody looks.
    @usableFromInline
    func tryInspectedCall(_ argument: Argument) throws -> Answer? {
        if let part = begin(with: argument) { return try part.tryCall(argument) }
        let soup = storage.pointee.header.soup
        defer { soup.bodyHasActed() }
        guard storage.pointee.allowsInline else { return try tryCallElsewhere(argument) }
        return try answerNow(argument, isTry: true)
    }
}
