public import ChemActors
import ChemBase
import Synchronization

/// The number of the last fetch that was requested.
private let lastBooking = Atomic<Int>(0)

/// One running fetch for each key, however many callers ask for it meanwhile: all of them get its result.
///
/// ```swift
/// let images = SingleFlight<URL, Image> { address in try await download(address) }
/// let image = try await images.value(for: address)  // joins one that is under way, or starts one
/// ```
///
/// The fetch runs in a task of its own, so a cancelled caller doesn't affect the others: the fetch goes on for them.
/// When the last one leaves, the fetch is cancelled. It belongs to the machine on which this was made: it sees that
/// machine's clock, and is cancelled when the machine ends. Nothing is remembered: the first caller after the end
/// starts the next fetch. An error goes to all waiting callers, and the next caller tries again.
///
/// There are never two fetches for one key: a caller that asks while a cancelled fetch hasn't ended yet waits for its
/// end, and shares the next fetch with all callers that do so. So a fetch that ignores its cancellation holds up later
/// callers, but only those of its key. A key that doesn't equal itself, such as a NaN, shares nothing: each caller has
/// a fetch of its own, which goes on to its end.
///
/// For a single thing, such as a token, use ``SharedRefresh``. A `Task` kept in an actor does the same until a caller
/// is cancelled: prefer it if callers are never cancelled.
///
/// Source: golang.org/x/sync/singleflight.
public struct SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Exportable {
    /// Which fetch a caller has joined.
    private struct Ticket {
        let key: Key
        let id: Int
        let future: JoinFuture<Value>
    }

    /// A fetch that hasn't begun, and the callers that await it.
    private struct Booking {
        let ticket: Ticket
        let promise: JoinPromise<Value>
        /// The priority of the first caller.
        let priority: TaskPriority
        var passengers = 1
        /// Ends when the fetch begins, or when it is known that it won't.
        let beginning: AsyncStream<Never>
        let begin: AsyncStream<Never>.Continuation

        init(_ key: Key, _ promise: JoinPromise<Value>) {
            self.promise = promise
            ticket = Ticket(key: key, id: lastBooking.add(1, ordering: .relaxed).newValue, future: promise.future)
            priority = Task.currentPriority
            (beginning, begin) = AsyncStream.makeStream()
        }
    }

    /// The fetch of a key that is under way, and the one after it.
    private struct Flight {
        let ticket: Ticket
        let task: Task<Void, Never>
        /// Without passengers, the fetch is cancelled, and only has to end.
        var passengers: Int
        /// The callers that have come since it was cancelled.
        var next: Booking?

        /// Another caller joins it, or the next one if this one is cancelled.
        mutating func board(_ book: () -> Booking) -> Ticket {
            if passengers > 0 {
                passengers += 1
                return ticket
            }
            guard let next else {
                let new = book()
                next = new
                return new.ticket
            }
            self.next?.passengers += 1
            return next.ticket
        }

        /// A caller leaves it, or the next one.
        mutating func leave(_ left: Ticket) {
            if ticket.id == left.id {
                passengers -= 1
                if passengers == 0 {
                    ChemicalMachine.tellOfCancellation(.cancels)
                    task.cancel()
                }
            } else if let next, next.ticket.id == left.id {
                self.next?.passengers -= 1
                if next.passengers == 1 { self.next = nil }
            }
        }
    }

    /// How a fetch has ended, and the promise to settle.
    private struct Landing {
        let ticket: Ticket
        let promise: JoinPromise<Value>
        let result: Result<Value, any Error>
    }

    private let enter: FastMolecule<Key, Ticket>
    private let leave: SlowMolecule<Ticket>

    /// Shares the runs of `fetch`.
    ///
    /// - Parameters:
    ///   - name: What the single flight is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - fetch: Gets the value for a key. Its task is cancelled when no caller waits for it any more.
    public init(
        name: String = "singleFlight",
        fileID: StaticString = #fileID,
        line: UInt = #line,
        fetch: @escaping @concurrent @Sendable (Key) async throws -> Value
    ) {
        let promiseName = "\(name).promise"
        let book: @Sendable (Key) -> Booking = { key in
            Booking(key, JoinPromise(name: promiseName, fileID: fileID, line: line))
        }
        (enter, leave) = Join.define(name, fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            // One flight for each fetch that hasn't ended.
            let flights = join.state("flights", [Key: Flight]())
            let enter = join.fast("enter", of: Key.self, returning: Ticket.self)
            let leave = join.slow("leave", of: Ticket.self)
            let landed = join.slow("landed", of: Landing.self)
            let depart = Self.declareFetch(fetch, landed, fileID, line, in: &join)

            join.answer(enter, updating: flights) { flights, key in
                guard var flight = flights[key] else {
                    let booking = book(key)
                    let flight = depart(booking)
                    // One that doesn't equal itself would never be found again.
                    if key == key { flights[key] = flight }
                    return booking.ticket
                }
                let ticket = flight.board { book(key) }
                flights[key] = flight
                return ticket
            }
            join.when(leave, updating: flights) { flights, ticket in
                // A caller that leaves after the end is no longer listed.
                guard var flight = flights[ticket.key] else { return }
                flight.leave(ticket)
                flights[ticket.key] = flight
            }
            join.when(landed, updating: flights) { flights, landing in
                let key = landing.ticket.key
                // It may be another flight, if the definition has restarted meanwhile.
                if let flight = flights[key], flight.ticket.id == landing.ticket.id {
                    // Callers that come from here on start a new fetch; those that have come get this result.
                    flights[key] = flight.next.map(depart)
                }
                landing.promise.settle(landing.result)
            }
            return (enter, leave)
        }
    }

    /// Declares the fetch, as a body of this definition: it has its machine and clock, and ends with it.
    ///
    /// - Returns: what has it begin, as a task that can be cancelled.
    private static func declareFetch(
        _ fetch: @escaping @concurrent @Sendable (Key) async throws -> Value,
        _ landed: SlowMolecule<Landing>,
        _ fileID: StaticString,
        _ line: UInt,
        in join: inout Join.Builder
    ) -> @Sendable (Booking) -> Flight {
        let fly = join.fast("fly", of: Booking.self)
        join.answer(fly) { booking async in
            booking.begin.finish()
            let result: Result<Value, any Error>
            do { result = .success(try await fetch(booking.ticket.key)) } catch { result = .failure(error) }
            landed(Landing(ticket: booking.ticket, promise: booking.promise, result: result))
        }
        // Between the request and the beginning of the fetch, this keeps the machine from being quiet: those who wait
        // for the fetch don't wait for ever.
        let underWay = join.slow("underWay", of: AsyncStream<Never>.self)
        join.when(underWay) { beginning async in for await _ in beginning {} }
        return { booking in
            let (fly, landed) = (fly.exported, landed.exported)
            // Cancelling the call cancels the body.
            let task = Task.detached(priority: booking.priority) {
                do { try await fly(booking, fileID: fileID, line: line) } catch {
                    // It hasn't begun.
                    landed(Landing(ticket: booking.ticket, promise: booking.promise, result: .failure(error)))
                    booking.begin.finish()
                }
            }
            underWay(booking.beginning)
            return Flight(ticket: booking.ticket, task: task, passengers: booking.passengers)
        }
    }

    private init(enter: FastMolecule<Key, Ticket>, leave: SlowMolecule<Ticket>) {
        self.enter = enter
        self.leave = leave
    }

    /// The value for `key`: the result of the fetch that is under way, or of a new one.
    ///
    /// - Parameters:
    ///   - key: What to fetch.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: what the fetch returns.
    /// - Throws: what the fetch throws; `CancellationError` if this task is cancelled; then it has left the others.
    nonisolated(nonsending) public func value(
        for key: Key,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await value(of: enter(key, fileID: fileID, line: line)) { future in
            try await future.valueToCome(fileID: fileID, line: line)
        }
    }

    /// The value for `key`, if the fetch ends before `duration` has passed.
    ///
    /// - Parameters:
    ///   - key: What to fetch.
    ///   - duration: How long to wait for it. Zero or less: leave again at once.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: what the fetch returns.
    /// - Throws: as ``value(for:fileID:line:)``, and `CallError` if the time was up; then it has left the others.
    nonisolated(nonsending) public func value(
        for key: Key,
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        let clock = MachineClock()
        let deadline = clock.instant(after: max(duration, .zero))
        return try await value(of: enter(key, within: duration, fileID: fileID, line: line)) { future in
            try await future.value(within: clock.now.duration(to: deadline), fileID: fileID, line: line)
        }
    }

    nonisolated(nonsending) private func value(
        of ticket: Ticket,
        _ wait: nonisolated(nonsending) (JoinFuture<Value>) async throws -> Value
    ) async throws -> Value {
        do {
            return try await wait(ticket.future)
        } catch {
            leave(ticket)
            throw error
        }
    }

    /// The same fetches, kept alive by this value.
    public var exported: SingleFlight { SingleFlight(enter: enter.exported, leave: leave.exported) }
}
