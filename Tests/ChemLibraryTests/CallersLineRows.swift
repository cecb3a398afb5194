import ChemActors
import ChemLibrary
import Testing

/// An object, which is made one line below the title, and what waits for it, two lines below that.
struct Row: Sendable, CustomTestStringConvertible {
    /// The type and the operation.
    let title: String
    /// What the definition is called that a caller waits in.
    let name: String
    /// Where that is made.
    let definition: String
    /// Where the call is. Nil if nobody can wait.
    let call: String?
    let start: @Sendable (ChemicalMachine) -> Task<Void, any Error>

    var testDescription: String { title }

    static let all: [Row] = {
        var rows: [Row] = []
        addLocks(to: &rows)
        addChannels(to: &rows)
        addValues(to: &rows)
        addJobs(to: &rows)
        addTimes(to: &rows)
        addMailboxes(to: &rows)
        addGraphs(to: &rows)
        return rows
    }()

    private static func addLocks(to rows: inout [Row]) {
        rows.add("AsyncMutex.withLock") {
            AsyncMutex(1, name: "it")
        } wait: { it in
            try await it.withLock { (_: inout Int) in try await it.withLock { (_: inout Int) in } }
        }
        rows.add("AsyncMutex.withLock") {
            AsyncMutex(name: "it")
        } wait: { it in
            try await it.withLock { try await it.withLock {} }
        }
        rows.add("AsyncMutex.withLock") {
            AsyncMutex(name: "it")
        } wait: { it in
            try await it.withLock { try await it.withLock(within: .seconds(3600)) { _ in } }
        }
        rows.add("AsyncSemaphore.acquire") {
            AsyncSemaphore(permits: 0, name: "it")
        } wait: {
            try await $0.acquire()
        }
        rows.add("AsyncSemaphore.withPermit") {
            AsyncSemaphore(permits: 0, name: "it")
        } wait: {
            try await $0.withPermit {}
        }
        rows.add("ReadWriteLock.withReadLock") {
            ReadWriteLock(name: "it")
        } wait: { it in
            try await it.withWriteLock { try await it.withReadLock {} }
        }
        rows.add("ReadWriteLock.withWriteLock") {
            ReadWriteLock(name: "it")
        } wait: { it in
            try await it.withReadLock { try await it.withWriteLock {} }
        }
        rows.add("Condition.wait") {
            Condition(1, name: "it")
        } wait: {
            _ = try await $0.wait { $0 == 2 }
        }
        rows.add("Condition.update") {
            Condition(1, name: "it")
        } wait: {
            try await $0.update(when: { $0 == 2 }) { $0 += 1 }
        }
        rows.add("Barrier.arrive") {
            Barrier(parties: 2, name: "it")
        } wait: {
            try await $0.arrive()
        }
        rows.add("Barrier.arrive") {
            Barrier(parties: 2, name: "it") {}
        } wait: {
            try await $0.arrive()
        }
        rows.add("Exchanger.exchange") {
            Exchanger<Int>(name: "it")
        } wait: {
            _ = try await $0.exchange(1)
        }
        rows.add("Latch.wait") {
            Latch(count: 1, name: "it")
        } wait: {
            try await $0.wait()
        }
        rows.add("WorkerPool.perform") {
            WorkerPool(workers: 1, name: "it")
        } wait: { it in
            try await it.perform { try await it.perform {} }
        }
        rows.add("ResourcePool.withResource") {
            ResourcePool(atMost: 1, name: "it") { 1 }
        } wait: { it in
            try await it.withResource { _ in try await it.withResource { _ in } }
        }
        rows.add("ResourcePool.withResource") {
            ResourcePool([1], name: "it")
        } wait: { it in
            try await it.withResource { _ in try await it.withResource { _ in } }
        }
    }

    private static func addChannels(to rows: inout [Row]) {
        rows.add("JoinChannel.send") {
            JoinChannel<Int>(capacity: 0, name: "it")
        } wait: {
            try await $0.send(1)
        }
        rows.add("JoinChannel.send") {
            JoinChannel<Int>(capacity: 1, name: "it")
        } wait: { it in
            for n in 0...1 { try await it.send(n, within: .seconds(3600)) }
        }
        rows.add("JoinChannel.receive") {
            JoinChannel<Int>.unbounded(name: "it")
        } wait: {
            _ = try await $0.receive()
        }
        rows.add("JoinChannel.receive") {
            JoinChannel<Int>(capacity: 1, name: "it")
        } wait: {
            _ = try await $0.receive(within: .seconds(3600))
        }
        rows.add("JoinChannel.unbounded", callLine: 1) {
            JoinChannel<Int>.unbounded(name: "it")
        } wait: {
            for await _ in $0 {}
        }
        rows.add("JoinChannel.makeAsyncIterator", callLine: 1) {
            JoinChannel<Int>(capacity: 0, name: "it")
        } wait: {
            for await _ in $0 {}
        }
        rows.add("Select.receive") {
            JoinChannel<Int>(capacity: 1, name: "it")
        } wait: {
            _ = try await Select(.from($0)).receive()
        }
        rows.add("Select.receive") {
            JoinChannel<Int>(capacity: 1, name: "it")
        } wait: {
            _ = try await Select(.from($0), .from($0)).receive()
        }
        rows.add("PriorityQueue.take") {
            PriorityQueue<Int, Int>(name: "it")
        } wait: {
            _ = try await $0.take()
        }
        rows.add("Topic.init", callLine: nil) {
            Topic<Int>(name: "it")
        } wait: {
            $0.publish(1)
        }
        rows.add("Subscription.makeAsyncIterator", definitionLine: 3) {
            Topic<Int>()
        } wait: {
            for await _ in $0.subscribe(name: "it") {}
        }
        rows.add("Subscription.next", definitionLine: 3, callLine: 4) {
            Topic<Int>()
        } wait: {
            let subscription = $0.subscribe(name: "it")
            _ = try await subscription.next()
            // One that nobody holds has left, and a topic that nobody holds is over.
            extendLifetime((subscription, $0))
        }
    }

    private static func addValues(to rows: inout [Row]) {
        rows.add("JoinCounter.value", pauses: true) {
            JoinCounter(name: "it")
        } wait: {
            _ = try await $0.value()
        }
        rows.add("JoinPromise.init") {
            JoinPromise<Int>(name: "it")
        } wait: {
            _ = try await $0.future.value()
        }
        rows.add("JoinFuture.value") {
            JoinPromise<Int>(name: "it")
        } wait: {
            _ = try await $0.future.value(within: .seconds(3600))
        }
        rows.add("SharedRefresh.value", in: "it.promise") {
            SharedRefresh<Int>(name: "it") { try await never() }
        } wait: {
            _ = try await $0.value()
        }
        rows.add("SharedRefresh.value", pauses: true) {
            SharedRefresh<Int>(name: "it") { try await never() }
        } wait: {
            _ = try await $0.value()
        }
        rows.add("SingleFlight.value", in: "it.promise") {
            SingleFlight<Int, Int>(name: "it") { _ in try await never() }
        } wait: {
            _ = try await $0.value(for: 1)
        }
        rows.add("Switch.on", pauses: true) {
            Switch(isOn: true, name: "it")
        } wait: {
            try await $0.on()
        }
        rows.add("Switch.off", pauses: true) {
            Switch(isOn: true, name: "it")
        } wait: {
            try await $0.off()
        }
        rows.add("Switch.isOn", pauses: true) {
            Switch(isOn: true, name: "it")
        } wait: {
            _ = try await $0.isOn()
        }
        rows.add("Switch.inject", pauses: true) {
            Switch(isOn: true, name: "it")
        } wait: {
            _ = try await $0.inject(nowhere, 1)
        }
        rows.add("Switch.perform", pauses: true) {
            Switch(isOn: true, name: "it")
        } wait: {
            _ = try await $0.perform {}
        }
    }

    private static func addJobs(to rows: inout [Row]) {
        rows.add("CancelableSteps.run", pauses: true) {
            CancelableSteps(from: 0, steps: [], name: "it")
        } wait: {
            _ = try await $0.run()
        }
        rows.add("CancelableSteps.run") {
            CancelableSteps(from: 0, steps: [{ _ in try await never() }], name: "it")
        } wait: { it in
            try await twice { _ = try await it.run() }
        }
        rows.add("CancelableSteps.outcome") {
            CancelableSteps(from: 0, steps: [], name: "it")
        } wait: {
            _ = try await $0.outcome()
        }
        rows.add("CancelableSteps.cancel", pauses: true) {
            CancelableSteps(from: 0, steps: [], name: "it")
        } wait: {
            _ = try await $0.cancel()
        }
        rows.add("RunningPipeline.send", pauses: true) {
            Pipeline { (n: Int) in n }.start(name: "it")
        } wait: { it in
            for n in 0...1 { try await it.send(n) }
        }
        rows.add("RunningPipeline.finish", pauses: true, callLine: 4) {
            Pipeline { (n: Int) in n }.stage { $0 }.start(name: "it")
        } wait: {
            _ = $0.trySend(1)
            try await $0.finish()
        }
        rows.add("RunningPipeline.receive") {
            Pipeline { (n: Int) in n }.start(name: "it")
        } wait: {
            _ = try await $0.receive()
        }
    }

    private static func addTimes(to rows: inout [Row]) {
        rows.add("RateLimit.acquire", pauses: true) {
            RateLimit(1, per: .seconds(3600), name: "it")
        } wait: {
            try await $0.acquire()
        }
        rows.add("Debounce.send", callLine: nil) {
            Debounce(for: .seconds(3600), to: nowhere, name: "it")
        } wait: {
            $0.send(1)
        }
        rows.add("Throttle.send", callLine: nil) {
            Throttle(every: .seconds(3600), to: nowhere, name: "it")
        } wait: {
            $0.send(1)
        }
    }

    private static func addMailboxes(to rows: inout [Row]) {
        rows.add("MailboxActor.send", pauses: true) {
            started(MailboxActor(state: 0, options: bounded) { (_, _: ReplyTo<Int>) in })
        } wait: { it in
            _ = try await it.ask { $0 }
        }
        rows.add("MailboxActor.send", pauses: true) {
            started(MailboxActor(state: 0, options: bounded) { (_, _: Int) in })
        } wait: { it in
            for n in 0...1 { try await it.send(n) }
        }
        rows.add("MailboxActor.send", pauses: true) {
            started(MailboxActor(state: 0, options: bounded) { (_, _: Int) async in })
        } wait: { it in
            for n in 0...1 { try await it.send(n, within: .seconds(3600)) }
        }
        rows.add("MailboxActor.ask", pauses: true) {
            started(MailboxActor(state: 0, options: unbounded) { (_, _: ReplyTo<Int>, _) in })
        } wait: { it in
            _ = try await it.ask { $0 }
        }
        rows.add("MailboxActor.ask", pauses: true) {
            started(MailboxActor(state: 0, options: unbounded) { (_, _: ReplyTo<Int>, _) async in })
        } wait: { it in
            _ = try await it.ask(within: .seconds(3600)) { $0 }
        }
        rows.add("MailboxActor.termination") {
            started(MailboxActor<any Sendable>(state: 0, options: unbounded) { $0.message(Int.self) { _, _ in } })
        } wait: {
            try await $0.termination()
        }
        rows.add("MailboxActor.termination") {
            started(MailboxActor(Silence(), options: unbounded))
        } wait: {
            try await $0.termination()
        }
        rows.add("MailboxActor.stop", pauses: true, callLine: 4) {
            started(MailboxActor(state: 0, options: bounded) { (_, _: Int) in })
        } wait: {
            $0.tell(1)
            $0.stop(.drain)
        }
        rows.add("Supervisor.termination") {
            Supervisor(name: "it")
        } wait: {
            try await $0.termination()
        }
    }

    private static func addGraphs(to rows: inout [Row]) {
        rows.add("FlowGraph.restore", pauses: true) {
            FlowGraph("it") {}
        } wait: {
            try await $0.restore(at: .now)
        }
        rows.add("FlowGraph.transactionAndWait", in: "graph", pauses: true) {
            sealed(EventSource<Int>())
        } wait: { it in
            try await it.graph.transactionAndWait { it.send(1) }
        }
        rows.add("EventSource.sendAndWait", in: "graph", pauses: true) {
            sealed(EventSource<Int>())
        } wait: {
            try await $0.sendAndWait(1)
        }
        rows.add("EventSource.sendWhenRoom", in: "graph", pauses: true) {
            sealed(EventSource<Int>(capacity: 1))
        } wait: {
            try await $0.sendWhenRoom(1)
        }
        rows.add("EventSource.send", in: "graph", pauses: true) {
            sealed(EventSource<Int>(capacity: 1))
        } wait: {
            try await $0.send(contentsOf: [1])
        }
        rows.add("EventSource.send", in: "graph", pauses: true) {
            sealed(EventSource<Int>(capacity: 1))
        } wait: {
            try await $0.send(contentsOf: AsyncStream(unfolding: { 1 }))
        }
        rows.add("Cell.updates", definitionLine: 3) {
            Cell(initialValue: 0)
        } wait: {
            for await _ in $0.updates(name: "it") {}
        }
        rows.add("Cell.values", definitionLine: 3) {
            Cell(initialValue: 0)
        } wait: {
            for await _ in $0.values(.suspending(1), name: "it") {}
        }
        rows.add("Cell.values", in: "values", callLine: 1) {
            Cell(initialValue: 0)
        } wait: {
            for await _ in $0.values {}
        }
        rows.add("Cell.updates", in: "values", callLine: 1) {
            Cell(initialValue: 0)
        } wait: {
            for await _ in $0.updates {}
        }
        rows.add("ObservedCell.init", definitionLine: 3) {
            Cell(initialValue: 0)
        } wait: {
            try await keep(await ObservedCell($0, name: "it"))
        }
        rows.add("Mall.open", pauses: true) {
            Doubling().open("it")
        } wait: {
            try await $0.restore(at: .now)
        }
        rows.add("MallInput.sendAndWait", in: "graph", pauses: true) {
            sealed(MallInput(0))
        } wait: {
            try await $0.sendAndWait(1)
        }
        rows.add("MallOutput.values", definitionLine: 3) {
            MallOutput(0)
        } wait: {
            for await _ in $0.values(.latest(1), name: "it") {}
        }
        rows.add("MallStore.values", in: "values", callLine: 1) {
            MallStore(0)
        } wait: {
            for await _ in $0.values {}
        }
    }
}

extension [Row] {
    /// - Parameters:
    ///   - title: The type and the operation.
    ///   - name: What the definition is called.
    ///   - pauses: Whether the machine is paused before the call, since otherwise it wouldn't wait.
    ///   - definitionLine: On which line of the row the definition is made.
    ///   - callLine: On which line of the row the call is that waits, or nil if none does.
    ///   - fileID: The file of the row.
    ///   - line: The line of the row.
    ///   - make: Makes the object.
    ///   - wait: Waits for it.
    fileprivate mutating func add<Object: Sendable>(
        _ title: String,
        in name: String = "it",
        pauses: Bool = false,
        definitionLine: Int = 1,
        callLine: Int? = 3,
        fileID: StaticString = #fileID,
        line: Int = #line,
        make: @escaping @Sendable () -> Object,
        wait: @escaping @Sendable (Object) async throws -> Void
    ) {
        let row = Row(
            title: title,
            name: name,
            definition: "\(fileID):\(line + definitionLine)",
            call: callLine.map { "\(fileID):\(line + $0)" }
        ) { machine in
            let object = make()
            if pauses { machine.pause() }
            return Task {
                try await wait(object)
                // An object that nobody holds would be gone.
                if callLine == nil { try await keep(object) }
            }
        }
        append(row)
    }
}

// MARK: What the rows use

private let bounded = MailboxOptions(name: "it", capacity: .bounded(1, whenFull: .suspend))

private let unbounded = MailboxOptions(name: "it")

/// A molecule that nobody waits for.
private let nowhere = ChemicalMachine().define("nowhere") { join in
    let nowhere = join.slow("nowhere", of: Int.self)
    join.when(nowhere) { _ in }
    return nowhere
}

/// Ends only if the task is cancelled.
@concurrent
func never<Value>() async throws -> Value {
    try await Gate().pass()
    throw CancellationError()
}

/// Runs `body` in two tasks.
private func twice(_ body: @escaping @Sendable () async throws -> Void) async throws {
    async let other: Void = body()
    try await body()
    try await other
}

/// Holds `object` until the task is cancelled.
@concurrent
private func keep(_ object: some Sendable) async throws {
    defer { extendLifetime(object) }
    try await Gate().pass()
}

private func started<Message>(_ actor: MailboxActor<Message>) -> MailboxActor<Message> { actor.start() }

/// The graph of a node is made when something is sent.
private func sealed(_ source: EventSource<Int>) -> EventSource<Int> {
    _ = source.graph
    return source
}

private func sealed(_ input: MallInput<Int>) -> MallInput<Int> {
    input.send(0)
    return input
}

private struct Silence: MailboxBehavior {
    mutating func receive(_ message: Int, in context: MailboxContext<Silence, Int>) async throws {}
}

private struct Doubling: Mall {
    let number = MallInput(1)
    private let double = MallOutput(2)

    func prepareDataOpsGraph() -> [DataOp] {
        op {
            number>!
            compute { (n: Int) in n * 2 }
            ~>double
        }
    }
}
