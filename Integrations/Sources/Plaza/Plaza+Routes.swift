import ChemActors
public import Hummingbird
import Recipes
import ServiceLifecycle

extension Forecast: ResponseEncodable {}

extension Plaza {
    private struct Read: ResponseEncodable {
        let messages: [Message]
        /// With which number to ask on.
        let next: Int
    }

    private struct Order: Decodable {
        /// How many prime numbers are there below this one?
        let below: Int
    }

    private struct Health: ResponseEncodable {
        let waitingCalls: Int
        let runningBodies: Int
        let failures: Int
    }

    func addRoutes(to router: Router<PlazaContext>) {
        router.post("rooms/:room/messages", use: post)
        router.get("rooms/:room/messages", use: read)
        router.get("weather/:city", use: forecast)
        router.post("jobs", use: submit)
        router.get("jobs/:id", use: job)
        router.get("stuck") { [machine] _, _ in "\(machine.explainStuck(after: .seconds(10)))\n" }
        router.get("health") { [machine] _, _ in
            let census = machine.census()
            return Health(waitingCalls: census.waitingCalls, runningBodies: census.running, failures: census.failed)
        }
    }

    // snippet.post
    @Sendable private func post(_ request: Request, _ context: PlazaContext) async throws -> Response {
        let name = try context.name("room", limits)
        let draft = try await request.decode(as: Draft.self, context: context)
        try check(draft)
        try refuseWhenClosing()
        guard let message = try await rooms.visit(name, { room in try await room.post(draft) }) else { throw noRoom }
        let place = "/rooms/\(try context.parameters.require("room"))/messages?from=\(message.number)"
        return try answer(message, .created, [.location: place], request, context)
    }
    // snippet.end

    // snippet.read
    @Sendable private func read(_ request: Request, _ context: PlazaContext) async throws -> Response {
        let name = try context.name("room", limits)
        let (from, wait) = (try request.number("from", in: 1...Int.max, or: 1), try request.wait())
        let messages = try await longPoll(request, wait) {
            guard let messages = try await rooms.visit(name, { room in try await room.read(from, within: wait) }) else {
                throw noRoom
            }
            return messages
        }
        let next = messages?.last.map { $0.number + 1 } ?? from
        return try answer(Read(messages: messages ?? [], next: next), .ok, headers(wait), request, context)
    }
    // snippet.end

    @Sendable private func forecast(_ request: Request, _ context: PlazaContext) async throws -> Forecast {
        let city = try context.name("city", limits)
        do {
            guard let future = try await weather.find(city) else {
                throw HTTPError(.serviceUnavailable, message: "too many forecasts are being loaded")
            }
            if let forecast = try await future.value(within: limits.forecastWait) { return forecast }
        } catch let error as CallError where error.code == .timedOut {
            throw HTTPError(.gatewayTimeout, message: "the weather of \(city) takes too long")
        } catch  where !(error is HTTPError || error is CallError || error is CancellationError) {
            throw HTTPError(.badGateway, message: "the weather of \(city) isn't available: \(error)")
        }
        throw HTTPError(.notFound, message: "there is no weather of \(city)")
    }

    // snippet.submit
    @Sendable private func submit(_ request: Request, _ context: PlazaContext) async throws -> Response {
        let order = try await request.decode(as: Order.self, context: context)
        guard (0...limits.greatestJob).contains(order.below) else {
            throw HTTPError(.unprocessableContent, message: "'below' must be 0 to \(limits.greatestJob)")
        }
        try refuseWhenClosing()
        guard let job = try await jobs.submit(order.below) else {
            throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "too many jobs wait")
        }
        return try answer(job, .accepted, [.location: "/jobs/\(job.id)"], request, context)
    }
    // snippet.end

    @Sendable private func job(_ request: Request, _ context: PlazaContext) async throws -> Response {
        let text = try context.parameters.require("id")
        guard let id = Int(text) else {
            throw HTTPError(.badRequest, message: "the number of a job is a whole number, not '\(text)'")
        }
        let wait = try request.wait()
        guard let entry = try await jobs.find(id) else { throw HTTPError(.notFound, message: "there is no job \(id)") }
        _ = try await longPoll(request, wait) { try await entry.ended.value(within: wait) }
        return try answer(try await jobs.find(id)?.job ?? entry.job, .ok, headers(wait), request, context)
    }

    /// Nothing can be read from a connection any more on which the server has looked out for its end.
    private func headers(_ wait: Duration) -> HTTPFields { wait > .zero ? [.connection: "close"] : [:] }

    private func answer(
        _ value: some Encodable,
        _ status: HTTPResponse.Status = .ok,
        _ headers: HTTPFields = [:],
        _ request: Request,
        _ context: PlazaContext
    ) throws -> Response {
        var response = try context.responseEncoder.encode(value, from: request, context: context)
        response.status = status
        response.headers.append(contentsOf: headers)
        return response
    }

    private func check(_ draft: Draft) throws {
        for (name, text) in [("author", draft.author), ("text", draft.text)] {
            if (1...limits.characters).contains(text.count) { continue }
            throw HTTPError(.unprocessableContent, message: "'\(name)' must have 1 to \(limits.characters) characters")
        }
    }

    /// What has been accepted is finished; while that goes on, nothing new is accepted.
    private func refuseWhenClosing() throws {
        if Task.isShuttingDownGracefully {
            throw HTTPError(.serviceUnavailable, headers: [.connection: "close"], message: "the service is shut down")
        }
    }

    private var noRoom: HTTPError { HTTPError(.serviceUnavailable, message: "there are too many rooms") }
}
