extension FastMolecule {
    /// Calls `inject`, which injects into the same definition, and then the molecule with `argument`. The reactions
    /// that the injection makes possible may run in a task of their own on this thread, if they are known to be short.
    ///
    /// For the library: a question to a mailbox actor is an injection, and a call that waits for the answer.
    nonisolated(nonsending) package func callAsFunction(
        _ argument: Argument,
        within duration: Duration?,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        after inject: () -> Void
    ) async throws -> Answer {
        let call = makeCall(argument, SourceLocation(fileID: fileID, line: line))
        let hasWorker = DeferredWake.ofWorker(of: call.join, inject)
        if call.enter(within: duration, asWorker: hasWorker) { await call.wait(within: duration, #isolation) }
        return try call.outcome()
    }
}
