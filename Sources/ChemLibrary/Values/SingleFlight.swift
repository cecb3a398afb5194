public import ChemActors

/// One running fetch for each key, however many ask for it meanwhile: all of them get its result.
///
/// ```swift
/// let images = SingleFlight<URL, Image> { address in try await download(address) }
/// let image = try await images.value(for: address)    // joins the download that is under way, or starts one
/// ```
///
/// The fetch runs in a task of its own, so a caller that is cancelled leaves alone: the fetch goes on for the others. When the last one
/// leaves, the fetch is cancelled. Nothing is remembered: whoever asks after the end starts the next fetch. An error goes to all who
/// wait, and the next caller tries anew.
///
/// For a single thing, such as a token, use ``SharedRefresh``. A `Task` kept in an actor does the same until a caller is cancelled: prefer
/// it where callers never are.
///
/// Source: golang.org/x/sync/singleflight.
public struct SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Exportable {
    /// A fetch that is under way.
    private struct Flight {
        let id: Int
        let task: Task<Void, Never>
        let future: Future<Value>
        var passengers: Int
    }

    /// Which fetch a caller has joined.
    private struct Ticket {
        let key: Key
        let id: Int
        let future: Future<Value>
    }

    /// How a fetch has ended.
    private struct Landing {
        let ticket: Ticket
        let result: Result<Value, any Error>
        let promise: Promise<Value>
    }

    private struct Flights {
        var all: [Key: Flight] = [:]
        var lastID = 0
    }

    private let enter: FastMolecule<Key, Ticket>
    private let leave: SlowMolecule<Ticket>

    /// Shares the runs of `fetch`.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - fetch: Gets the value for a key. Its task is cancelled when nobody waits for it any more.
    public init(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        fetch: @escaping @concurrent @Sendable (Key) async throws -> Value
    ) {
        (enter, leave) = Join.define("singleFlight", fileID: fileID, line: line) { join in
            let flights = join.state("flights", Flights())
            let enter = join.fast("enter", of: Key.self, returning: Ticket.self)
            let leave = join.slow("leave", of: Ticket.self)
            let landed = join.slow("landed", of: Landing.self)

            join.answer(enter, updating: flights) { flights, key in
                if let flight = flights.all[key] {
                    flights.all[key]?.passengers += 1
                    return Ticket(key: key, id: flight.id, future: flight.future)
                }
                let promise = Promise<Value>()
                flights.lastID += 1
                let ticket = Ticket(key: key, id: flights.lastID, future: promise.future)
                let landed = landed.exported
                let task = Task.detached(priority: Task.currentPriority) {
                    let result: Result<Value, any Error>
                    do { result = .success(try await fetch(key)) } catch { result = .failure(error) }
                    landed(Landing(ticket: ticket, result: result, promise: promise))
                }
                flights.all[key] = Flight(id: ticket.id, task: task, future: promise.future, passengers: 1)
                return ticket
            }
            join.when(leave, updating: flights) { flights, ticket in
                guard let flight = flights.all[ticket.key], flight.id == ticket.id else { return }
                if flight.passengers > 1 {
                    flights.all[ticket.key]?.passengers -= 1
                } else {
                    flights.all[ticket.key] = nil
                    flight.task.cancel()
                }
            }
            join.when(landed, updating: flights) { flights, landing in
                // Whoever comes from here on starts anew; those who have come get this result.
                if flights.all[landing.ticket.key]?.id == landing.ticket.id { flights.all[landing.ticket.key] = nil }
                landing.promise.settle(landing.result)
            }
            return (enter, leave)
        }
    }

    private init(enter: FastMolecule<Key, Ticket>, leave: SlowMolecule<Ticket>) {
        self.enter = enter
        self.leave = leave
    }

    /// The value for `key`: the result of the fetch that is under way, or of one that is started.
    ///
    /// - Parameters:
    ///   - key: What to fetch.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: what the fetch returns.
    /// - Throws: what the fetch throws; `CancellationError` if this task is cancelled, and then it has left the others.
    nonisolated(nonsending) public func value(
        for key: Key,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        let ticket = try await enter(key, fileID: fileID, line: line)
        do {
            return try await ticket.future.value(fileID: fileID, line: line)
        } catch {
            leave(ticket)
            throw error
        }
    }

    /// The same fetches, kept alive by this value.
    public var exported: SingleFlight { SingleFlight(enter: enter.exported, leave: leave.exported) }
}
