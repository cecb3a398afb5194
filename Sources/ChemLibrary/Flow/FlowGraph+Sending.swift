import ChemActors

// How values and events get into the queue of a graph, by themselves or in transactions.

extension FlowGraph {
    /// Puts a value into the queue, or into the transaction or group that this thread is collecting for this graph.
    @usableFromInline
    package func post(_ node: Int, _ put: @escaping @Sendable () -> Void) {
        var scope = FlowScope.current
        while let each = scope {
            if let transaction = each as? FlowTransaction, transaction.graph === self {
                return transaction.add(put, to: node)
            }
            if let group = each as? FlowGroup, group.graph === self { return group.add(.put(put)) }
            scope = each.outer
        }
        event(.put(put))
    }

    /// The values of one wave in the order in which to put them: nodes at the end of the graph first.
    ///
    /// So a node that is both sent to and written in one wave gets the sent value first, whether or not the operator
    /// that writes it runs at once.
    package func fromTheEnd(_ puts: [(node: Int, put: @Sendable () -> Void)]) -> [@Sendable () -> Void] {
        let places = puts.indices.sorted { (-levels[puts[$0].node], $0) < (-levels[puts[$1].node], $1) }
        return places.map { puts[$0].put }
    }

    /// Puts an end into the queue, after everything that this thread has sent, or has collected for one wave.
    func post(end: FlowEvent) {
        var scope = FlowScope.current
        while let each = scope {
            if let transaction = each as? FlowTransaction, transaction.graph === self {
                return transaction.add(end: end)
            }
            scope = each.outer
        }
        post(end)
    }

    /// Puts an event that belongs to no node into the queue.
    package func post(_ event: FlowEvent) {
        var scope = FlowScope.current
        while let each = scope {
            if let group = each as? FlowGroup, group.graph === self { return group.add(event) }
            scope = each.outer
        }
        self.event(event)
    }

    /// Puts a value into the queue, runs `body`, and keeps the values that `body` sends directly behind the first
    /// value.
    @usableFromInline
    package func post(_ node: Int, _ put: @escaping @Sendable () -> Void, then body: () -> Void) {
        var scope = FlowScope.current
        while let each = scope {
            if (each as? FlowTransaction)?.graph === self || (each as? FlowGroup)?.graph === self {
                post(node, put)
                return body()
            }
            scope = each.outer
        }
        let group = FlowGroup(self)
        group.add(.put(put))
        event(.group(group))
        group.enter(body)
        group.close()
    }

    @usableFromInline
    nonisolated(nonsending) func postAndWait(
        _ put: @escaping @Sendable () -> Void,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        try await wait(for: .put(put), fileID, line)
    }

    /// Puts an event into the queue, and waits until it is done.
    nonisolated(nonsending) func wait(
        for event: FlowEvent,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        if FlowRun.isInside(statisticsBox) {
            throw FlowError(
                .waitsForItself,
                "an operator of graph '\(name)' waits for a wave, which waits for the operator"
            )
        }
        try await call(FlowCall(event: event), fileID: fileID, line: line)
    }

    /// Takes a place of the source `node`, as soon as there is one for this caller.
    @usableFromInline
    nonisolated(nonsending) func takePlace(
        _ node: Int,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> FlowPlace {
        guard let room = rooms[node] else {
            try Task.checkCancellation()
            return FlowPlace(nil)
        }
        try await room.enter(fileID: fileID, line: line)
        return FlowPlace(room.place)
    }

    /// Takes a place of the source `node`, if one is free and nobody waits for it.
    @usableFromInline
    func tryToTakePlace(_ node: Int) -> FlowPlace? {
        guard let room = rooms[node] else { return FlowPlace(nil) }
        return (try? room.enter.tryCall()) != nil ? FlowPlace(room.place) : nil
    }

    /// Tells the waiting core to go on.
    func resume() { resumption() }

    /// Sends several values that all belong to one wave: they are simultaneous.
    ///
    /// ```swift
    /// graph.transaction {
    ///     width.send(3)
    ///     height.send(4)
    /// }   // an operator that takes both runs once
    /// ```
    ///
    /// Collects the values that `body` sends into this graph on this thread; values for other graphs go there as usual.
    /// A source that gets several values keeps the last one; a source that is finished in `body` ends after the wave. A
    /// transaction inside another transaction of the same graph becomes a part of it, unless it throws.
    ///
    /// - Parameter body: Sends the values. It must not wait for the graph.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws. Then nothing is sent.
    public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        var scope = FlowScope.current
        while let each = scope {
            if let outer = each as? FlowTransaction, outer.graph === self { return try outer.nest(body) }
            scope = each.outer
        }
        let transaction = FlowTransaction(self)
        let result = try transaction.enter(body)
        if let event = transaction.event { post(event) }
        for end in transaction.ends { post(end) }
        return result
    }

    /// Sends several values that all belong to one wave, and waits until that wave is done.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Sends the values. It must not wait for the graph.
    /// - Throws: what `body` throws, and then nothing is sent; else as `sendAndWait` of an ``EventSource``.
    nonisolated(nonsending) public func transactionAndWait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: () throws -> Void
    ) async throws {
        let transaction = FlowTransaction(self)
        try transaction.enter(body)
        do {
            if let event = transaction.event { try await wait(for: event, fileID, line) }
        } catch let error as FlowError where error.code == .feedbackLimit {
            for end in transaction.ends { post(end) }
            throw error
        }
        for end in transaction.ends { post(end) }
    }
}
